/** The error codes of payouts, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const payoutProblems: ProblemCatalogue = {
  simulated_event_impossible: {
    kind: 'conflict',
    title: 'This cannot happen to the order now',
    remedy: 'Read the order: its status says what can happen next.',
  },
  payout_not_found: {
    kind: 'not_found',
    title: 'No such payout',
    remedy: 'Check the id. `GET /operator/payouts` lists payouts and refunds.',
  },
  payout_changed: {
    kind: 'conflict',
    title: 'The payout has changed since you read it',
    remedy: 'Read it again with `GET /operator/payouts/{attemptId}`, and send its `version`.',
    exampleMembers: { state: 'PAID', version: 3 },
  },
  payout_not_recordable: {
    kind: 'conflict',
    title: 'This cannot be recorded in the state of the payout',
    remedy:
      'Read it again. A payout that a rail is about to send is not recorded by hand: pause the rail, or wait until its outcome is unknown.',
    exampleMembers: { state: 'SENDING', version: 2 },
  },
  payout_not_correctable: {
    kind: 'conflict',
    title: 'This correction is not possible',
    remedy:
      'Read the payout and its order again. `not-paid` is for a payout that is `PAID`; `prove-paid` for one that failed, whose order is `PAYOUT_FAILED`; `paid-twice` for one that was paid although its order has gone on.',
    exampleMembers: { state: 'PAID', version: 3 },
  },
  bank_reference_used: {
    kind: 'conflict',
    title: 'This bank reference was recorded before',
    remedy: 'Each line of a bank statement is recorded once. Check that you have the right line.',
  },
  report_not_found: {
    kind: 'not_found',
    title: 'No such report waits for an operator',
    remedy:
      'Somebody may have settled it. `GET /operator/tasks?kind=unmatched_report` lists those that wait.',
  },
  rail_not_found: {
    kind: 'not_found',
    title: 'No such rail',
    remedy: 'Use the name of a rail of this instance, as in `PAYOUT_RAILS`.',
  },
  rail_reads_no_documents: {
    kind: 'conflict',
    title: 'This rail has no documents',
    remedy:
      'Operators record what happened on it: `POST /operator/payouts/{attemptId}/paid` and its neighbours.',
  },
  pause_not_found: {
    kind: 'not_found',
    title: 'This is not paused',
    remedy: '`GET /operator/pauses` lists what is paused.',
  },
  pickup_code_not_found: {
    kind: 'not_found',
    title: 'There is no pick-up code',
    remedy: 'Only cash has one, once the money is ready. Try again later.',
  },
};
