/** SQL on the payments of batches. Every machine of a cluster has these tables in full. */
import { tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Batch, BatchId, BatchPayment } from './batch.js';
import type { WaitingPayment } from './ports.js';

const insertPayment = statement(
  'batches.insert-payment',
  `INSERT INTO bank_batch_payments (batch_id, attempt_id, owner_id, reference, direction, amount_minor)
   VALUES ($batchId, $attemptId, $ownerId, $reference, $direction, $amountMinor)
   ON CONFLICT DO NOTHING RETURNING attempt_id`,
).rows<{ attempt_id: string }>();
const listPayments = statement(
  'batches.list-payments',
  `SELECT attempt_id, owner_id, reference, direction, amount_minor, has_left, attempt_version, answer
     FROM bank_batch_payments WHERE batch_id = $batchId ORDER BY attempt_id`,
).rows<PaymentRow>();
const leave = statement(
  'batches.leave',
  'UPDATE bank_batch_payments SET has_left = true WHERE batch_id = $batchId AND attempt_id = ANY ($attemptIds)',
);
const keepVersion = statement(
  'batches.keep-version',
  `UPDATE bank_batch_payments SET attempt_version = $version WHERE batch_id = $batchId AND attempt_id = $attemptId`,
);
const answerPayment = statement(
  'batches.answer-payment',
  `UPDATE bank_batch_payments SET answer = $answer
    WHERE batch_id = $batchId AND NOT has_left AND ($reference::text IS NULL OR reference = $reference)`,
);

interface PaymentRow {
  attempt_id: string;
  owner_id: bigint;
  reference: string;
  direction: 'payout' | 'refund';
  amount_minor: bigint;
  has_left: boolean;
  attempt_version: number | null;
  answer: string | null;
}

/** Returns false for a payment that is in a batch. */
export async function addBatchPayment(tx: Transaction, batchId: BatchId, payment: WaitingPayment): Promise<boolean> {
  const { merchantId: ownerId, attemptId, reference, direction, amount: money } = payment;
  const values = { batchId, ownerId, attemptId, reference, direction, amountMinor: money.minor };
  return (await tx.query(insertPayment, values)).length > 0;
}

export async function listBatchPayments(
  database: Queryable,
  { batchId, sum }: Pick<Batch, 'batchId' | 'sum'>,
): Promise<BatchPayment[]> {
  return (await database.query(listPayments, { batchId })).map((row) => ({
    merchantId: tenantId(row.owner_id),
    attemptId: row.attempt_id,
    reference: row.reference,
    direction: row.direction,
    amount: amount(sum.currency, row.amount_minor),
    hasLeft: row.has_left,
    version: row.attempt_version ?? undefined,
    answer: row.answer ?? undefined,
  }));
}

export async function leaveBatch(tx: Transaction, batchId: BatchId, attemptIds: readonly string[]): Promise<void> {
  await tx.query(leave, { batchId, attemptIds });
}

export async function keepCheckedVersion(
  tx: Transaction,
  batchId: BatchId,
  { attemptId, version }: { readonly attemptId: string; readonly version: number },
): Promise<void> {
  await tx.query(keepVersion, { batchId, attemptId, version });
}

/** Without a reference: of all payments of the batch. */
export async function saveAnswer(
  tx: Transaction,
  batchId: BatchId,
  reference: string | undefined,
  answer: string,
): Promise<void> {
  await tx.query(answerPayment, { batchId, reference, answer });
}
