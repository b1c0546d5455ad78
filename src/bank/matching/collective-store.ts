/** SQL on the batches that a debit may be. */
import { storedPublicId, tenantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { BatchId } from '../batches/batch.js';
import type { PaymentRef } from '../batches/ports.js';
import type { LineId } from '../lines/line.js';

/**
 * `is_by_hand`: people recorded the debit, and no statement has it yet. `is_told`: a statement has it in another line.
 * `is_refused`: the bank says that it has not made it.
 */
const listPayments = statement(
  'collective-store.list',
  `SELECT batch.batch_id, payment.attempt_id, payment.owner_id, payment.reference, payment.amount_minor,
          EXISTS (SELECT FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
                   WHERE line.known_by && ARRAY[payment.reference] AND line.bank = batch.account_id
                     AND line.currency = batch.currency AND line.sign = 'debit' AND line.statement_id IS NULL
                     AND line.amount_minor = payment.amount_minor AND detail.state = 'explained') AS is_by_hand,
          EXISTS (SELECT FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
                   WHERE detail.end_to_end_id = payment.reference AND detail.state <> 'replaced'
                     AND line.line_id <> $lineId AND line.statement_id IS NOT NULL
                     AND (line.sign = 'debit') = (detail.amount_minor > 0)) AS is_told,
          EXISTS (SELECT FROM bank_answers AS answer
                   WHERE answer.batch_id = batch.batch_id AND answer.kind IN ('rejected', 'recalled')
                     AND answer.state <> 'DISMISSED'
                     AND answer.payments @> jsonb_build_array(jsonb_build_object('reference', payment.reference)))
            AS is_refused
     FROM bank_batches AS batch JOIN bank_batch_payments AS payment ON payment.batch_id = batch.batch_id
    WHERE batch.batch_id = ANY ($batchIds) AND batch.account_id = $accountId AND batch.state = 'SENT'
      AND NOT payment.has_left
    ORDER BY payment.reference`,
).rows<{
  batch_id: string;
  attempt_id: string;
  owner_id: bigint;
  reference: string;
  amount_minor: bigint;
  is_by_hand: boolean;
  is_told: boolean;
  is_refused: boolean;
}>();

export interface SentPayment extends PaymentRef {
  readonly batchId: BatchId;
  readonly reference: string;
  readonly amountMinor: bigint;
  /** People recorded the debit, and no statement has it yet. */
  readonly isByHand: boolean;
  /** A statement has its debit, or the bank says that there is none. */
  readonly isElsewhere: boolean;
}

/** What left the account in these batches, beside what this line tells. */
export async function listSentPayments(
  database: Queryable,
  { accountId, lineId }: { readonly accountId: string; readonly lineId: LineId },
  batchIds: readonly string[],
): Promise<SentPayment[]> {
  return (await database.query(listPayments, { accountId, lineId, batchIds })).map((row) => ({
    batchId: storedPublicId('bat', row.batch_id),
    merchantId: tenantId(row.owner_id),
    attemptId: row.attempt_id,
    reference: row.reference,
    amountMinor: row.amount_minor,
    isByHand: row.is_by_hand,
    isElsewhere: row.is_told || row.is_refused,
  }));
}
