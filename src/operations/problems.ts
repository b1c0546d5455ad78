/** The error codes of the operators' desk, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const operationProblems: ProblemCatalogue = {
  ledger_account_not_found: {
    kind: 'not_found',
    title: 'No ledger has this account',
    remedy:
      '`GET /operator/bank-balances` lists the accounts. An account opens with its first posting: a payment, a payout, or a treasury entry such as `funding`.',
  },
  bank_balance_changed: {
    kind: 'conflict',
    title: 'The minimum has changed since you read it',
    remedy: 'Read it again with `GET /operator/bank-balances`, and send its `version`.',
  },
};
