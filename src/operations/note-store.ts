/** SQL on the notes of operators, always within one merchant. */
import { type OperatorId, operatorId } from '../ids.js';
import type { OrderRef } from '../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

const insertNote = statement(
  'note-store.insert',
  `INSERT INTO operator_notes (merchant_id, order_id, number, operator_id, sealed_note)
     VALUES ($merchantId, $orderId, $number, $operatorId, $sealedNote)`,
);
const countNotes = statement(
  'note-store.count',
  'SELECT count(*)::int AS count FROM operator_notes WHERE merchant_id = $merchantId AND order_id = $orderId',
).rows<{ count: number }>();
const listNotes = statement(
  'note-store.list',
  `SELECT number, operator_id, sealed_note, written_at FROM operator_notes
    WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY number`,
).rows<{ number: number; operator_id: bigint; sealed_note: Buffer; written_at: Date }>();

export interface SealedNote {
  /** Counts the notes of an order. */
  readonly number: number;
  readonly operatorId: OperatorId;
  readonly sealedNote: Buffer;
}

/** The caller has locked the order. */
export async function addOperatorNote(
  tx: Transaction,
  order: OrderRef,
  { number, operatorId: operator, sealedNote }: SealedNote,
): Promise<void> {
  await tx.query(insertNote, { ...order, number, operatorId: operator, sealedNote });
}

export async function countNotesOf(database: Queryable, order: OrderRef): Promise<number> {
  return (await database.query(countNotes, order))[0]?.count ?? 0;
}

/** The oldest first. */
export async function listOperatorNotes(
  database: Queryable,
  order: OrderRef,
): Promise<(SealedNote & { readonly writtenAt: Date })[]> {
  return (await database.query(listNotes, order)).map((row) => ({
    number: row.number,
    operatorId: operatorId(row.operator_id),
    sealedNote: row.sealed_note,
    writtenAt: row.written_at,
  }));
}
