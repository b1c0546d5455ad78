/** SQL on blocks that are not applied yet, as tasks. */
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

/** The job does it within a minute, unless something fails. */
const listUnapplied = statement(
  'task-store.list-unapplied-blocks',
  `SELECT block_id, (extract(epoch FROM blocked_at) * 1000000)::bigint::text AS at_micros FROM blocks
    WHERE applied_at IS NULL AND state = 'active' AND blocked_at < statement_timestamp() - interval '5 minutes'
      AND (blocked_at, block_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR block_id = $only)
    ORDER BY blocked_at, block_id LIMIT $limit`,
).rows<{ block_id: string; at_micros: string }>();

export async function listUnappliedBlocks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listUnapplied, pageValues(page));
  return rows.map((row) => ({
    id: row.block_id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: 'Find out in the log why something of a blocked user is not frozen. Nothing of it leaves meanwhile.',
    path: `/operator/blocks/${row.block_id}`,
  }));
}
