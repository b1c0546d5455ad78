/**
 * SQL of the orders that the worker moves on. `try_at` is the lease of a worker, or the end of a pause. It is real
 * time; the sender's right to cancel ends by the merchant's clock.
 */
import { type MerchantId, merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import type { Obstacle } from '../order/pending.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';

const isFree = '(try_at IS NULL OR try_at <= statement_timestamp())';
/** The states repeat the condition of the index. */
const isDue = `state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED')
      AND (state <> 'ACTION_REQUIRED'
           OR cancellation_requested_at IS NOT NULL AND information_resumes_at IS DISTINCT FROM 'IN_REVIEW')
      AND ${isFree}`;

const listMerchants = statement(
  'advance-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM (
     SELECT orders.merchant_id FROM orders LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = orders.merchant_id
      WHERE ${isDue}
        AND (state <> 'PAYMENT_RECEIVED' OR cancellable_until IS NULL
             OR cancellable_until <= ${nowByClock})
      LIMIT $ordersRead) AS due
   UNION
   SELECT merchant_id FROM (
     SELECT merchant_id FROM orders WHERE retries_payout AND ${isFree} LIMIT $ordersRead) AS corrected`,
).rows<{ merchant_id: bigint }>();
/** One branch for each index. */
const claimDue = statement(
  'advance-store.claim',
  `UPDATE orders SET try_at = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId
      AND order_id = ANY (
        ARRAY(SELECT order_id FROM orders
               WHERE merchant_id = $merchantId AND ${isDue}
                 AND (state <> 'PAYMENT_RECEIVED' OR cancellable_until IS NULL OR cancellable_until <= ${merchantNow})
               ORDER BY try_at NULLS FIRST LIMIT $atMost FOR UPDATE SKIP LOCKED)
        || ARRAY(SELECT order_id FROM orders
                  WHERE merchant_id = $merchantId AND retries_payout AND ${isFree}
                  ORDER BY try_at NULLS FIRST LIMIT $atMost FOR UPDATE SKIP LOCKED))
   RETURNING ${orderColumns}`,
).rows<OrderRow>();
const pauseUnchanged = statement(
  'advance-store.pause',
  `UPDATE orders SET waits_for = $obstacle, try_at = statement_timestamp() + make_interval(secs => $seconds)
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version`,
);
const findOldest = statement(
  'advance-store.find-oldest',
  `SELECT extract(epoch FROM statement_timestamp() - min(updated_at))::float8 AS seconds FROM orders
    WHERE ${isDue} AND cancellable_until IS NULL`,
).rows<{ seconds: number }>();

/** Merchants with orders that can be moved on now. */
export async function listMerchantsWithDueOrders(database: Queryable, ordersRead: number): Promise<MerchantId[]> {
  return (await database.query(listMerchants, { ordersRead })).map((row) => merchantId(row.merchant_id));
}

/** Takes orders of the merchant that no other worker has. They are free again when the lease ends. */
export async function claimOrders(
  database: Database,
  merchant: MerchantId,
  { atMost, leaseSeconds }: { readonly atMost: number; readonly leaseSeconds: number },
): Promise<Order[]> {
  const rows = await database.write(claimDue, { merchantId: merchant, atMost, leaseSeconds });
  return rows.map((row) => toOrder(merchant, row));
}

/** The order waits, and is tried again after so many seconds. Nothing happens to one that has changed. */
export async function pauseOrder(
  database: Database,
  { merchantId, orderId, version }: Order,
  { obstacle, seconds }: { readonly obstacle: Obstacle | undefined; readonly seconds: number },
): Promise<void> {
  const values = { merchantId, orderId, version, obstacle: obstacle ?? null, seconds };
  await database.write(pauseUnchanged, values);
}

/** How long the oldest order has waited; 0 when none waits. */
export async function oldestDueSeconds(database: Queryable): Promise<number> {
  return Math.max(0, (await database.query(findOldest))[0]?.seconds ?? 0);
}
