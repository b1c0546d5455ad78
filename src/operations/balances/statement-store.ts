/** SQL on the statements of banks and partners. Every machine of a cluster has this table in full. */
import type { OperatorId } from '../../ids.js';
import type { Account } from '../../ledger/account.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { BankStatement } from './balance.js';

interface StatementRow {
  account: Account;
  at: Date;
  recorded_at: Date;
  balance_minor: bigint;
  note: string | null;
}
const columns = 'account, at, recorded_at, balance_minor, note';

const insertStatement = statement(
  'statement-store.insert',
  `INSERT INTO bank_statements (account, at, recorded_at, balance_minor, note, operator_id)
   VALUES ($account, $at, statement_timestamp(), $minor, $note, $operatorId) RETURNING ${columns}`,
).rows<StatementRow>();
const listNewest = statement(
  'statement-store.list-newest',
  `SELECT DISTINCT ON (account) ${columns} FROM bank_statements ORDER BY account, at DESC, recorded_at DESC`,
).rows<StatementRow>();

export async function addStatement(
  tx: Transaction,
  { account, at, minor, note }: Omit<BankStatement, 'recordedAt'>,
  operator: OperatorId,
): Promise<void> {
  await tx.query(insertStatement, { account, at, minor, note, operatorId: operator });
}

export async function listNewestStatements(database: Queryable): Promise<ReadonlyMap<Account, BankStatement>> {
  const rows = await database.query(listNewest);
  return new Map(
    rows.map(({ account, at, recorded_at, balance_minor, note }) => [
      account,
      { account, at, minor: balance_minor, note: note ?? undefined, recordedAt: recorded_at },
    ]),
  );
}
