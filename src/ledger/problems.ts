/** The error codes of the ledger, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const ledgerProblems: ProblemCatalogue = {
  ledger_fault: {
    kind: 'unavailable',
    title: 'The ledger of this merchant has a fault',
    remedy:
      'New orders, payouts and refunds are stopped; nothing is lost. Try again later, or ask the operator. Operators see it in `GET /operator/tasks`.',
  },
  ledger_fault_remains: {
    kind: 'conflict',
    title: 'The fault was not repaired',
    remedy:
      'Repair the ledger, then run `./bin/remesa ledger verify`. A fault can be cleared once a verification has found nothing wrong.',
    exampleMembers: { fault: 'posting 2 of journal 17 (jrn_00000700F1V9K2M3N4P) was changed' },
  },
  ledger_has_no_fault: {
    kind: 'conflict',
    title: 'The ledger has no fault',
    remedy: 'There is nothing to clear. Another operator may have cleared it.',
  },
  bank_reference_used: {
    kind: 'conflict',
    title: 'This bank reference was recorded before',
    remedy: 'Each line of a bank statement is recorded once. Check that you have the right line.',
  },
  journal_not_found: {
    kind: 'not_found',
    title: 'No such journal',
    remedy: 'Take the id from `GET /operator/ledger/journals`.',
  },
  journal_already_reversed: {
    kind: 'conflict',
    title: 'The journal was already reversed',
    remedy: 'Read the journal: `reversedBy` has the id of its reversal.',
  },
  journal_not_reversible: {
    kind: 'conflict',
    title: 'A treasury correction reverses treasury entries only',
    remedy: 'Journals of orders are reversed by a correction of the order.',
  },
};
