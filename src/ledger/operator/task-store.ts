/** SQL on ledgers with a fault, as tasks. */
import { tenantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';

const listTasks = statement(
  'task-store.list-ledger-faults',
  `SELECT merchant_id, fault, (extract(epoch FROM fault_at) * 1000000)::bigint::text AS at_micros
     FROM ledgers
    WHERE fault IS NOT NULL
      AND (fault_at, merchant_id::text) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond',
        $afterId)
      AND ($only::text IS NULL OR merchant_id::text = $only)
    ORDER BY fault_at, merchant_id::text LIMIT $limit`,
).rows<{ merchant_id: bigint; fault: string; at_micros: string }>();

export async function listLedgerFaultTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: String(row.merchant_id),
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Examine the ledger: ${row.fault}. New orders, payouts and refunds are stopped.`,
    path: '/operator/ledger',
  }));
}
