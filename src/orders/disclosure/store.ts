/** SQL on the disclosures that senders accepted with their orders. */
import type { Locale } from '../../locale.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderRef } from '../order/order.js';

const insert = statement(
  'disclosure.insert',
  `INSERT INTO order_disclosures (merchant_id, order_id, language, text_hash, sealed_disclosure, accepted_at)
   VALUES ($merchantId, $orderId, $language, $textHash, $sealedDisclosure, $acceptedAt)`,
);
const find = statement(
  'disclosure.find',
  `SELECT sealed_disclosure, accepted_at FROM order_disclosures
    WHERE merchant_id = $merchantId AND order_id = $orderId`,
).rows<{ sealed_disclosure: Buffer; accepted_at: Date }>();

export interface StoredDisclosure {
  readonly sealedDisclosure: Buffer;
  readonly acceptedAt: Date;
}

export async function addDisclosure(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  { language, textHash, ...stored }: StoredDisclosure & { readonly language: Locale; readonly textHash: string },
): Promise<void> {
  await tx.query(insert, { merchantId, orderId, language, textHash, ...stored });
}

export async function findDisclosure(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<StoredDisclosure | undefined> {
  const [row] = await database.query(find, { merchantId, orderId });
  return row && { sealedDisclosure: row.sealed_disclosure, acceptedAt: row.accepted_at };
}
