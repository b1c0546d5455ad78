/** SQL on what senders answered, always within one merchant. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderRef } from '../order/order.js';

const insertAnswers = statement(
  'information.insert-answers',
  `INSERT INTO order_answers (merchant_id, order_id, version, sealed_answers)
     VALUES ($merchantId, $orderId, $version, $sealedAnswers)`,
);
const listAnswers = statement(
  'information.list-answers',
  `SELECT version, sealed_answers, provided_at FROM order_answers
    WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY version`,
).rows<{ version: number; sealed_answers: Buffer; provided_at: Date }>();

export interface SealedAnswers {
  /** The version of the order after the answers came. */
  readonly version: number;
  readonly sealedAnswers: Buffer;
}

export async function addAnswers(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  { version, sealedAnswers }: SealedAnswers,
): Promise<void> {
  await tx.query(insertAnswers, { merchantId, orderId, version, sealedAnswers });
}

/** The oldest first. */
export async function listAnswersOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<(SealedAnswers & { readonly providedAt: Date })[]> {
  const rows = await database.query(listAnswers, { merchantId, orderId });
  return rows.map((row) => ({
    version: row.version,
    sealedAnswers: row.sealed_answers,
    providedAt: row.provided_at,
  }));
}
