/**
 * SQL that finds orders of all merchants that have not moved although they should have. Times are by each merchant's
 * clock.
 */
import { merchantId } from '../../../ids.js';
import { nowByClock } from '../../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../../tasks/task.js';
import type { OrderPlace } from '../../api/listing/store.js';
import type { OrderId } from '../../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../../order/row.js';
import type { StuckOrder, StuckReason } from './stuck.js';

/** The worker moves an order on within seconds. */
const patienceMinutes = 10;

/** The states repeat the condition of the index. */
const judged = `SELECT merchant_id, ${orderColumns}, now,
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
                AND (orders.updated_at, orders.order_id) > ($afterAt, $orderId)) AS watched` as const;
const listStuck = statement(
  'stuck-store.page',
  `SELECT * FROM (${judged}) AS judged WHERE reason IS NOT NULL ORDER BY updated_at, order_id LIMIT $limit`,
).rows<OrderRow & { merchant_id: bigint; reason: StuckReason }>();

/**
 * Orders that wait for the same reason are one task: who removes it moves all of them on. What is decided order by
 * order has tasks of its own.
 */
const listTasks = statement(
  'stuck-store.list-tasks',
  `SELECT * FROM (
     SELECT merchant_id, reason, merchant_id || '.' || reason AS task_id, count(*)::int AS count,
            (extract(epoch FROM min(updated_at)) * 1000000)::bigint AS at_micros
       FROM (${judged}) AS judged
      WHERE reason = ANY ($reasons)
        AND (waits_for IS NULL OR updated_at <= now - make_interval(mins => $patienceMinutes))
      GROUP BY merchant_id, reason) AS waiting
    WHERE (at_micros, task_id) > ($sinceMicros::bigint, $afterId) AND ($only::text IS NULL OR task_id = $only)
    ORDER BY at_micros, task_id LIMIT $limit`,
).rows<{ merchant_id: bigint; reason: StuckReason; task_id: string; count: number; at_micros: bigint }>();
const reasonsOfTasks: readonly StuckReason[] = [
  'no_rail',
  'rail_paused',
  'corridor_paused',
  'merchant_paused',
  'screening_lists',
  'ledger_fault',
  'not_moved_on',
  'payout_overdue',
];

export async function listStuckTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const all = { afterAt: '-infinity', orderId: '', unknown: [] };
  const rows = await database.query(listTasks, {
    ...pageValues(page),
    ...all,
    reasons: reasonsOfTasks,
    patienceMinutes,
  });
  return rows.map((row) => ({
    id: row.task_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: row.at_micros,
    summary: `Find out why ${row.count === 1 ? 'an order does' : `${row.count} orders do`} not move on: ${row.reason}.`,
    path: '/operator/orders/stuck',
    count: row.count,
  }));
}

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
