/** SQL that lists suspense records for operators, and counts those that wait for one. */
import { type TenantId, tenantId } from '../../../ids.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../../tasks/task.js';
import type { SuspenseReason } from '../../payment.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from '../row.js';
import type { SuspenseRecord } from '../suspense.js';
import type { SuspenseState } from '../transitions.js';

type PlacedRow = SuspenseRow & { at_micros: string };

const atMicros = '(extract(epoch FROM opened_at) * 1000000)::bigint::text AS at_micros';
/** What waits for a person: nobody has decided, or what was decided did not work. */
const isWaiting = `state IN ('OPEN', 'REFUND_FAILED')`;
const afterPlace =
  `(opened_at, suspense_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)` as const;
const filters = `${afterPlace} AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
   AND ($reason::text IS NULL OR reason = $reason) AND ($currency::text IS NULL OR currency = $currency)` as const;

const pageOfWaiting = statement(
  'suspense-listing-store.page-of-waiting',
  `SELECT ${suspenseColumns}, ${atMicros} FROM suspense_records WHERE ${isWaiting} AND ${filters}
    ORDER BY opened_at, suspense_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<PlacedRow>();
const pageOfState = statement(
  'suspense-listing-store.page-of-state',
  `SELECT ${suspenseColumns}, ${atMicros} FROM suspense_records WHERE state = $state AND ${filters}
    ORDER BY opened_at, suspense_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<PlacedRow>();
const listTasks = statement(
  'suspense-listing-store.list-tasks',
  `SELECT ${suspenseColumns}, ${atMicros} FROM suspense_records
    WHERE (${isWaiting} OR state = 'FROZEN') AND ${afterPlace} AND ($only::text IS NULL OR suspense_id = $only)
    ORDER BY opened_at, suspense_id LIMIT $limit`,
).rows<PlacedRow>();
const countByReason = statement(
  'suspense-listing-store.count-by-reason',
  `SELECT reason, count(*)::int AS count,
          extract(epoch FROM statement_timestamp() - min(opened_at))::float8 AS oldest_seconds
     FROM suspense_records WHERE ${isWaiting} GROUP BY reason`,
).rows<{ reason: string; count: number; oldest_seconds: number }>();

export interface SuspensePlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface SuspenseFilter {
  readonly ownerId: TenantId | undefined;
  readonly reason: SuspenseReason | undefined;
  readonly currency: string | undefined;
  /** Absent: what waits for a person. */
  readonly state: SuspenseState | undefined;
}

export interface PlacedSuspense {
  readonly record: SuspenseRecord;
  readonly place: SuspensePlace;
}

/** The oldest first, beginning after the place. */
export async function listSuspense(
  database: Queryable,
  { ownerId, reason, currency, state }: SuspenseFilter,
  { after, limit }: { readonly after: SuspensePlace | undefined; readonly limit: number },
): Promise<PlacedSuspense[]> {
  const values = {
    sinceMicros: after?.atMicros ?? '0',
    afterId: after?.id ?? '',
    merchantId: ownerId ?? null,
    reason: reason ?? null,
    currency: currency ?? null,
    limit,
  };
  const rows =
    state === undefined
      ? await database.query(pageOfWaiting, values)
      : await database.query(pageOfState, { ...values, state });
  return rows.map((row) => ({
    record: toSuspense(row),
    place: { atMicros: row.at_micros, id: row.suspense_id },
  }));
}

export async function listSuspenseTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.suspense_id,
    amount: toSuspense(row).remaining,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary:
      row.state === 'OPEN'
        ? `Find out what a payment in ${row.currency} is for: ${row.reason}.`
        : `Find out where to pay back a payment in ${row.currency}: the refund failed.`,
    path: `/operator/suspense/${row.suspense_id}`,
  }));
}

/** How many records wait for a person, for each reason, and how old the oldest is. */
export async function countSuspense(
  database: Queryable,
): Promise<{ reason: string; count: number; oldestSeconds: number }[]> {
  const rows = await database.query(countByReason);
  return rows.map(({ reason, count, oldest_seconds }) => ({ reason, count, oldestSeconds: oldest_seconds }));
}
