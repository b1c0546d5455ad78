/** The error codes of payments, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const paymentProblems: ProblemCatalogue = {
  payin_account_not_found: {
    kind: 'not_found',
    title: 'No such pay-in account',
    remedy: 'Take the id from `GET /operator/payin-accounts`.',
  },
  payin_account_exists: {
    kind: 'conflict',
    title: 'A pay-in account with this id exists',
    remedy: 'Change it with `PUT /operator/payin-accounts/{accountId}`, or choose another id.',
    exampleMembers: { accountId: 'main-eur' },
  },
  payment_differs: {
    kind: 'conflict',
    title: 'The movement was recorded before with other contents',
    remedy:
      'Compare the fields in `differences` with the bank statement. A recorded movement never changes: if it is wrong, void it (`POST /operator/payments/{paymentId}/corrections/void`) and record the line again.',
    exampleMembers: { paymentId: 'pay_0000013J8V2T9X5B3N6H0C7D2F', differences: ['amount'] },
  },
  payment_not_found: {
    kind: 'not_found',
    title: 'No such payment',
    remedy: 'Take the id from the order (`GET /operator/orders/{id}`) or from the record of the payment.',
  },
  payment_changed: {
    kind: 'conflict',
    title: 'The order has changed since you read it',
    remedy: 'Read the order again, and send its `version`.',
    exampleMembers: { orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F', version: 4 },
  },
  payment_not_reversible: {
    kind: 'conflict',
    title: 'The payment cannot be reversed by this command',
    remedy:
      'A payment is reversed once. `take-off` needs a payment that one order has in full and that was never in suspense. `clawback` is refused if several orders have parts of the payment, or if a part went back to the payer: book a treasury correction instead. `void` needs all of the money to be with one order that is not converted, or in suspense.',
  },
  loss_not_found: {
    kind: 'not_found',
    title: 'No loss of this payment waits for an operator',
    remedy: '`GET /operator/tasks?kind=loss` lists the losses that wait.',
  },
  import_faults_not_found: {
    kind: 'not_found',
    title: 'No faulty lines of this import wait for an operator',
    remedy: '`GET /operator/tasks?kind=import_fault` lists the imports with lines that could not be recorded.',
  },
  policies_changed: {
    kind: 'conflict',
    title: 'The policies have changed',
    remedy: 'Read them with `GET /merchant/policies`, and send yours with the `version` that you read.',
    exampleMembers: { version: 2 },
  },
  suspense_not_found: {
    kind: 'not_found',
    title: 'No such suspense record',
    remedy: 'Take the id from `GET /operator/suspense`.',
  },
  suspense_changed: {
    kind: 'conflict',
    title: 'The suspense record has changed since you read it',
    remedy: 'Read it again with `GET /operator/suspense/{suspenseId}`, and send its `version`.',
    exampleMembers: { state: 'REFUND_PENDING', version: 2 },
  },
  suspense_transition_not_allowed: {
    kind: 'conflict',
    title: 'The state of the suspense record does not allow this',
    remedy:
      'Read it again. You can match or write off a record that is `OPEN`, and pay back one that is `OPEN` or `REFUND_FAILED`. A return can be stopped until a bank was instructed. Only frozen money can be released.',
    exampleMembers: { state: 'MATCHED', version: 2 },
  },
  suspense_blocked: {
    kind: 'conflict',
    title: 'The money cannot be paid back now',
    remedy:
      '`obstacle` says why. `open_hit`: decide the screening hits of the user first. `order_frozen`: release the order first. `screening_lists`: wait until the lists can be used. `blocked`: lift the block first.',
    exampleMembers: { state: 'OPEN', version: 1, obstacle: 'open_hit' },
  },
  suspense_not_matchable: {
    kind: 'conflict',
    title: 'The order does not take this money',
    remedy:
      '`obstacle` says why. `other_merchant`: the money belongs to another merchant; pay it back. `wrong_currency`: pay it back. `not_payable`: the order is paid, has ended, or is under review; choose another one, or pay it back.',
    exampleMembers: {
      obstacle: 'not_payable',
      orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
      orderStatus: 'COMPLETED',
      currency: 'EUR',
      orderCurrency: 'EUR',
    },
  },
  payment_import_not_voidable: {
    kind: 'conflict',
    title: 'The import cannot be voided now',
    remedy: 'Wait until `isFinished`. An import is voided once; void payments that are left one by one.',
  },
  payment_import_not_found: {
    kind: 'not_found',
    title: 'No such import',
    remedy: 'Take the id from the answer to `POST /operator/payments/import`.',
  },
};
