/** SQL on statements: what a bank reported of an account, with its balances. */
import { newPublicId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';
import type { NewStatement } from './statement.js';

const insertStatement = statement(
  'statement-store.insert-reported',
  `INSERT INTO bank_account_statements (statement_id, account_id, identity, file_id, kind, bank_id, sequence, opening_on,
     opening_minor, closing_on, closing_minor)
   VALUES ($statementId, $accountId, $identity, $fileId, $kind, $bankId, $sequence, $openingOn, $openingMinor, $closingOn,
     $closingMinor)
   ON CONFLICT (account_id, identity) DO NOTHING RETURNING statement_id`,
).rows<{ statement_id: string }>();
const findByIdentity = statement(
  'statement-store.find-reported',
  'SELECT statement_id FROM bank_account_statements WHERE account_id = $accountId AND identity = $identity',
).rows<{ statement_id: string }>();
const finish = statement(
  'statement-store.finish-reported',
  `UPDATE bank_account_statements SET entries = $entries, net_minor = $netMinor, is_whole = $isWhole
    WHERE statement_id = $statementId AND (NOT is_whole OR $isWhole)`,
);

/** Returns the id of the statement: the same one again is one. */
export async function addStatement(tx: Transaction, added: NewStatement): Promise<string> {
  const [row] = await tx.query(insertStatement, { statementId: newPublicId('bst'), ...added });
  if (row) return row.statement_id;
  const { accountId, identity } = added;
  const [stored] = await tx.query(findByIdentity, { accountId, identity });
  if (!stored) throw new Error('a statement that was read before is gone');
  return stored.statement_id;
}

export async function finishStatement(
  tx: Transaction,
  finished: {
    readonly statementId: string;
    readonly entries: number;
    readonly netMinor: bigint;
    readonly isWhole: boolean;
  },
): Promise<void> {
  await tx.query(finish, { ...finished });
}
