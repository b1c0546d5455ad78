/** SQL on transfers between two accounts of ours: each half is a line, and the two halves meet in the ledger. */
import { type Amount, amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { DetailRef, LineSign } from '../lines/line.js';

const markTransfer = statement(
  'transfer-store.mark',
  'UPDATE bank_line_details SET own_account = $other, other_half = $otherHalf WHERE line_id = $lineId AND number = $number',
);
/** The nearest day first, so that a half that never comes leaves its own day open, and not the newest. */
const findOtherHalf = statement(
  'transfer-store.find-other-half',
  `SELECT half.line_id, half.number, half.record
     FROM bank_line_details AS half JOIN bank_lines AS line ON line.line_id = half.line_id
    WHERE half.own_account = $bank AND half.other_half IS NULL AND line.bank = $other AND line.currency = $currency
      AND abs(half.amount_minor) = $amountMinor AND ((line.sign = 'debit') = (half.amount_minor > 0)) <> $hasLeft
    ORDER BY abs(line.booked_on - $bookedOn::date), line.booked_on, half.line_id, half.number LIMIT 1 FOR UPDATE OF half`,
).rows<{ line_id: string; number: number; record: string }>();
const meet = statement(
  'transfer-store.meet',
  'UPDATE bank_line_details SET other_half = $record WHERE line_id = $lineId AND number = $number',
);
/**
 * Halves that are booked at the same moment, or are parted by a correction, have not met, so those of the same accounts
 * and amount cancel out here, the newest first. A transfer may take some days, over a weekend.
 */
const listLone = statement(
  'transfer-store.list-lone',
  `WITH half AS (
     SELECT detail.line_id || '.' || detail.number::text AS id, line.bank, detail.own_account, line.currency,
            abs(detail.amount_minor) AS amount_minor, (line.sign = 'debit') = (detail.amount_minor > 0) AS has_left,
            line.booked_on::text, detail.changed_at, line.line_id, detail.number, line.booked_on AS day
       FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
      WHERE detail.own_account IS NOT NULL AND detail.other_half IS NULL),
   counted AS (
     SELECT half.*, CASE WHEN has_left THEN bank ELSE own_account END AS source,
            CASE WHEN has_left THEN own_account ELSE bank END AS target,
            row_number() OVER (PARTITION BY bank, own_account, currency, amount_minor, has_left
                               ORDER BY day DESC, line_id DESC, number DESC) AS nth
       FROM half)
   SELECT waiting.id, waiting.bank, waiting.own_account, waiting.currency, waiting.amount_minor, waiting.has_left, waiting.booked_on,
          (extract(epoch FROM waiting.changed_at) * 1000000)::bigint AS since_micros
     FROM counted AS waiting
    WHERE NOT EXISTS (SELECT FROM counted AS opposite
                       WHERE opposite.source = waiting.source AND opposite.target = waiting.target AND opposite.currency = waiting.currency
                         AND opposite.amount_minor = waiting.amount_minor AND opposite.nth = waiting.nth AND opposite.has_left <> waiting.has_left)
      AND waiting.changed_at < statement_timestamp() - interval '4 days' AND ($only::text IS NULL OR waiting.id = $only)
      AND ((extract(epoch FROM waiting.changed_at) * 1000000)::bigint, waiting.id) > ($sinceMicros::bigint, $afterId::text)
    ORDER BY since_micros, waiting.id LIMIT $limit`,
).rows<{
  id: string;
  bank: string;
  own_account: string;
  currency: CurrencyCode;
  amount_minor: bigint;
  has_left: boolean;
  booked_on: string;
  since_micros: bigint;
}>();

export interface TransferHalf extends DetailRef {
  readonly bank: string;
  readonly other: string;
  readonly sign: LineSign;
  readonly amount: Amount;
  readonly bookedOn: string;
  /** What booked it. */
  readonly record: string;
}

/** It is booked, and meets the other half, if that is booked too. */
export async function markOwnTransfer(tx: Transaction, half: TransferHalf): Promise<void> {
  const { lineId, number, bank, other, sign, bookedOn, record } = half;
  const { currency, minor: amountMinor } = half.amount;
  const place = { bank, other, currency, amountMinor, hasLeft: sign === 'debit', bookedOn };
  const [found] = await tx.query(findOtherHalf, place);
  await tx.query(markTransfer, { lineId, number, other, otherHalf: found?.record });
  if (found) await tx.query(meet, { lineId: found.line_id, number: found.number, record });
}

/** Halves that have waited for days for the other waiting. */
export async function listTransferTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listLone, pageValues(page));
  return rows.map((row) => ({
    id: row.id,
    merchantId: undefined,
    sinceMicros: row.since_micros,
    summary: row.has_left
      ? `Find out whether what left ${row.bank} on ${row.booked_on} arrived on ${row.own_account}`
      : `Find out when what arrived on ${row.bank} on ${row.booked_on} left ${row.own_account}`,
    path: `/operator/bank/accounts/${row.own_account}/breaks`,
    amount: amount(row.currency, row.amount_minor),
  }));
}
