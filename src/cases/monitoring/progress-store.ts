/** SQL on how far the rules have looked at the payments of each merchant. */
import { type MerchantId, merchantId } from '../../ids.js';
import type { MovementPlace } from '../../orders/movements/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

interface ProgressRow {
  seen_micros: bigint;
  seen_order: string;
  batch_size: number;
}

const listMerchants = statement(
  'progress-store.list-merchants',
  'SELECT merchant_id FROM merchants ORDER BY merchant_id',
).rows<{ merchant_id: bigint }>();
const insertOne = statement(
  'progress-store.insert',
  'INSERT INTO monitoring_progress (merchant_id) VALUES ($merchantId) ON CONFLICT DO NOTHING',
);
const claimOne = statement(
  'progress-store.claim',
  `UPDATE monitoring_progress
      SET claim = $claim, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = ANY (ARRAY(SELECT waiting.merchant_id FROM monitoring_progress AS waiting
       WHERE waiting.merchant_id = $merchantId
         AND (waiting.leased_until IS NULL OR waiting.leased_until <= statement_timestamp())
       FOR UPDATE SKIP LOCKED)) AND merchant_id = $merchantId
   RETURNING seen_micros, seen_order, batch_size`,
).rows<ProgressRow>();
const saveOne = statement(
  'progress-store.save',
  `UPDATE monitoring_progress
      SET seen_micros = $seenMicros, seen_order = $seenOrder, batch_size = $batchSize, failures = 0,
          failing_since = NULL, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId AND claim = $claim RETURNING merchant_id`,
).rows<{ merchant_id: bigint }>();
const releaseOne = statement(
  'progress-store.release',
  `UPDATE monitoring_progress SET claim = NULL, leased_until = NULL
    WHERE merchant_id = $merchantId AND claim = $claim`,
);
const failOne = statement(
  'progress-store.fail',
  `UPDATE monitoring_progress
      SET claim = NULL, failures = failures + 1, batch_size = $batchSize, failing_since = clock.since,
          leased_until = clock.at + make_interval(secs => $waitSeconds)
     FROM (SELECT statement_timestamp() AS at, coalesce(
             (SELECT earlier.failing_since FROM monitoring_progress AS earlier WHERE earlier.merchant_id = $merchantId),
             statement_timestamp()) AS since) AS clock
    WHERE merchant_id = $merchantId AND claim = $claim`,
);
const listTasks = statement(
  'progress-store.list-tasks',
  `SELECT merchant_id, failures, (extract(epoch FROM failing_since) * 1000000)::bigint::text AS at_micros
     FROM monitoring_progress
    WHERE failures >= $failuresToTell::int
      AND (failing_since, merchant_id::text) >
          (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR merchant_id::text = $only)
    ORDER BY failing_since, merchant_id::text LIMIT $limit`,
).rows<{ merchant_id: bigint; failures: number; at_micros: string }>();

export interface Progress {
  readonly merchantId: MerchantId;
  /** A result counts only while the row has it. */
  readonly claim: string;
  readonly seen: MovementPlace;
  readonly batchSize: number;
}

const leaseSeconds = 300;
/** One that fails once is tried again; one that keeps failing is a task for a person. */
const failuresToTell = 3;

export async function listMonitoredMerchants(database: Queryable): Promise<MerchantId[]> {
  return (await database.query(listMerchants)).map((row) => merchantId(row.merchant_id));
}

/** Undefined while another worker looks at this merchant, or shortly after a failure. */
export async function claimProgress(tx: Transaction, of: MerchantId, claim: string): Promise<Progress | undefined> {
  await tx.query(insertOne, { merchantId: of });
  const [row] = await tx.query(claimOne, { merchantId: of, claim, leaseSeconds });
  if (!row) return undefined;
  const seen = { micros: row.seen_micros, orderId: row.seen_order };
  return { merchantId: of, claim, seen, batchSize: row.batch_size };
}

/** Returns false when the lease has ended meanwhile, and another worker has taken over. */
export async function saveProgress(tx: Transaction, { merchantId: of, claim, seen, batchSize }: Progress) {
  const values = { merchantId: of, claim, seenMicros: seen.micros, seenOrder: seen.orderId, batchSize, leaseSeconds };
  return (await tx.query(saveOne, values)).length > 0;
}

export async function releaseProgress(tx: Transaction, { merchantId: of, claim }: Progress): Promise<void> {
  await tx.query(releaseOne, { merchantId: of, claim });
}

/** It is tried again later, with fewer payments at once. */
export async function failProgress(
  tx: Transaction,
  { merchantId: of, claim }: Progress,
  { batchSize, waitSeconds }: { readonly batchSize: number; readonly waitSeconds: number },
): Promise<void> {
  await tx.query(failOne, { merchantId: of, claim, batchSize, waitSeconds });
}

export async function listMonitoringTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, { ...pageValues(page), failuresToTell });
  return rows.map((row) => ({
    id: String(row.merchant_id),
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: `The payments of a merchant could not be monitored ${row.failures} times. The log says why.`,
    path: '/operator/monitoring/rules',
  }));
}
