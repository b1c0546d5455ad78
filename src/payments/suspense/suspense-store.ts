/** SQL on suspense records. */
import { storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { SuspenseReason } from '../payment.js';
import type { SuspenseId, SuspenseRecord } from './suspense.js';

interface SuspenseRow {
  merchant_id: bigint;
  suspense_id: string;
  payment_id: string;
  reason: SuspenseReason;
  currency: CurrencyCode;
  amount_minor: bigint;
  order_id: string | null;
  opened_at: Date;
}
type PlacedRow = SuspenseRow & { at_micros: string };

const columns = 'merchant_id, suspense_id, payment_id, reason, currency, amount_minor, order_id, opened_at';
const atMicros = '(extract(epoch FROM opened_at) * 1000000)::bigint::text AS at_micros';

const insertRecord = statement<SuspenseRow>(
  'suspense-store.insert',
  `INSERT INTO suspense_records (merchant_id, suspense_id, payment_id, reason, currency, amount_minor, order_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
);
const findById = statement<SuspenseRow>(
  'suspense-store.find',
  `SELECT ${columns} FROM suspense_records WHERE merchant_id = $1 AND suspense_id = $2`,
);
const listPage = statement<PlacedRow>(
  'suspense-store.page',
  `SELECT ${columns}, ${atMicros} FROM suspense_records
    WHERE (opened_at, suspense_id) > (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2)
      AND ($3::bigint IS NULL OR merchant_id = $3) AND ($4::text IS NULL OR reason = $4)
      AND ($5::text IS NULL OR currency = $5)
    ORDER BY opened_at, suspense_id LIMIT $6`,
  { isPlannedEachTime: true },
);
const listTasks = statement<PlacedRow>(
  'suspense-store.list-tasks',
  `SELECT ${columns}, ${atMicros} FROM suspense_records
    WHERE (opened_at, suspense_id) > (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2)
      AND ($4::text IS NULL OR suspense_id = $4)
    ORDER BY opened_at, suspense_id LIMIT $3`,
);
const countByReason = statement<{ reason: string; count: number; oldest_seconds: number }>(
  'suspense-store.count-by-reason',
  `SELECT reason, count(*)::int AS count,
          extract(epoch FROM statement_timestamp() - min(opened_at))::float8 AS oldest_seconds
     FROM suspense_records GROUP BY reason`,
);

export type NewSuspense = Omit<SuspenseRecord, 'openedAt'>;

export async function addSuspense(tx: Transaction, record: NewSuspense): Promise<SuspenseRecord> {
  const { ownerId, suspenseId, paymentId, reason, amount: held, orderId } = record;
  const values = [ownerId, suspenseId, paymentId, reason, held.currency, held.minor, orderId ?? null];
  const [row] = await tx.query(insertRecord, values);
  if (!row) throw new Error('the suspense record was not inserted');
  return toRecord(row);
}

export async function findSuspense(
  database: Queryable,
  ownerId: TenantId,
  suspenseId: SuspenseId,
): Promise<SuspenseRecord | undefined> {
  const [row] = await database.query(findById, [ownerId, suspenseId]);
  return row && toRecord(row);
}

export interface SuspensePlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface SuspenseFilter {
  readonly ownerId: TenantId | undefined;
  readonly reason: SuspenseReason | undefined;
  readonly currency: string | undefined;
}

export interface PlacedSuspense {
  readonly record: SuspenseRecord;
  readonly place: SuspensePlace;
}

/** The oldest first, beginning after the place. */
export async function listSuspense(
  database: Queryable,
  { ownerId, reason, currency }: SuspenseFilter,
  { after, limit }: { readonly after: SuspensePlace | undefined; readonly limit: number },
): Promise<PlacedSuspense[]> {
  const from = [after?.atMicros ?? '0', after?.id ?? ''];
  const values = [...from, ownerId ?? null, reason ?? null, currency ?? null, limit];
  const rows = await database.query(listPage, values);
  return rows.map((row) => ({
    record: toRecord(row),
    place: { atMicros: row.at_micros, id: row.suspense_id },
  }));
}

export async function listSuspenseTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { after, limit, only = null } = page;
  const rows = await database.query(listTasks, [after.sinceMicros, after.id, limit, only]);
  return rows.map((row) => ({
    id: row.suspense_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Find out what a payment in ${row.currency} is for: ${row.reason}.`,
    path: `/operator/suspense/${row.suspense_id}`,
  }));
}

/** How many records there are for each reason, and how old the oldest is. */
export async function countSuspense(
  database: Queryable,
): Promise<{ reason: string; count: number; oldestSeconds: number }[]> {
  const rows = await database.query(countByReason);
  return rows.map(({ reason, count, oldest_seconds }) => ({ reason, count, oldestSeconds: oldest_seconds }));
}

function toRecord(row: SuspenseRow): SuspenseRecord {
  return {
    ownerId: tenantId(row.merchant_id),
    suspenseId: storedPublicId('sus', row.suspense_id),
    paymentId: storedPublicId('pay', row.payment_id),
    reason: row.reason,
    amount: amount(row.currency, row.amount_minor),
    orderId: row.order_id === null ? undefined : storedPublicId('ord', row.order_id),
    openedAt: row.opened_at,
  };
}
