/** SQL on confirmed hits whose person has other accounts: what those have is frozen by a job. */
import { type MerchantId, merchantId, storedPublicId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { HitId } from './hit.js';

export interface HitRef {
  readonly merchantId: MerchantId;
  readonly hitId: HitId;
}

const listDue = statement(
  'other-accounts-store.list-due',
  `SELECT merchant_id, hit_id FROM screening_hits
    WHERE state = 'confirmed' AND kind = 'sanction' AND applied_at IS NULL AND NOT hit_id = ANY ($skipped::text[])
    ORDER BY decided_at LIMIT 100`,
).rows<{ merchant_id: bigint; hit_id: string }>();
const markApplied = statement(
  'other-accounts-store.mark-applied',
  `UPDATE screening_hits SET applied_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND hit_id = $hitId AND applied_at IS NULL`,
);
/** The job does it within a minute, unless something fails. */
const listTasks = statement(
  'other-accounts-store.list-tasks',
  `SELECT merchant_id, hit_id, (extract(epoch FROM decided_at) * 1000000)::bigint::text AS at_micros
     FROM screening_hits
    WHERE state = 'confirmed' AND kind = 'sanction' AND applied_at IS NULL AND decided_at < statement_timestamp() - interval '5 minutes'
      AND (decided_at, hit_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR hit_id = $only)
    ORDER BY decided_at, hit_id LIMIT $limit`,
).rows<{ merchant_id: bigint; hit_id: string; at_micros: string }>();

export async function listHitsToApply(database: Queryable, skipped: readonly HitRef[]): Promise<HitRef[]> {
  const rows = await database.query(listDue, { skipped: skipped.map(({ hitId }) => hitId) });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), hitId: storedPublicId('hit', row.hit_id) }));
}

export async function saveApplied(database: Queryable, { merchantId: merchant, hitId }: HitRef): Promise<void> {
  await database.query(markApplied, { merchantId: merchant, hitId });
}

export async function listUnappliedHits(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.hit_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: 'Find out in the log why something of a person with a confirmed hit is not frozen at another account.',
    path: `/operator/screening/hits/${row.hit_id}`,
  }));
}
