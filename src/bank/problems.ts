/** The error codes of the bank, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const bankProblems: ProblemCatalogue = {
  bank_account_not_found: {
    kind: 'not_found',
    title: 'No such bank account',
    remedy: 'Take the id from `GET /operator/bank/accounts`.',
  },
  statement_file_not_found: {
    kind: 'not_found',
    title: 'No such file of statements',
    remedy: 'Take the id from the answer to the upload. Faults that were settled are no task any more.',
  },
  bank_line_not_found: {
    kind: 'not_found',
    title: 'No such possible duplicate',
    remedy: 'Take the id from `GET /operator/bank/accounts/{accountId}/breaks`. Somebody may have decided already.',
  },
  bank_break_not_found: {
    kind: 'not_found',
    title: 'No such break',
    remedy:
      'Take the line and the number from `GET /operator/bank/accounts/{accountId}/breaks`. It may have been explained or split meanwhile. Decide about a possible duplicate first.',
  },
  bank_line_differs: {
    kind: 'conflict',
    title: 'The two lines have different amounts',
    remedy:
      'One of them was recorded with a wrong amount. Correct that record (void the payment, or withdraw the report of the payout), then decide that they are two.',
  },
  possible_duplicate: {
    kind: 'conflict',
    title: 'It is probably a movement that is known under another bank reference',
    remedy:
      'Look at the bank’s statement. If it is the same movement, there is nothing to do. If the bank booked both, record it by hand (`POST /operator/payments`) with the `lineIds` as `otherThan`, which a second operator approves.',
    exampleMembers: { lineIds: ['bnl_0000003J8V2T9X5B3N6H0C7D2F'] },
  },
  bank_account_exists: {
    kind: 'conflict',
    title: 'A bank account with this id exists',
    remedy: 'Change it with `PUT /operator/bank/accounts/{accountId}`, or choose another id.',
    exampleMembers: { accountId: 'main-eur' },
  },
  bank_answer_not_found: {
    kind: 'not_found',
    title: 'No such answer of a bank',
    remedy: 'Take the id from `GET /operator/bank/answers`.',
  },
  bank_answer_decided: {
    kind: 'conflict',
    title: 'This answer of a bank cannot be applied',
    remedy: 'It was decided before, or says that the bank has the payments already: ask the bank, then dismiss it.',
    exampleMembers: { state: 'APPLIED' },
  },
  bank_answer_debited: {
    kind: 'conflict',
    title: 'The bank may have made this payment',
    remedy:
      'Look at the line in `GET /operator/bank/accounts/{accountId}/breaks`. If it is this payment, dismiss the answer. If it is something else, explain it first, then apply the answer.',
    exampleMembers: {
      lineId: 'bnl_0000003J8V2T9X5B3N6H0C7D2F',
      accountId: 'main-eur',
      reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
    },
  },
  bank_file_not_found: {
    kind: 'not_found',
    title: 'No such file with faults',
    remedy: 'Take the id from `GET /operator/bank/files?state=FAULTY`.',
  },
  bank_batch_not_found: {
    kind: 'not_found',
    title: 'No such batch',
    remedy: 'Take the id from `GET /operator/bank/batches`.',
  },
  bank_payment_not_recallable: {
    kind: 'conflict',
    title: 'This payment cannot be recalled',
    remedy:
      'Only what left in a file to a bank is recalled: see `GET /operator/bank/batches`. To stop a payment before, put its order under review or freeze it.',
  },
  bank_recall_open: {
    kind: 'conflict',
    title: 'The bank has not answered to the recall before',
    remedy: 'See `GET /operator/bank/recalls`, and ask the bank.',
  },
  bank_batch_not_under_way: {
    kind: 'conflict',
    title: 'This batch is not on its way to the bank',
    remedy: 'Release it if it is `WAITING`. In the state `SENT` the bank has it.',
    exampleMembers: { state: 'SENT' },
  },
  bank_batch_closed: {
    kind: 'conflict',
    title: 'This batch is closed',
    remedy: 'Nothing: no payment joins it any more. Release it if its state is `WAITING`.',
    exampleMembers: { state: 'WAITING' },
  },
  bank_batch_not_waiting: {
    kind: 'conflict',
    title: 'This batch cannot be released',
    remedy:
      'Close it first while it is `COLLECTING`. In all later states it has been released. `GET /operator/bank/batches/{batchId}` shows the state.',
    exampleMembers: { state: 'SENT' },
  },
};
