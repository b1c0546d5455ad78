/** The error codes of payments, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problem-catalogue.js';

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
  payment_import_not_found: {
    kind: 'not_found',
    title: 'No such import',
    remedy: 'Take the id from the answer to `POST /operator/payments/import`.',
  },
};
