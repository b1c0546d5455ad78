/** SQL on open hits, as tasks. */
import { merchantId, userId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { HitKind } from './hit.js';

const listTasks = statement(
  'task-store.list-hits',
  `SELECT hit.merchant_id, hit_id, hit.kind, list, score, hit.user_id,
          (SELECT waiting.case_id FROM kyc_cases AS waiting
            WHERE waiting.merchant_id = hit.merchant_id AND waiting.user_id = hit.user_id
              AND (waiting.state = 'IN_REVIEW' OR waiting.renewal_state = 'IN_REVIEW')
            ORDER BY waiting.updated_at DESC LIMIT 1) AS case_id, (extract(epoch FROM found_at) * 1000000)::bigint::text AS at_micros
     FROM screening_hits AS hit
    WHERE state = 'open'
      AND (found_at, hit_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR hit_id = $only)
    ORDER BY found_at, hit_id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  hit_id: string;
  kind: HitKind;
  list: string;
  score: number;
  user_id: bigint;
  case_id: string | null;
  at_micros: string;
}>();

export async function listHitTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { after, limit, only = null } = page;
  const rows = await database.query(listTasks, {
    sinceMicros: after.sinceMicros,
    afterId: after.id,
    limit,
    only,
  });
  return rows.map((row) => ({
    id: row.hit_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary:
      row.kind === 'sanction'
        ? `Dismiss or confirm a hit on the list ${row.list} with the score ${row.score}.`
        : `Find out whether a user is the politically exposed person on the list ${row.list} (score ${row.score}).`,
    path: `/operator/screening/hits/${row.hit_id}`,
    userId: userId(row.user_id),
    caseId: row.case_id ?? undefined,
  }));
}
