/** SQL on complaints that wait for an answer, and on answers that were not put into effect, as tasks. */
import { merchantId, userId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../tasks/task.js';

interface TaskRow {
  merchant_id: bigint;
  complaint_id: string;
  user_id: bigint;
  order_id: string | null;
  kind: string;
  due_at: Date;
  at_micros: string;
}
const columns = `merchant_id, complaint_id, user_id, order_id` as const;

const listUnanswered = statement(
  'complaints.list-tasks',
  `SELECT ${columns}, kind, CASE WHEN held_at <= answer_by THEN latest_by ELSE answer_by END AS due_at,
          (extract(epoch FROM received_at) * 1000000)::bigint::text AS at_micros
     FROM complaints
    WHERE state <> 'answered'
      AND (received_at, complaint_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR complaint_id = $only)
    ORDER BY received_at, complaint_id LIMIT $limit`,
).rows<TaskRow>();
const listUnremedied = statement(
  'complaints.list-remedies',
  `SELECT ${columns}, remedy AS kind, coalesce(remedy_due_by, answered_at) AS due_at,
          (extract(epoch FROM answered_at) * 1000000)::bigint::text AS at_micros
     FROM complaints
    WHERE remedy IN ('refund', 'resend') AND remedy_reference IS NULL
      AND (answered_at, complaint_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR complaint_id = $only)
    ORDER BY answered_at, complaint_id LIMIT $limit`,
).rows<TaskRow>();

export async function listComplaintTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listUnanswered, pageValues(page));
  return rows.map((row) => taskOf(row, row.kind === 'error' ? 'Answer a reported error.' : 'Answer a complaint.'));
}

export async function listRemedyTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listUnremedied, pageValues(page));
  return rows.map((row) => taskOf(row, `Name the ${row.kind === 'refund' ? 'refund' : 'order'} that was promised.`));
}

function taskOf(row: TaskRow, summary: string): Task {
  return {
    id: row.complaint_id,
    merchantId: merchantId(row.merchant_id),
    sinceMicros: BigInt(row.at_micros),
    summary,
    path: `/operator/complaints/${row.complaint_id}`,
    dueAt: row.due_at,
    userId: userId(row.user_id),
    orderId: row.order_id ?? undefined,
  };
}
