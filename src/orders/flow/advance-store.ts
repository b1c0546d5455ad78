/**
 * SQL of the line of orders that the worker moves on. `try_at` is the lease of a worker, or the end of a pause. It is real
 * time; the sender's right to cancel ends by the merchant's clock.
 */
import { type MerchantId, merchantId } from '../../ids.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Order } from '../order.js';
import type { Obstacle } from '../pending.js';
import { type OrderRow, orderColumns, toOrder } from '../row.js';

const isFree = '(try_at IS NULL OR try_at <= statement_timestamp())';
/** The states repeat the condition of the index. */
const isInLine = `state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED')
      AND (state <> 'ACTION_REQUIRED'
           OR cancellation_requested_at IS NOT NULL AND information_resumes_at IS DISTINCT FROM 'IN_REVIEW')
      AND ${isFree}`;
const isRightOver = `(state <> 'PAYMENT_RECEIVED' OR cancellable_until IS NULL OR cancellable_until <= ${merchantNow})`;

const listMerchants = statement<{ merchant_id: bigint }>(
  'advance-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM (
     SELECT orders.merchant_id FROM orders LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = orders.merchant_id
      WHERE ${isInLine}
        AND (state <> 'PAYMENT_RECEIVED' OR cancellable_until IS NULL
             OR cancellable_until <= ${nowByClock})
      LIMIT $1) AS due
   UNION
   SELECT merchant_id FROM (
     SELECT merchant_id FROM orders WHERE retries_payout AND ${isFree} LIMIT $1) AS corrected`,
);
const lockDue = statement<OrderRow>(
  'advance-store.lock-due',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $1 AND ${isInLine} AND ${isRightOver}
    ORDER BY try_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED`,
);
const lockCorrected = statement<OrderRow>(
  'advance-store.lock-corrected',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $1 AND retries_payout AND ${isFree}
    ORDER BY try_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED`,
);
const lease = statement(
  'advance-store.lease',
  `UPDATE orders SET try_at = statement_timestamp() + make_interval(secs => $3)
    WHERE merchant_id = $1 AND order_id = ANY ($2)`,
);
const pauseUnchanged = statement(
  'advance-store.pause',
  `UPDATE orders SET waits_for = $4, try_at = statement_timestamp() + make_interval(secs => $5)
     FROM unnest($2::text[], $3::int[]) AS seen (order_id, version)
    WHERE orders.merchant_id = $1 AND orders.order_id = seen.order_id AND orders.version = seen.version`,
);
const findOldest = statement<{ seconds: number }>(
  'advance-store.find-oldest',
  `SELECT extract(epoch FROM statement_timestamp() - min(updated_at))::float8 AS seconds FROM orders
    WHERE ${isInLine} AND cancellable_until IS NULL`,
);

/** Merchants with orders that can be moved on now. */
export async function listMerchantsInLine(database: Queryable, ordersRead: number): Promise<MerchantId[]> {
  return (await database.query(listMerchants, [ordersRead])).map((row) => merchantId(row.merchant_id));
}

/** Takes orders of the merchant that no other worker has. They are free again when the lease ends. */
export async function claimOrders(
  tx: Transaction,
  merchant: MerchantId,
  { atMost, seconds }: { readonly atMost: number; readonly seconds: number },
): Promise<Order[]> {
  const due = await tx.query(lockDue, [merchant, atMost]);
  const rows = [...due, ...(await tx.query(lockCorrected, [merchant, atMost]))];
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.order_id);
  await tx.query(lease, [merchant, ids, seconds]);
  return rows.map((row) => toOrder(merchant, row));
}

/** These orders of a merchant wait, and are tried again after so many seconds. Nothing happens to one that has changed. */
export async function pauseOrders(
  tx: Transaction,
  merchant: MerchantId,
  orders: readonly Pick<Order, 'orderId' | 'version'>[],
  { obstacle, seconds }: { readonly obstacle: Obstacle | undefined; readonly seconds: number },
): Promise<void> {
  const ids = orders.map(({ orderId }) => orderId);
  const versions = orders.map(({ version }) => version);
  await tx.query(pauseUnchanged, [merchant, ids, versions, obstacle ?? null, seconds]);
}

/** How long the oldest order has waited; 0 when none waits. */
export async function oldestInLineSeconds(database: Queryable): Promise<number> {
  return Math.max(0, (await database.query(findOldest))[0]?.seconds ?? 0);
}
