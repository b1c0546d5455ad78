/** Builds the bank: our accounts at banks, and what the banks say about them. */
import type { FindPending } from '../http/four-eyes.js';
import type { Transaction } from '../postgres/statement.js';
import { bankAccountRoutes } from './accounts/routes.js';
import { BankAccountService } from './accounts/service.js';
import { freeBankLines, takeBankLine } from './lines/service.js';

export interface BankRoomOptions {
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
}

export function bankRoom({ mode, findPending }: BankRoomOptions) {
  const accounts = new BankAccountService({ hasSimulated: mode === 'sandbox' });
  const banks = {
    requireKnown: (...asked: Parameters<BankAccountService['requireKnown']>) => accounts.requireKnown(...asked),
    takeLine: takeBankLine,
    freeLines: async (tx: Transaction, record: string) => {
      await freeBankLines(tx, record, 'credit');
      await freeBankLines(tx, record, 'debit');
    },
  };
  return { accounts, banks, routes: bankAccountRoutes(accounts, findPending), jobs: [] };
}
