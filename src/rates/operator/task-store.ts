/** SQL on held rates and failing sources, as tasks. */
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

const listTasks = statement(
  'task-store.list-held-rates',
  `SELECT id, summary, (extract(epoch FROM held_at) * 1000000)::bigint::text AS at_micros
     FROM (SELECT 'figure-' || source || '-' || currency AS id,
                  'Accept or reject the held rate of ' || currency || ' from ' || source || '.' AS summary, held_at
             FROM rate_quarantine
           UNION ALL
           SELECT 'corridor-' || fiat_in || '-' || fiat_out,
                  CASE held_because
                    WHEN 'changed' THEN 'Accept or reject the held rate of the corridor ' || fiat_in || ' to '
                                        || fiat_out || '.'
                    ELSE 'Find out which rate of the corridor ' || fiat_in || ' to ' || fiat_out || ' is right: '
                         || source || ' and ' || held_source || ' differ.' END,
                  held_at
             FROM corridor_rates WHERE held_at IS NOT NULL) AS held
    WHERE (held_at, id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR id = $only)
    ORDER BY held_at, id LIMIT $limit`,
).rows<{ id: string; summary: string; at_micros: string }>();
const listFailing = statement(
  'task-store.list-failing-sources',
  `SELECT source AS id, fault, (extract(epoch FROM failing_since) * 1000000)::bigint::text AS at_micros
     FROM rate_sources
    WHERE source = ANY ($sources::text[])
      AND failing_since <= statement_timestamp() - make_interval(mins => $afterMinutes)
      AND (failing_since, source) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR source = $only)
    ORDER BY failing_since, source LIMIT $limit`,
).rows<{ id: string; fault: string; at_micros: string }>();

export async function listHeldRateTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: row.summary,
    path: '/operator/rates',
  }));
}

/** A source is asked every ten minutes: a failure that is over by then needs nobody. */
const failingAfterMinutes = 60;

/** Of these sources, those that have failed for an hour. */
export async function listFailingSourceTasks(
  database: Queryable,
  page: TaskPage,
  sources: readonly string[],
): Promise<Task[]> {
  const rows = await database.query(listFailing, { ...pageValues(page), sources, afterMinutes: failingAfterMinutes });
  return rows.map(({ id, fault, at_micros }) => ({
    id,
    merchantId: undefined,
    sinceMicros: BigInt(at_micros),
    summary: `Repair the rate source ${id} (${fault}).`,
    path: '/operator/rates',
  }));
}
