/** SQL on the debits that say, or may say, that a bank has made payments of a batch. */
import { type Queryable, statement } from '../../postgres/statement.js';
import type { BatchId } from '../batches/batch.js';

/** Those that name the payment, and those that name none and would be enough for it, until somebody explains them. */
const findDebit = statement(
  'debit-store.find',
  `SELECT line.line_id, line.bank, payment.reference
     FROM bank_batches AS batch
     JOIN bank_batch_payments AS payment
       ON payment.batch_id = batch.batch_id AND NOT payment.has_left AND payment.reference = ANY ($references)
     JOIN bank_line_details AS detail
       ON (detail.end_to_end_id = payment.reference AND detail.state <> 'replaced')
       OR (detail.state IN ('waiting', 'break') AND detail.end_to_end_id IS NULL
           AND detail.amount_minor >= payment.amount_minor)
     JOIN bank_lines AS line
       ON line.line_id = detail.line_id AND line.bank = batch.account_id AND line.currency = batch.currency
    WHERE batch.batch_id = $batchId AND (line.sign = 'debit') = (detail.amount_minor > 0)
      AND (detail.end_to_end_id IS NOT NULL OR line.booked_on >= batch.released_at::date - 1)
    ORDER BY detail.end_to_end_id IS NULL, line.line_id LIMIT 1`,
).rows<{ line_id: string; bank: string; reference: string }>();

export interface PossibleDebit {
  readonly lineId: string;
  readonly accountId: string;
  readonly reference: string;
}

/** A debit that is, or may be, one of these payments; undefined where no statement says so. */
export async function findPossibleDebit(
  database: Queryable,
  batchId: BatchId,
  references: readonly string[],
): Promise<PossibleDebit | undefined> {
  const [row] = await database.query(findDebit, { batchId, references });
  return row && { lineId: row.line_id, accountId: row.bank, reference: row.reference };
}
