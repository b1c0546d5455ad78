/** The error codes of the bank, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const bankProblems: ProblemCatalogue = {
  bank_account_not_found: {
    kind: 'not_found',
    title: 'No such bank account',
    remedy: 'Take the id from `GET /operator/bank/accounts`.',
  },
  bank_file_not_found: {
    kind: 'not_found',
    title: 'No such file of a bank',
    remedy: 'Take the id from the answer to the upload. Faults that were settled are no task any more.',
  },
  bank_line_not_found: {
    kind: 'not_found',
    title: 'No such possible duplicate',
    remedy: 'Take the id from `GET /operator/bank/accounts/{accountId}/breaks`. Somebody may have decided already.',
  },
  bank_account_exists: {
    kind: 'conflict',
    title: 'A bank account with this id exists',
    remedy: 'Change it with `PUT /operator/bank/accounts/{accountId}`, or choose another id.',
    exampleMembers: { accountId: 'main-eur' },
  },
};
