/** SQL on the reviews under way of all merchants: the queue of operators, and their tasks. */
import { merchantId, storedPublicId, userId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { ReviewReason } from '../order/gate.js';
import type { OrderRef } from '../order/order.js';

interface QueueRow {
  merchant_id: bigint;
  order_id: string;
  reasons: ReviewReason[];
  opened_at: Date;
  at_micros: string;
}
const micros = '(extract(epoch FROM review.opened_at) * 1000000)::bigint::text AS at_micros';
/** A review that nobody decided, because the money was taken back meanwhile, is not under way. */
const underWay = `order_reviews AS review
     JOIN orders ON orders.merchant_id = review.merchant_id AND orders.order_id = review.order_id
    WHERE review.decision IS NULL
      AND (review.opened_at,
        review.order_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)`;

const listUnderWay = statement(
  'queue-store.page-of-order-reviews',
  `SELECT review.merchant_id, review.order_id, review.reasons, review.opened_at, ${micros} FROM ${underWay}
      AND (orders.state IN ('IN_REVIEW', 'FROZEN')
           OR orders.state = 'ACTION_REQUIRED' AND orders.information_resumes_at = 'IN_REVIEW')
    ORDER BY review.opened_at, review.order_id LIMIT $limit`,
).rows<QueueRow>();
const listTasks = statement(
  'queue-store.list-order-reviews',
  `SELECT review.merchant_id, review.order_id, review.reasons, orders.user_id, orders.fiat_in,
          orders.amount_received_minor, ${micros} FROM ${underWay}
      AND orders.state = 'IN_REVIEW' AND ($only::text IS NULL OR review.order_id = $only)
    ORDER BY review.opened_at, review.order_id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  order_id: string;
  reasons: string[];
  user_id: bigint;
  fiat_in: CurrencyCode;
  amount_received_minor: bigint;
  at_micros: string;
}>();

/** The last review of a page: its time to the microsecond, and its order. */
export interface ReviewPlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface QueuedReview extends OrderRef {
  readonly reasons: readonly ReviewReason[];
  readonly openedAt: Date;
  readonly place: ReviewPlace;
}

/** The oldest first, also those that wait for information or are frozen. */
export async function listReviewsUnderWay(
  database: Queryable,
  after: ReviewPlace | undefined,
  atMost: number,
): Promise<QueuedReview[]> {
  const rows = await database.query(listUnderWay, {
    sinceMicros: after?.atMicros ?? '0',
    afterId: after?.id ?? '',
    limit: atMost,
  });
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    orderId: storedPublicId('ord', row.order_id),
    reasons: row.reasons,
    openedAt: row.opened_at,
    place: { atMicros: row.at_micros, id: row.order_id },
  }));
}

/** Only those that an operator can decide now. */
export async function listReviewTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { after, limit, only = null } = page;
  const rows = await database.query(listTasks, {
    sinceMicros: after.sinceMicros,
    afterId: after.id,
    limit,
    only,
  });
  return rows.map((row) => ({
    id: row.order_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: `Approve or refuse an order in review: ${row.reasons.join(', ')}.`,
    path: `/operator/orders/${row.order_id}/review`,
    amount: amount(row.fiat_in, row.amount_received_minor),
    orderId: row.order_id,
    userId: userId(row.user_id),
  }));
}
