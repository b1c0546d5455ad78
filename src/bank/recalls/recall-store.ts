/** SQL on recalls. Every machine of a cluster has the table in full. */
import { storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Recall, RecallId, RecallReason, RecallState } from './recall.js';

interface RecallRow {
  recall_id: string;
  batch_id: string;
  attempt_id: string;
  account_id: string;
  reference: string;
  reason: RecallReason;
  file_name: string;
  state: RecallState;
  answer: string | null;
  asked_at: Date;
  answered_at: Date | null;
}

const columns = `recall_id, batch_id, attempt_id, account_id, reference, reason, file_name, state, answer, asked_at, answered_at`;

const insertRecall = statement(
  'recall-store.insert',
  `INSERT INTO bank_recalls (recall_id, batch_id, attempt_id, account_id, reference, reason, file_name, state)
   VALUES ($recallId, $batchId, $attemptId, $accountId, $reference, $reason, $fileName, 'ASKED')
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
).rows<RecallRow>();
const listPage = statement(
  'recall-store.list',
  `SELECT ${columns} FROM bank_recalls
    WHERE state = ANY ($states) AND ($attemptId::text IS NULL OR attempt_id = $attemptId)
    ORDER BY asked_at DESC, recall_id DESC LIMIT $limit`,
).rows<RecallRow>();
const lockAnswered = statement(
  'recall-store.lock',
  `SELECT ${columns} FROM bank_recalls
    WHERE recall_id = ANY (ARRAY(SELECT found.recall_id FROM bank_recalls AS found
       WHERE found.recall_id = $recallId OR ($recallId::text IS NULL AND found.reference = $reference)
       ORDER BY found.asked_at DESC LIMIT 1))
   FOR UPDATE`,
).rows<RecallRow>();
const saveAnswer = statement(
  'recall-store.answer',
  `UPDATE bank_recalls SET state = $state, answer = $answer, answered_at = statement_timestamp() WHERE recall_id = $recallId`,
);
const findPayment = statement(
  'recall-store.find-payment',
  `SELECT batch_id, owner_id, reference, amount_minor FROM bank_batch_payments
    WHERE attempt_id = $attemptId AND NOT has_left`,
).rows<{ batch_id: string; owner_id: bigint; reference: string; amount_minor: bigint }>();
const findDebit = statement(
  'recall-store.find-debit',
  `SELECT line.line_id FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
    WHERE detail.end_to_end_id = $reference AND detail.state = 'explained' AND line.sign = 'debit' LIMIT 1`,
).rows<{ line_id: string }>();

/** Undefined when the bank was asked for the payment and has not answered. */
export async function addRecall(
  tx: Transaction,
  recall: Omit<Recall, 'state' | 'answer' | 'askedAt' | 'answeredAt'>,
): Promise<Recall | undefined> {
  const [row] = await tx.query(insertRecall, { ...recall });
  return row && toRecall(row);
}

/** The newest first. */
export async function listRecalls(
  database: Queryable,
  asked: { readonly states: readonly RecallState[]; readonly attemptId: string | undefined; readonly limit: number },
): Promise<Recall[]> {
  return (await database.query(listPage, { ...asked, attemptId: asked.attemptId })).map(toRecall);
}

/** By its id, or, where the bank names no case of ours, the newest of the payment. */
export async function lockRecall(
  tx: Transaction,
  recallId: string | undefined,
  reference: string | undefined,
): Promise<Recall | undefined> {
  const [row] = await tx.query(lockAnswered, { recallId, reference });
  return row && toRecall(row);
}

export async function saveRecallAnswer(
  tx: Transaction,
  recallId: RecallId,
  { state, answer }: { readonly state: RecallState; readonly answer: string },
): Promise<void> {
  await tx.query(saveAnswer, { recallId, state, answer });
}

export interface BatchedPayment {
  readonly batchId: ReturnType<typeof storedPublicId<'bat'>>;
  readonly merchantId: TenantId;
  readonly reference: string;
  readonly amountMinor: bigint;
}

/** Undefined for a payment that is in no batch. */
export async function findBatchedPayment(database: Queryable, attemptId: string): Promise<BatchedPayment | undefined> {
  const [row] = await database.query(findPayment, { attemptId });
  if (!row) return undefined;
  const [batchId, merchantId] = [storedPublicId('bat', row.batch_id), tenantId(row.owner_id)];
  return { batchId, merchantId, reference: row.reference, amountMinor: row.amount_minor };
}

/** Whether a line says that the bank has paid it. */
export async function isDebited(database: Queryable, reference: string): Promise<boolean> {
  return (await database.query(findDebit, { reference })).length > 0;
}

function toRecall(row: RecallRow): Recall {
  return {
    recallId: storedPublicId('rcl', row.recall_id),
    batchId: storedPublicId('bat', row.batch_id),
    attemptId: row.attempt_id,
    accountId: row.account_id,
    reference: row.reference,
    reason: row.reason,
    fileName: row.file_name,
    state: row.state,
    answer: row.answer ?? undefined,
    askedAt: row.asked_at,
    answeredAt: row.answered_at ?? undefined,
  };
}
