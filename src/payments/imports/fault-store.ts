/** SQL on lines of imports that could not be recorded: their money is on the bank, and not in the books. */
import { type OperatorId, type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { ImportId } from './import.js';

const listTasks = statement(
  'fault-store.list-tasks',
  `SELECT * FROM (
     SELECT imported.merchant_id, imported.import_id, imported.account_id, sum(part.faults)::int AS faults,
            (extract(epoch FROM imported.created_at) * 1000000)::bigint AS at_micros
       FROM payment_import_parts AS part JOIN payment_imports AS imported
         ON imported.merchant_id = part.merchant_id AND imported.import_id = part.import_id
      WHERE part.faults > 0 AND imported.settled_at IS NULL
      GROUP BY imported.merchant_id, imported.import_id) AS faulty
    WHERE (at_micros, import_id) > ($sinceMicros::bigint, $afterId) AND ($only::text IS NULL OR import_id = $only)
    ORDER BY at_micros, import_id LIMIT $limit`,
).rows<{ merchant_id: bigint; import_id: string; account_id: string; faults: number; at_micros: bigint }>();
const settle = statement(
  'fault-store.settle',
  `UPDATE payment_imports SET settled_at = statement_timestamp(), settled_by = $operator
    WHERE merchant_id = $merchantId AND import_id = $importId AND settled_at IS NULL RETURNING import_id`,
).rows<{ import_id: string }>();

export async function listFaultTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.import_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: row.at_micros,
    summary: `Record what an import on ${row.account_id} could not: ${row.faults} faulty lines.`,
    path: `/operator/payments/imports/${row.import_id}`,
    count: row.faults,
  }));
}

/** Returns false when it was settled before. */
export async function markImportSettled(
  tx: Transaction,
  ownerId: TenantId,
  importId: ImportId,
  operator: OperatorId,
): Promise<boolean> {
  return (await tx.query(settle, { merchantId: ownerId, importId, operator })).length > 0;
}
