/**
 * SQL that finds orders of all merchants that have not moved although they should have. Times are by each merchant's
 * clock.
 */
import { merchantId } from '../../../ids.js';
import { nowByClock } from '../../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { OrderPlace } from '../../api/listing/store.js';
import type { OrderId } from '../../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../../order/row.js';
import type { StuckOrder, StuckReason } from './stuck.js';

/** The worker moves an order on within seconds. */
const patienceMinutes = 10;

/** The states repeat the condition of the index. */
const listStuck = statement(
  'stuck-store.page',
  `SELECT * FROM (
     SELECT merchant_id, ${orderColumns},
            CASE WHEN state = 'PAYOUT_FAILED' THEN 'payout_failed'
                 WHEN state = 'RETURNED' THEN 'payout_returned'
                 WHEN state = 'REFUND_FAILED' THEN 'refund_failed'
                 WHEN state IN ('PAYOUT_SUBMITTED', 'REFUND_PENDING') AND order_id = ANY ($unknown)
                   THEN 'outcome_unknown'
                 WHEN state = 'REFUND_PENDING' THEN CASE WHEN refund_due_by <= now THEN 'refund_overdue' END
                 WHEN state = 'PAYOUT_SUBMITTED' THEN CASE WHEN estimated_arrival_at <= now
                   THEN 'payout_overdue' END
                 WHEN waits_for IS NOT NULL THEN waits_for
                 WHEN greatest(updated_at,
                   cancellable_until) <= now - make_interval(mins => $patienceMinutes) THEN 'not_moved_on'
            END AS reason
       FROM (SELECT orders.*, ${nowByClock} AS now
               FROM orders LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = orders.merchant_id
              WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'PAYOUT_SUBMITTED', 'PAYOUT_FAILED',
                'RETURNED',
                              'REFUND_PENDING', 'REFUND_FAILED')
                AND (orders.updated_at, orders.order_id) > ($afterAt, $orderId)) AS watched) AS judged
    WHERE reason IS NOT NULL ORDER BY updated_at, order_id LIMIT $limit`,
).rows<OrderRow & { merchant_id: bigint; reason: StuckReason }>();

/** The one that has not moved for longest first. `unknown`: orders with a payment whose outcome nobody knows. */
export async function listStuckOrders(
  database: Queryable,
  { after, limit }: { readonly after: OrderPlace | undefined; readonly limit: number },
  unknown: readonly OrderId[],
): Promise<StuckOrder[]> {
  return (
    await database.query(listStuck, {
      afterAt: after?.at ?? '-infinity',
      orderId: after?.orderId ?? '',
      limit,
      patienceMinutes,
      unknown,
    })
  ).map((row) => ({
    order: toOrder(merchantId(row.merchant_id), row),
    reason: row.reason,
  }));
}
