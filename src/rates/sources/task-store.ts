/** SQL on held rates, as tasks. */
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

const listTasks = statement(
  'task-store.list-held-rates',
  `SELECT id, what, (extract(epoch FROM held_at) * 1000000)::bigint::text AS at_micros
     FROM (SELECT 'figure-' || source || '-' || currency AS id, currency || ' from ' || source AS what, held_at
             FROM rate_quarantine
           UNION ALL
           SELECT 'corridor-' || fiat_in || '-' || fiat_out, 'the corridor ' || fiat_in || ' to ' || fiat_out,
             held_at
             FROM corridor_rates WHERE held_at IS NOT NULL) AS held
    WHERE (held_at, id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR id = $only)
    ORDER BY held_at, id LIMIT $limit`,
).rows<{ id: string; what: string; at_micros: string }>();

export async function listHeldRateTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Accept or reject the held rate of ${row.what}.`,
    path: '/operator/rates',
  }));
}
