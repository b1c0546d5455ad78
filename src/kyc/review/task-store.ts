/** SQL on the cases that wait for a reviewer, as tasks. */
import { merchantId, userId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { KycLevel, Zone } from '../cases/case.js';

interface TaskRow {
  merchant_id: bigint;
  case_id: string;
  level: KycLevel;
  zone: Zone;
  is_renewal: boolean;
  user_id: bigint;
  at_micros: string;
}
const columns = `merchant_id, case_id, user_id, level, zone, renewal_state IS NOT NULL AS is_renewal, updated_at,
  (extract(epoch FROM updated_at) * 1000000)::bigint::text AS at_micros`;
const isOnPage = `closed_at IS NULL
      AND (updated_at, case_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR case_id = $only)`;
/** Two index scans in order, merged. A case and its renewal are never in the same state. */
const listTasks = statement(
  'task-store.list-reviews',
  `(SELECT ${columns} FROM kyc_cases WHERE state = 'IN_REVIEW' AND ${isOnPage}
     ORDER BY updated_at, case_id LIMIT $limit)
   UNION ALL
   (SELECT ${columns} FROM kyc_cases WHERE renewal_state = 'IN_REVIEW' AND ${isOnPage}
     ORDER BY updated_at, case_id LIMIT $limit)
   ORDER BY updated_at, case_id LIMIT $limit`,
).rows<TaskRow>();

export async function listReviewTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { after, limit, only = null } = page;
  const rows = await database.query(listTasks, {
    sinceMicros: after.sinceMicros,
    afterId: after.id,
    limit,
    only,
  });
  return rows.map((row) => ({
    id: row.case_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary: `Decide ${row.is_renewal ? 'the renewal of ' : ''}a ${row.level} case in ${row.zone}.`,
    path: `/operator/kyc/${row.case_id}`,
    userId: userId(row.user_id),
    caseId: row.case_id,
  }));
}
