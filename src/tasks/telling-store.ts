/** SQL on the tasks that operators were told of by mail. */
import { statement, type Transaction } from '../postgres/statement.js';
import type { KindOfTask } from './task.js';

export type Because = 'new' | 'overdue';

const noteTold = statement(
  'telling-store.note-told',
  `INSERT INTO told_tasks (kind, task_id, because, told_at)
   SELECT told.kind, told.task_id, $because, clock.now
     FROM unnest($kinds::text[], $taskIds::text[]) AS told (kind, task_id),
          (SELECT statement_timestamp() AS now) AS clock
   ON CONFLICT (kind, task_id, because) DO NOTHING RETURNING kind, task_id`,
).rows<{ kind: string; task_id: string }>();
const forgetEnded = statement(
  'telling-store.forget-ended',
  `DELETE FROM told_tasks WHERE told_at < statement_timestamp() - interval '1 hour'
      AND NOT EXISTS (SELECT FROM unnest($kinds::text[], $taskIds::text[]) AS open (kind, task_id)
                       WHERE open.kind = told_tasks.kind AND open.task_id = told_tasks.task_id)`,
);

/** Returns those that nobody was told of before for this reason. */
export async function tellOnce(tx: Transaction, tasks: readonly KindOfTask[], because: Because): Promise<KindOfTask[]> {
  if (tasks.length === 0) return [];
  const rows = await tx.query(noteTold, { because, ...columnsOf(tasks) });
  const told = new Set(rows.map((row) => `${row.kind} ${row.task_id}`));
  return tasks.filter(({ kind, id }) => told.has(`${kind} ${id}`));
}

/** A task that has ended and begins again is told again. */
export async function forgetEndedTasks(tx: Transaction, open: readonly KindOfTask[]): Promise<void> {
  await tx.query(forgetEnded, columnsOf(open));
}

function columnsOf(tasks: readonly KindOfTask[]) {
  return { kinds: tasks.map(({ kind }) => kind), taskIds: tasks.map(({ id }) => id) };
}
