/** The error codes of the bank, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const bankProblems: ProblemCatalogue = {
  bank_account_not_found: {
    kind: 'not_found',
    title: 'No such bank account',
    remedy: 'Take the id from `GET /operator/bank/accounts`.',
  },
  bank_account_exists: {
    kind: 'conflict',
    title: 'A bank account with this id exists',
    remedy: 'Change it with `PUT /operator/bank/accounts/{accountId}`, or choose another id.',
    exampleMembers: { accountId: 'main-eur' },
  },
};
