/** SQL on urls that need an operator, as tasks. */
import { merchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

/** A url that has failed for a shorter time usually recovers by itself. */
const failingSeconds = 3600;

const listTasks = statement(
  'task-store.list-failing-endpoints',
  `SELECT merchant_id, channel, status, id, (extract(epoch FROM since) * 1000000)::bigint::text AS at_micros
     FROM (SELECT merchant_id, channel, status, merchant_id || '-' || channel AS id,
                  coalesce(failing_since, disabled_at) AS since
             FROM webhook_endpoints
            WHERE status = 'disabled' OR failing_since <= statement_timestamp() - make_interval(secs => $failingSeconds)) AS failing
    WHERE (since, id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR id = $only)
    ORDER BY since, id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  channel: string;
  status: 'active' | 'disabled';
  id: string;
  at_micros: string;
}>();

export async function listFailingEndpointTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, { ...pageValues(page), failingSeconds });
  return rows.map((row) => ({
    id: row.id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary:
      row.status === 'disabled'
        ? `The url for ${row.channel} events is disabled: tell the merchant, then enable it.`
        : `The url for ${row.channel} events keeps failing: tell the merchant.`,
    path: '/operator/webhooks',
  }));
}
