/** SQL on what operators noted about users, always within one merchant. */
import { type OperatorId, operatorId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const listAll = statement(
  'note-store.list-of-user',
  `SELECT number, sealed_note, written_by, written_at FROM user_notes
    WHERE merchant_id = $merchantId AND user_id = $userId ORDER BY number`,
).rows<{ number: number; sealed_note: Buffer; written_by: bigint; written_at: Date }>();
const insertOne = statement(
  'note-store.insert-of-user',
  `INSERT INTO user_notes (merchant_id, user_id, number, sealed_note, written_by)
   VALUES ($merchantId, $userId, $number, $sealedNote, $writtenBy)`,
);

export interface StoredNote {
  readonly number: number;
  readonly sealedNote: Buffer;
  readonly writtenBy: OperatorId;
  readonly writtenAt: Date;
}

/** The oldest first. */
export async function listUserNotes(database: Queryable, { merchantId, userId }: Account): Promise<StoredNote[]> {
  return (await database.query(listAll, { merchantId, userId })).map((row) => ({
    number: row.number,
    sealedNote: row.sealed_note,
    writtenBy: operatorId(row.written_by),
    writtenAt: row.written_at,
  }));
}

/** The caller has locked the user. */
export async function addUserNote(
  tx: Transaction,
  { merchantId, userId }: Account,
  { number, sealedNote, writtenBy }: Omit<StoredNote, 'writtenAt'>,
): Promise<void> {
  await tx.query(insertOne, { merchantId, userId, number, sealedNote, writtenBy });
}
