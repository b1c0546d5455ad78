/** Statements that came through a connection: each of our accounts that the file is about reads it. */
import type { ReportedStatement } from '../../iso20022/statement.js';
import type { Database } from '../../postgres/database.js';
import type { BankAccountService } from '../accounts/service.js';
import { byBank } from '../batches/changing.js';
import type { BankFileService } from './file-service.js';
import { isOfAccount } from './statement.js';

export interface ArrivedFile {
  readonly connection: string;
  readonly content: Buffer;
  readonly statements: readonly ReportedStatement[];
}

/** Returns the statements of accounts that are not ours. The same file again changes nothing. */
export type ReceiveStatement = (file: ArrivedFile) => Promise<readonly ReportedStatement[]>;

export function statementReceiver(
  database: Database,
  accounts: BankAccountService,
  files: BankFileService,
): ReceiveStatement {
  return async ({ connection: source, content, statements }) => {
    const ours = (await accounts.list(database)).map(({ account }) => account);
    for (const account of ours.filter((each) => statements.some((statement) => isOfAccount(statement, each)))) {
      const file = { accountId: account.accountId, bytes: [content], source };
      await database.transaction((tx) => files.receiveFile(tx, byBank, file));
    }
    return statements.filter((statement) => !ours.some((account) => isOfAccount(statement, account)));
  };
}
