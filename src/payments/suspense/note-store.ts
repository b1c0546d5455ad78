/** SQL on what operators wrote when they decided about suspense records. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { SuspenseRecord } from './suspense.js';

const insertNote = statement(
  'suspense.insert-note',
  `INSERT INTO suspense_notes (merchant_id, suspense_id, version, sealed_note)
   VALUES ($merchantId, $suspenseId, $version, $sealedNote)`,
);
const listOfRecord = statement(
  'suspense.list-notes',
  'SELECT version, sealed_note FROM suspense_notes WHERE merchant_id = $merchantId AND suspense_id = $suspenseId',
).rows<{ version: number; sealed_note: Buffer }>();

/** Keeps the note of the change to this version. */
export async function addNote(
  tx: Transaction,
  { ownerId, suspenseId, version }: SuspenseRecord,
  sealedNote: Buffer,
): Promise<void> {
  await tx.query(insertNote, { merchantId: ownerId, suspenseId, version, sealedNote });
}

/** The sealed notes, by the version that each change led to. */
export async function listNotes(
  database: Queryable,
  { ownerId, suspenseId }: SuspenseRecord,
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await database.query(listOfRecord, { merchantId: ownerId, suspenseId });
  return new Map(rows.map((row) => [row.version, row.sealed_note]));
}
