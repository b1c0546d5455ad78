/** SQL on answers of banks that operators decide. Every machine of a cluster has the table in full. */
import { randomUUID } from 'node:crypto';
import { storedPublicId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { Answer, AnsweredPayment, AnswerId, AnswerKind, AnswerState } from './answer.js';

interface AnswerRow {
  answer_id: string;
  digest: string;
  batch_id: string;
  kind: AnswerKind;
  payments: AnsweredPayment[];
  state: AnswerState;
  version: number;
  created_at: Date;
}
const columns = 'answer_id, digest, batch_id, kind, payments, state, version, created_at';

const insertAnswer = statement(
  'answer-store.insert',
  `INSERT INTO bank_answers (answer_id, digest, batch_id, kind, payments, state, version)
   VALUES ($answerId, $digest, $batchId, $kind, $payments, 'WAITING', 1)
   ON CONFLICT (digest, batch_id, kind) DO NOTHING RETURNING ${columns}`,
).rows<AnswerRow>();
const lockById = statement(
  'answer-store.lock',
  `SELECT ${columns} FROM bank_answers WHERE answer_id = $answerId FOR UPDATE`,
).rows<AnswerRow>();
const listOpen = statement(
  'answer-store.list',
  `SELECT ${columns} FROM bank_answers WHERE state = ANY ($states) ORDER BY created_at, answer_id LIMIT $limit`,
).rows<AnswerRow>();
const claim = statement(
  'answer-store.claim',
  `UPDATE bank_answers
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE answer_id = ANY (ARRAY(
      SELECT due.answer_id FROM bank_answers AS due
       WHERE due.state = 'APPROVED' AND (due.leased_until IS NULL OR due.leased_until <= statement_timestamp())
       ORDER BY due.changed_at, due.answer_id LIMIT 10 FOR UPDATE SKIP LOCKED))
   RETURNING ${columns}`,
).rows<AnswerRow>();
const lockClaimed = statement(
  'answer-store.lock-claimed',
  `SELECT ${columns} FROM bank_answers
    WHERE answer_id = $answerId AND state = 'APPROVED' AND lease_token = $token FOR UPDATE`,
).rows<AnswerRow>();
const updateState = statement(
  'answer-store.update',
  `UPDATE bank_answers
      SET state = $state, version = version + 1, changed_at = statement_timestamp(), lease_token = NULL, leased_until = NULL
    WHERE answer_id = $answerId AND version = $version RETURNING ${columns}`,
).rows<AnswerRow>();
const listIds = statement(
  'answer-store.list-ids',
  'SELECT answer_id FROM bank_answers WHERE answer_id > $after ORDER BY answer_id LIMIT $limit',
).rows<{ answer_id: string }>();
const listByIds = statement(
  'answer-store.list-by-ids',
  `SELECT ${columns} FROM bank_answers WHERE answer_id = ANY ($answerIds)`,
).rows<AnswerRow>();
/** What operators decide, and what they decided and the service could not do for a while. */
const listTasks = statement(
  'answer-store.list-tasks',
  `SELECT answer_id, kind, state, jsonb_array_length(payments) AS payments,
          (extract(epoch FROM created_at) * 1000000)::bigint::text AS at_micros
     FROM bank_answers
    WHERE (state = 'WAITING' OR (state = 'APPROVED' AND changed_at < statement_timestamp() - interval '15 minutes'))
      AND (created_at, answer_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR answer_id = $only)
    ORDER BY created_at, answer_id LIMIT $limit`,
).rows<{ answer_id: string; kind: AnswerKind; state: AnswerState; payments: number; at_micros: string }>();

/** Undefined when the same file said the same before. */
export async function addAnswer(
  tx: Transaction,
  answer: Pick<Answer, 'answerId' | 'digest' | 'batchId' | 'kind' | 'payments'>,
): Promise<Answer | undefined> {
  const [row] = await tx.query(insertAnswer, { ...answer, payments: JSON.stringify(answer.payments) });
  return row && toAnswer(row);
}

export async function lockAnswer(tx: Transaction, answerId: AnswerId): Promise<Answer | undefined> {
  const [row] = await tx.query(lockById, { answerId });
  return row && toAnswer(row);
}

/** An answer that one worker applies. */
export interface ClaimedAnswer extends Answer {
  readonly token: string;
}

/** Those that operators have approved and that no other worker has. */
export async function claimApprovedAnswers(database: Database, leaseSeconds: number): Promise<ClaimedAnswer[]> {
  const token = randomUUID();
  const rows = await database.write(claim, { token, leaseSeconds });
  return rows.map((row) => ({ ...toAnswer(row), token }));
}

/** Undefined when another worker has it by now. */
export async function lockClaimedAnswer(
  tx: Transaction,
  { answerId, token }: Pick<ClaimedAnswer, 'answerId' | 'token'>,
): Promise<Answer | undefined> {
  const [row] = await tx.query(lockClaimed, { answerId, token });
  return row && toAnswer(row);
}

/** The oldest first. */
export async function listAnswers(
  database: Queryable,
  states: readonly AnswerState[],
  limit: number,
): Promise<Answer[]> {
  return (await database.query(listOpen, { states, limit })).map(toAnswer);
}

/** The caller has locked the answer. */
export async function saveAnswerState(
  tx: Transaction,
  { answerId, version }: Answer,
  state: AnswerState,
): Promise<Answer> {
  const [row] = await tx.query(updateState, { answerId, version, state });
  if (!row) throw new Error(`the answer ${answerId} changed under its lock`);
  return toAnswer(row);
}

/** The ids after this one, in their order. */
export async function listAnswerIdsAfter(database: Queryable, after: string, limit: number): Promise<string[]> {
  return (await database.query(listIds, { after, limit })).map((row) => row.answer_id);
}

export async function listAnswersByIds(database: Queryable, answerIds: readonly string[]): Promise<Answer[]> {
  return (await database.query(listByIds, { answerIds })).map(toAnswer);
}

export async function listAnswerTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  return (await database.query(listTasks, pageValues(page))).map((row) => ({
    id: row.answer_id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: row.state === 'APPROVED' ? unapplied(row.payments) : summaries[row.kind](row.payments),
    path: '/operator/bank/answers',
    count: row.payments,
  }));
}

/** It is tried again every minute. */
function unapplied(payments: number): string {
  return `Read the log: the approved answer of a bank about ${payments} payments cannot be applied.`;
}

const summaries: Readonly<Record<AnswerKind, (payments: number) => string>> = {
  rejected: (payments) => `Decide about ${payments} payments that a bank says it has rejected.`,
  duplicate: (payments) => `Find out about ${payments} payments that a bank says it has twice.`,
  recalled: (payments) => `Decide about ${payments} payments that a bank says it gives back.`,
};

function toAnswer(row: AnswerRow): Answer {
  return {
    answerId: storedPublicId('ban', row.answer_id),
    digest: row.digest,
    batchId: storedPublicId('bat', row.batch_id),
    kind: row.kind,
    payments: row.payments,
    state: row.state,
    version: row.version,
    createdAt: row.created_at,
  };
}
