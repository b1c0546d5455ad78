/** SQL that lists attempts for operators, and counts them for the metrics. */
import { type MerchantId, storedPublicId } from '../../ids.js';
import type { OrderId } from '../../orders/order.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import { type AttemptRow, attemptColumns, toAttempt } from '../row.js';
import { unknownIsTaskAfterSeconds } from '../sending/schedule.js';
import type { AttemptState } from '../transitions.js';

const filters = `($2::text IS NULL OR rail = $2) AND state = ANY ($3)
   AND (created_at, attempt_id) > ($4::timestamptz, $5)`;
const pageOfAll = statement<AttemptRow>(
  'payout-listing-store.page-of-all',
  `SELECT ${attemptColumns} FROM payout_attempts
    WHERE $1::bigint IS NULL AND ${filters} ORDER BY created_at, attempt_id LIMIT $6`,
  { isPlannedEachTime: true },
);
const pageOfMerchant = statement<AttemptRow>(
  'payout-listing-store.page-of-merchant',
  `SELECT ${attemptColumns} FROM payout_attempts
    WHERE merchant_id = $1 AND ${filters} ORDER BY created_at, attempt_id LIMIT $6`,
  { isPlannedEachTime: true },
);
const countUnfinished = statement<{ state: AttemptState; count: number; oldest_seconds: number }>(
  'payout-listing-store.count-unfinished',
  `SELECT state, count(*)::int AS count,
          extract(epoch FROM statement_timestamp() - min(changed_at))::float8 AS oldest_seconds
     FROM payout_attempts WHERE state IN ('READY', 'SENDING', 'ACCEPTED', 'UNKNOWN') GROUP BY state`,
);
const listUnknownOrders = statement<{ order_id: string }>(
  'payout-listing-store.list-unknown-orders',
  `SELECT order_id FROM payout_attempts
    WHERE order_id IS NOT NULL AND state IN ('SENDING', 'UNKNOWN') AND changed_at <= statement_timestamp() - make_interval(secs => $1)
    ORDER BY changed_at, attempt_id LIMIT $2`,
);

export interface AttemptPlace {
  readonly createdAt: Date;
  readonly attemptId: string;
}

export interface AttemptFilter {
  readonly merchantId: MerchantId | undefined;
  readonly rail: string | undefined;
  readonly states: readonly AttemptState[];
}

/** The oldest first, from after `place` on. */
export async function listAttempts(
  database: Queryable,
  { merchantId, rail, states }: AttemptFilter,
  place: AttemptPlace | undefined,
  limit: number,
): Promise<Attempt[]> {
  const page = merchantId === undefined ? pageOfAll : pageOfMerchant;
  const { createdAt, attemptId } = place ?? { createdAt: new Date(0), attemptId: '' };
  const values = [merchantId ?? null, rail ?? null, states, createdAt, attemptId, limit];
  return (await database.query(page, values)).map(toAttempt);
}

export interface UnfinishedCount {
  readonly state: AttemptState;
  readonly count: number;
  /** How long the oldest has been in this state. */
  readonly oldestSeconds: number;
}

export async function countUnfinishedAttempts(database: Queryable): Promise<UnfinishedCount[]> {
  const rows = await database.query(countUnfinished);
  return rows.map(({ state, count, oldest_seconds }) => ({ state, count, oldestSeconds: oldest_seconds }));
}

/** Orders with a payment of which nobody has been able to say for a while what became of it, the oldest first. */
export async function listOrdersWithoutOutcome(database: Queryable, atMost: number): Promise<OrderId[]> {
  const rows = await database.query(listUnknownOrders, [unknownIsTaskAfterSeconds, atMost]);
  return rows.map(({ order_id }) => storedPublicId('ord', order_id));
}
