/** SQL on payments that fit no batch. Every machine of a cluster has the table in full. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { WaitingPayment } from './ports.js';

const saveUnfit = statement(
  'unfit-store.save',
  `INSERT INTO bank_unfit_payments (attempt_id, owner_id, reference, problem)
   VALUES ($attemptId, $ownerId, $reference, $problem)
   ON CONFLICT (attempt_id) DO UPDATE SET problem = excluded.problem, tried_at = excluded.tried_at`,
);
const deleteUnfit = statement('unfit-store.delete', 'DELETE FROM bank_unfit_payments WHERE attempt_id = $attemptId');
/** Those that nobody has tried again for long were withdrawn. */
const listTasks = statement(
  'unfit-store.list-tasks',
  `SELECT attempt_id, owner_id, problem, (extract(epoch FROM found_at) * 1000000)::bigint::text AS at_micros
     FROM bank_unfit_payments
    WHERE tried_at > statement_timestamp() - interval '3 hours'
      AND (found_at, attempt_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR attempt_id = $only)
    ORDER BY found_at, attempt_id LIMIT $limit`,
).rows<{ attempt_id: string; owner_id: bigint; problem: string; at_micros: string }>();

export async function addUnfit(tx: Transaction, payment: WaitingPayment, problem: string): Promise<void> {
  const { attemptId, reference } = payment;
  const ownerId: TenantId = payment.merchantId;
  await tx.query(saveUnfit, { attemptId, ownerId, reference, problem: problem.slice(0, 500) });
}

export async function forgetUnfit(tx: Transaction, attemptId: string): Promise<void> {
  await tx.query(deleteUnfit, { attemptId });
}

export async function listUnfitTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  return (await database.query(listTasks, pageValues(page))).map((row) => ({
    id: row.attempt_id,
    merchantId: tenantId(row.owner_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Make a payment fit for the bank: ${row.problem}.`,
    path: `/operator/payouts/${row.attempt_id}`,
  }));
}
