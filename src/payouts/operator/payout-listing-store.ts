/** SQL that lists attempts for operators, and counts them for the metrics. */
import { type MerchantId, storedPublicId } from '../../ids.js';
import type { OrderId } from '../../orders/order/order.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Attempt, Direction } from '../attempt.js';
import { unknownIsTaskAfterSeconds } from '../reports/asking.js';
import { type AttemptRow, attemptColumns, toAttempt } from '../row.js';
import type { AttemptState } from '../transitions.js';

const filters = `($rail::text IS NULL OR rail = $rail) AND state = ANY ($states)
   AND ($direction::text IS NULL OR direction = $direction) AND ($currency::text IS NULL OR currency = $currency)
   AND (NOT $isByHand::boolean OR due_at IS NULL)
   AND (created_at, attempt_id) > ($createdAt::timestamptz, $attemptId)` as const;
const pageOfAll = statement(
  'payout-listing-store.page-of-all',
  `SELECT ${attemptColumns} FROM payout_attempts
    WHERE $merchantId::bigint IS NULL AND ${filters} ORDER BY created_at, attempt_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<AttemptRow>();
const pageOfMerchant = statement(
  'payout-listing-store.page-of-merchant',
  `SELECT ${attemptColumns} FROM payout_attempts
    WHERE merchant_id = $merchantId AND ${filters} ORDER BY created_at, attempt_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<AttemptRow>();
const countUnfinished = statement(
  'payout-listing-store.count-unfinished',
  `SELECT state, count(*)::int AS count,
          extract(epoch FROM statement_timestamp() - min(changed_at))::float8 AS oldest_seconds
     FROM payout_attempts WHERE state IN ('READY', 'SENDING', 'ACCEPTED', 'UNKNOWN') GROUP BY state`,
).rows<{ state: AttemptState; count: number; oldest_seconds: number }>();
const listUnknownOrders = statement(
  'payout-listing-store.list-unknown-orders',
  `SELECT order_id FROM payout_attempts
    WHERE order_id IS NOT NULL AND state IN ('SENDING', 'UNKNOWN') AND changed_at <= statement_timestamp() - make_interval(secs => $seconds)
    ORDER BY changed_at, attempt_id LIMIT $limit`,
).rows<{ order_id: string }>();

export interface AttemptPlace {
  readonly createdAt: Date;
  readonly attemptId: string;
}

export interface AttemptFilter {
  readonly merchantId: MerchantId | undefined;
  readonly rail: string | undefined;
  readonly states: readonly AttemptState[];
  readonly direction: Direction | undefined;
  readonly currency: string | undefined;
  /** Only what people carry out: no worker asks about it. */
  readonly isByHand: boolean;
}

/** The oldest first, from after `place` on. */
export async function listAttempts(
  database: Queryable,
  { merchantId, rail, direction, currency, ...filter }: AttemptFilter,
  place: AttemptPlace | undefined,
  limit: number,
): Promise<Attempt[]> {
  const page = merchantId === undefined ? pageOfAll : pageOfMerchant;
  const { createdAt, attemptId } = place ?? { createdAt: new Date(0), attemptId: '' };
  const named = {
    merchantId: merchantId ?? null,
    rail: rail ?? null,
    direction: direction ?? null,
    currency: currency ?? null,
  };
  return (await database.query(page, { ...named, ...filter, createdAt, attemptId, limit })).map(toAttempt);
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
export async function listOrdersWithoutOutcome(database: Queryable, limit: number): Promise<OrderId[]> {
  const rows = await database.query(listUnknownOrders, { seconds: unknownIsTaskAfterSeconds, limit });
  return rows.map(({ order_id }) => storedPublicId('ord', order_id));
}
