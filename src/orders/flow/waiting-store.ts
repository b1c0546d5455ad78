/** SQL on orders that wait because operators paused their rail, corridor or merchant. */
import { type MerchantId, merchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Obstacle } from '../order/pending.js';

/** The states repeat the condition of the index. */
const isWaiting = `state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED')
      AND try_at > statement_timestamp()`;

const listMerchants = statement(
  'waiting-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM orders WHERE waits_for = ANY ($obstacles) AND ${isWaiting}`,
).rows<{ merchant_id: bigint }>();
const endPauses = statement(
  'waiting-store.end-pauses',
  `UPDATE orders SET try_at = NULL WHERE merchant_id = $merchantId AND waits_for = ANY ($obstacles) AND ${isWaiting}`,
);

export async function listMerchantsWaitingFor(
  database: Queryable,
  obstacles: readonly Obstacle[],
): Promise<MerchantId[]> {
  return (await database.query(listMerchants, { obstacles })).map((row) => merchantId(row.merchant_id));
}

/** The orders of the merchant that wait for one of these are tried at once. */
export async function endPausesOf(
  tx: Transaction,
  merchant: MerchantId,
  obstacles: readonly Obstacle[],
): Promise<void> {
  await tx.query(endPauses, { merchantId: merchant, obstacles });
}
