/** SQL on batches that wait for an operator, as tasks. */
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { BatchState } from './batch.js';

/** A file is on its way for minutes, not for longer. */
const listWaiting = statement(
  'task-store.list-batches',
  `SELECT batch.batch_id, batch.account_id, batch.currency, batch.state,
          (SELECT coalesce(sum(payment.amount_minor), 0)::bigint FROM bank_batch_payments AS payment
            WHERE payment.batch_id = batch.batch_id AND NOT payment.has_left) AS sum_minor,
          (extract(epoch FROM batch.changed_at) * 1000000)::bigint::text AS at_micros
     FROM bank_batches AS batch
    WHERE (batch.state = 'WAITING' OR (batch.state IN ('RELEASED', 'CHECKED', 'WRITTEN')
            AND batch.changed_at <= statement_timestamp() - interval '15 minutes'))
      AND (batch.changed_at, batch.batch_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR batch.batch_id = $only)
    ORDER BY batch.changed_at, batch.batch_id LIMIT $limit`,
).rows<{
  batch_id: string;
  account_id: string;
  currency: CurrencyCode;
  state: BatchState;
  sum_minor: bigint;
  at_micros: string;
}>();

export async function listBatchTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  return (await database.query(listWaiting, pageValues(page))).map((row) => ({
    id: row.batch_id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary:
      row.state === 'WAITING'
        ? `Release a batch of payments from ${row.account_id}.`
        : `Find out why a batch of payments from ${row.account_id} has not reached the bank: it is ${row.state}.`,
    path: `/operator/bank/batches/${row.batch_id}`,
    amount: amount(row.currency, row.sum_minor),
  }));
}
