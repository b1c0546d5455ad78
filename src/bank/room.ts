/** Builds the bank: our accounts at banks, and what the banks say about them. */
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { TaskSource } from '../tasks/task.js';
import { bankAccountRoutes } from './accounts/routes.js';
import { BankAccountService } from './accounts/service.js';
import { listBankFileTasks, listBreakTasks } from './breaks/service.js';
import { booksJobOf } from './days/books.js';
import { listDayTasks } from './days/service.js';
import { LineSealer } from './lines/content.js';
import { freeBankLines, takeBankLine } from './lines/service.js';
import { matchJobOf } from './matching/jobs.js';
import type { LineTaker } from './matching/taker.js';
import { statementReceiver } from './statements/arriving.js';
import { fileJobOf } from './statements/file-job.js';
import { BankFileService } from './statements/file-service.js';
import { statementRoutes } from './statements/routes.js';

export interface BankRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly log: Log;
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
  /** Whose lines are, in the rooms above. */
  readonly takers: () => readonly LineTaker[];
}

export function bankRoom({ database, rootKey, log, mode, findPending, takers }: BankRoomOptions) {
  const accounts = new BankAccountService({ hasSimulated: mode === 'sandbox' });
  const sealer = new LineSealer(rootKey);
  const files = new BankFileService(sealer);
  const banks = {
    requireKnown: (...asked: Parameters<BankAccountService['requireKnown']>) => accounts.requireKnown(...asked),
    takeLine: takeBankLine,
    freeLines: async (tx: Transaction, record: string) => {
      await freeBankLines(tx, record, 'credit');
      await freeBankLines(tx, record, 'debit');
    },
  };
  const taskSources: TaskSource[] = [
    { kind: 'bank_break', list: listBreakTasks },
    { kind: 'bank_day', list: listDayTasks },
    { kind: 'statement_file', list: listBankFileTasks },
  ];
  return {
    accounts,
    banks,
    receiveStatement: statementReceiver(database, accounts, files),
    routes: [...bankAccountRoutes(accounts, findPending), ...statementRoutes(accounts, files)],
    jobs: [fileJobOf({ database, accounts, sealer }), matchJobOf({ database, accounts, sealer, takers, log }), booksJobOf(database)],
    taskSources,
  };
}
