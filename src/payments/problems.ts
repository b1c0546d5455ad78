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
    title: 'There is a pay-in account with this id',
    remedy: 'Change it with `PUT /operator/payin-accounts/{accountId}`, or choose another id.',
    exampleMembers: { accountId: 'main-eur' },
  },
  payment_differs: {
    kind: 'conflict',
    title: 'The movement was recorded before with other contents',
    remedy:
      'Compare the `differences` with the bank statement. A movement never changes: if the record is wrong, book a correction.',
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
      'It is done once. To take a payment off, one order must have all of it, and it must not have been in suspense. A clawback is refused when several orders have parts of the payment, and when a part went back to the payer: book a treasury correction.',
  },
  loss_not_found: {
    kind: 'not_found',
    title: 'No loss of this payment waits for an operator',
    remedy: '`GET /operator/tasks?kind=loss` lists the losses that wait.',
  },
  policies_changed: {
    kind: 'conflict',
    title: 'The policies have changed',
    remedy: 'Read them with `GET /merchant/policies`, and declare them with the `version` that you read.',
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
    title: 'This is not possible in the state of the suspense record',
    remedy:
      'Read it again. Only an open record is matched or written off; only an open one, or one whose refund failed, is paid back.',
    exampleMembers: { state: 'MATCHED', version: 2 },
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
  payment_import_not_found: {
    kind: 'not_found',
    title: 'No such import',
    remedy: 'Take the id from the answer to `POST /operator/payments/import`.',
  },
};
