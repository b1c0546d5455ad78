/** SQL on orders that wait for an operator because money did not arrive, as tasks. */
import { merchantId, userId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { OrderState } from '../order/transitions.js';

interface OrderTask {
  merchant_id: bigint;
  order_id: string;
  state: OrderState;
  status_reason: string | null;
  user_id: bigint;
  fiat_in: CurrencyCode;
  received_minor: bigint;
  refund_due_by: Date | null;
  at_micros: string;
}

const columns = `orders.merchant_id, order_id, state, status_reason, user_id, fiat_in, refund_due_by,
          amount_received_minor - amount_refunded_minor - amount_kept_minor AS received_minor,
          (extract(epoch FROM orders.updated_at) * 1000000)::bigint::text AS at_micros`;
const isOnPage =
  `(orders.updated_at, order_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR order_id = $only)
    ORDER BY orders.updated_at, order_id LIMIT $limit` as const;
/** The worker tries again what the sender has corrected. The states repeat the condition of the index. */
const listPayouts = statement(
  'task-store.list-failed-payouts',
  `SELECT ${columns} FROM orders
    WHERE state IN ('PAYOUT_FAILED', 'RETURNED') AND NOT retries_payout AND ${isOnPage}`,
).rows<OrderTask>();
/** `refund_due_by` is by the merchant's clock. */
const listRefunds = statement(
  'task-store.list-failed-refunds',
  `SELECT ${columns} FROM orders LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = orders.merchant_id
    WHERE state IN ('REFUND_PENDING', 'REFUND_FAILED')
      AND (state = 'REFUND_FAILED' OR refund_due_by <= statement_timestamp() + coalesce(clock.ahead, interval '0'))
      AND ${isOnPage}`,
).rows<OrderTask>();

const listFrozen = statement(
  'task-store.list-frozen-orders',
  `SELECT ${columns} FROM orders WHERE state = 'FROZEN' AND ${isOnPage}`,
).rows<OrderTask>();

/** Orders whose money must not move. */
export async function listFrozenOrders(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listFrozen, valuesOf(page));
  return rows.map((row) => taskOf(row, 'Report frozen money to the authority, and release it when that is allowed.'));
}

/** Payouts that failed or came back. */
export async function listFailedPayouts(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listPayouts, valuesOf(page));
  return rows.map((row) => {
    const what = row.state === 'RETURNED' ? 'came back' : 'failed';
    const why = row.status_reason ?? 'no reason given';
    return taskOf(row, `Decide about a payout that ${what} (${why}): ask for a correction, retry or refund.`);
  });
}

/** Refunds that failed, or that should have been paid by now. */
export async function listFailedRefunds(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listRefunds, valuesOf(page));
  return rows.map((row) => ({
    ...taskOf(
      row,
      row.state === 'REFUND_FAILED'
        ? 'Retry a refund that failed, to the same or to another account of the sender.'
        : 'Find out why a refund that is due was not paid.',
    ),
    dueAt: row.refund_due_by ?? undefined,
  }));
}

function valuesOf({ after: { sinceMicros, id: afterId }, limit, only }: TaskPage) {
  return { sinceMicros, afterId, limit, only: only ?? null };
}

function taskOf(row: OrderTask, summary: string): Task {
  return {
    id: row.order_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary,
    path: `/operator/orders/${row.order_id}`,
    amount: amount(row.fiat_in, row.received_minor),
    orderId: row.order_id,
    userId: userId(row.user_id),
  };
}
