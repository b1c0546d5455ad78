/**
 * Statements that came through a connection: each of our accounts that the file is about reads it. Whoever can write
 * what one connection brings must not credit accounts of another, so a connection tells of its own accounts only.
 */
import type { ReportedStatement } from '../../iso20022/statement.js';
import type { Database } from '../../postgres/database.js';
import type { BankAccountService } from '../accounts/service.js';
import { byBank } from '../batches/changing.js';
import { type BankConnection, connectionOf } from '../transport/connection.js';
import type { BankFileService } from './file-service.js';
import { isOfAccount } from './statement.js';

export interface ArrivedFile {
  readonly connection: string;
  readonly content: Buffer;
  readonly statements: readonly ReportedStatement[];
}

/** Returns the faults of statements that are of no account of the connection. The same file again changes nothing. */
export type ReceiveStatement = (file: ArrivedFile) => Promise<readonly string[]>;

export interface ArrivingOptions {
  readonly database: Database;
  readonly accounts: BankAccountService;
  readonly files: BankFileService;
  readonly connections: readonly BankConnection[];
}

export function statementReceiver({ database, accounts, files, connections }: ArrivingOptions): ReceiveStatement {
  return async ({ connection: source, content, statements }) => {
    const ours = (await accounts.list(database)).map(({ account }) => account);
    const told = ours.filter(({ accountId }) => connectionOf(connections, accountId)?.name === source);
    for (const account of told.filter((each) => statements.some((statement) => isOfAccount(statement, each)))) {
      const file = { accountId: account.accountId, bytes: [content], source };
      await database.transaction((tx) => files.receiveFile(tx, byBank, file));
    }
    return statements.flatMap((statement) => {
      if (told.some((account) => isOfAccount(statement, account))) return [];
      const number = statement.account.number.slice(0, 42);
      const other = ours.find((account) => isOfAccount(statement, account));
      return other
        ? `A statement is of the account ${other.accountId}, whose files do not come through this connection (${source}). Nothing of it was booked.`
        : `A statement is of the account ${number}, which is not ours.`;
    });
  };
}
