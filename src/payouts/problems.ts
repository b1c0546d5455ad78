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
      'Read it again. While a rail sends a payout (`READY` or `SENDING`), you cannot record it by hand. Wait until it is `ACCEPTED` or `UNKNOWN`.',
    exampleMembers: { state: 'SENDING', version: 2 },
  },
  payout_stopped: {
    kind: 'conflict',
    title: 'This payout must not be made now',
    remedy:
      'Do not instruct the bank. `GET /operator/pauses` and the order say why. If the bank has paid it already, record that: with `paid`, or with `prove-paid` once the payout was withdrawn.',
  },
  payout_not_correctable: {
    kind: 'conflict',
    title: 'This correction is not possible',
    remedy:
      'Read the payout and its order again. `not-paid` needs a payout that is `PAID`. `prove-paid` needs an order with no other payout or refund that may have left; for a refund, a payer who is still owed it. `paid-twice` needs a payout or refund that was paid again, or an order that was paid out or back in another way.',
    exampleMembers: { state: 'PAID', version: 3 },
  },
  report_not_found: {
    kind: 'not_found',
    title: 'No such report waits for an operator',
    remedy:
      'Another operator may have settled it. `GET /operator/tasks?kind=unmatched_report` lists the reports that wait.',
  },
  rail_not_found: {
    kind: 'not_found',
    title: 'No such rail',
    remedy: 'Use the name of a rail of this instance, as in `PAYOUT_RAILS`.',
  },
  rail_document_not_found: {
    kind: 'not_found',
    title: 'No such document of this rail',
    remedy: 'Use the `id` that uploading it answered.',
  },
  rail_reads_no_documents: {
    kind: 'conflict',
    title: 'This rail has no documents',
    remedy: 'Record what happened by hand: `POST /operator/payouts/{attemptId}/paid`, `/failed` or `/returned`.',
  },
  pause_not_found: {
    kind: 'not_found',
    title: 'This is not paused',
    remedy: '`GET /operator/pauses` lists what is paused.',
  },
  pickup_code_not_found: {
    kind: 'not_found',
    title: 'There is no pick-up code',
    remedy: 'Only cash payouts have a code, once the cash is ready. Try again later.',
  },
};
