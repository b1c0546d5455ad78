/** SQL on lines that files report: what is known, what is new, and what waits for an explanation. */
import { storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { KnownLine } from './identifying.js';
import {
  type BankPlace,
  type DetailRef,
  type LineId,
  type LineSign,
  type LineSource,
  matchJob,
  type StoredDetail,
} from './line.js';
import { type DetailRow, toDetail } from './line-store.js';

interface KnownRow {
  line_id: string;
  sign: LineSign;
  amount_minor: bigint;
  booked_on: string;
  bank_reference: string | null;
  end_to_end_id: string | null;
  known_by: string[];
  identity: string;
  source: LineSource;
  is_on_statement: boolean;
  sequence: bigint | null;
  is_replaced: boolean;
  is_unexplained: boolean;
}

const listCandidates = statement(
  'reported-store.list-candidates',
  `SELECT line.line_id, line.sign, line.amount_minor, line.booked_on::text, line.bank_reference, line.known_by, line.identity,
          line.source, coalesce(told.kind = 'statement', false) AS is_on_statement, told.sequence,
          (SELECT min(detail.end_to_end_id) FROM bank_line_details AS detail
            WHERE detail.line_id = line.line_id HAVING count(*) = 1) AS end_to_end_id,
          EXISTS (SELECT FROM bank_line_details AS detail
                   WHERE detail.line_id = line.line_id AND detail.state = 'replaced') AS is_replaced,
          (SELECT count(*) = 1 AND bool_and(detail.state IN ('waiting', 'break')) FROM bank_line_details AS detail
            WHERE detail.line_id = line.line_id) AS is_unexplained
     FROM (SELECT named.line_id FROM bank_lines AS named
            WHERE named.bank = $bank AND named.currency = $currency AND named.known_by && $knownBy
           UNION
           SELECT alike.line_id FROM bank_lines AS alike
            WHERE alike.bank = $bank AND alike.currency = $currency AND alike.amount_minor = ANY ($amountsMinor::bigint[])
              AND alike.booked_on BETWEEN $from::date - 7 AND $to::date + 7) AS found
     JOIN bank_lines AS line ON line.line_id = found.line_id
     LEFT JOIN bank_account_statements AS told ON told.statement_id = line.statement_id
    ORDER BY line.booked_on, line.line_id`,
).rows<KnownRow>();
/** A day that a person typed gives way to that of the bank, and any to that of a statement. */
const confirm = statement(
  'reported-store.confirm',
  `UPDATE bank_lines SET statement_id = CASE WHEN $isStatement OR statement_id IS NULL THEN $statementId ELSE statement_id END,
          booked_on = CASE WHEN $isStatement OR (source NOT LIKE 'camt%' AND statement_id IS NULL) THEN $bookedOn::date
                           ELSE booked_on END,
          bank_reference = coalesce(bank_reference, $bankReference),
          known_by = ARRAY(SELECT DISTINCT unnest(known_by || $knownBy::text[]))
    WHERE line_id = $lineId`,
);
const findHandMade = statement(
  'reported-store.find-hand-made',
  `SELECT detail.line_id, detail.record FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
    WHERE line.bank = $bank AND line.currency = $currency AND line.sign = $sign AND line.known_by && ARRAY[$endToEndId]
      AND line.amount_minor = $amountMinor AND line.statement_id IS NULL AND detail.state = 'explained'
    ORDER BY detail.line_id LIMIT 1 FOR UPDATE OF detail`,
).rows<{ line_id: string; record: string }>();
const replace = statement(
  'reported-store.replace',
  `UPDATE bank_line_details SET state = 'replaced', record = NULL, version = version + 1, changed_at = statement_timestamp()
    WHERE line_id = $lineId AND state = 'explained'`,
);
const markTwin = statement(
  'reported-store.mark-twin',
  'UPDATE bank_lines SET twin_id = $twinId WHERE line_id = $lineId',
);
/** Two lines of one statement, or of statements of two days, are distinct, unless a correction moved a line. */
const releaseDistinct = statement(
  'reported-store.release-distinct',
  `UPDATE bank_line_details SET state = 'waiting', reason = NULL, version = version + 1, changed_at = statement_timestamp()
     FROM bank_lines AS line
     JOIN bank_account_statements AS told ON told.statement_id = line.statement_id
     JOIN bank_lines AS twin ON twin.line_id = line.twin_id
     JOIN bank_account_statements AS twin_told ON twin_told.statement_id = twin.statement_id
    WHERE line.line_id = bank_line_details.line_id AND bank_line_details.reason = 'possible_duplicate'
      AND $statementId IN (line.statement_id, twin.statement_id)
      AND (line.statement_id = twin.statement_id
           OR (told.kind = 'statement' AND twin_told.kind = 'statement' AND line.booked_on <> twin.booked_on
               AND (line.bank_reference IS DISTINCT FROM twin.bank_reference OR char_length(line.bank_reference) < 8)))`,
);
const listWaiting = statement(
  'reported-store.list-waiting',
  `SELECT detail.line_id, detail.number, line.bank, line.currency, line.sign, line.amount_minor AS line_amount_minor,
          line.booked_on::text, line.bank_reference, line.source, line.statement_id IS NOT NULL AS is_on_statement,
          detail.amount_minor, detail.end_to_end_id, detail.state, detail.record, detail.reason, detail.version,
          line.sealed_content, line.code
     FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
    WHERE detail.state = 'waiting'
    ORDER BY line.booked_on, line.sign DESC, detail.line_id, detail.number LIMIT $limit`,
).rows<DetailRow & { sealed_content: Buffer | null; code: string | null }>();
const breakDetail = statement(
  'reported-store.break',
  `UPDATE bank_line_details SET state = 'break', reason = $reason, version = version + 1, changed_at = statement_timestamp()
    WHERE line_id = $lineId AND number = $number AND state = 'waiting'`,
);
/** Something about the same payment was booked, so what did not fit may fit now. */
const retry = statement(
  'reported-store.retry',
  `UPDATE bank_line_details SET state = 'waiting', reason = NULL, version = version + 1, changed_at = statement_timestamp()
    WHERE end_to_end_id = $endToEndId AND state = 'break' AND reason = 'return_before_debit'`,
);
/** Something about the batch has changed, so its debit may fit now. What was booked before it left is none. */
const retryBatch = statement(
  'reported-store.retry-batch',
  `UPDATE bank_line_details SET state = 'waiting', reason = NULL, version = bank_line_details.version + 1,
          changed_at = statement_timestamp()
     FROM bank_lines AS line JOIN bank_batches AS batch ON batch.account_id = line.bank
    WHERE line.line_id = bank_line_details.line_id AND batch.batch_id = $batchId
      AND bank_line_details.state = 'break' AND bank_line_details.reason = 'batch_amount'
      AND line.booked_on >= batch.released_at::date - 1`,
);
const forgetContent = statement(
  'reported-store.forget-content',
  `UPDATE bank_lines SET sealed_content = NULL
    WHERE line_id = $lineId AND sealed_content IS NOT NULL
      AND NOT EXISTS (SELECT FROM bank_line_details AS detail
                       WHERE detail.line_id = bank_lines.line_id AND detail.state IN ('waiting', 'break'))`,
);

/** What lines of a batch may be: those with a reference of theirs, or with an amount of theirs on about those days. */
export async function listKnownLines(
  database: Queryable,
  place: BankPlace,
  asked: {
    readonly knownBy: readonly string[];
    readonly amountsMinor: readonly bigint[];
    readonly from: string;
    readonly to: string;
  },
): Promise<KnownLine[]> {
  const { bank, currency } = place;
  const rows = await database.query(listCandidates, { bank, currency, ...asked });
  return rows.map((row) => ({
    lineId: storedPublicId('bnl', row.line_id),
    sign: row.sign,
    amountMinor: row.amount_minor,
    bookedOn: row.booked_on,
    bankReference: row.bank_reference ?? undefined,
    endToEndId: row.end_to_end_id ?? undefined,
    knownBy: row.known_by,
    identity: row.identity,
    source: row.source,
    isOnStatement: row.is_on_statement,
    sequence: row.sequence === null ? undefined : Number(row.sequence),
    isReplaced: row.is_replaced,
    isUnexplained: row.is_unexplained,
  }));
}

export interface Confirmation {
  readonly lineId: LineId;
  readonly statementId: string;
  readonly isStatement: boolean;
  readonly bookedOn: string;
  readonly bankReference: string | undefined;
  readonly knownBy: readonly string[];
}

export async function confirmLine(tx: Transaction, confirmation: Confirmation): Promise<void> {
  await tx.query(confirm, { ...confirmation });
}

/**
 * The record of a line that was made by hand for this payment of a batch, which explains the payment from now on.
 * Undefined where there is none.
 */
export async function takeOverHandMade(
  tx: Transaction,
  { bank, currency }: BankPlace,
  payment: { readonly sign: LineSign; readonly endToEndId: string; readonly amountMinor: bigint; readonly by: LineId },
): Promise<string | undefined> {
  const { by, ...asked } = payment;
  const [row] = await tx.query(findHandMade, { bank, currency, ...asked });
  if (!row) return undefined;
  await tx.query(replace, { lineId: row.line_id });
  await tx.query(markTwin, { lineId: row.line_id, twinId: by });
  return row.record;
}

export async function releaseDistinctLines(tx: Transaction, statementId: string): Promise<void> {
  await tx.query(releaseDistinct, { statementId });
}

export type WaitingDetail = StoredDetail & {
  readonly sealedContent: Buffer | undefined;
  readonly code: string | undefined;
};

/** The oldest day first, and on each day what left before what came. */
export async function listWaitingDetails(database: Queryable, limit: number): Promise<WaitingDetail[]> {
  const rows = await database.query(listWaiting, { limit });
  return rows.map((row) => ({
    ...toDetail(row),
    sealedContent: row.sealed_content ?? undefined,
    code: row.code ?? undefined,
  }));
}

export async function markBreak(tx: Transaction, { lineId, number }: DetailRef, reason: string): Promise<void> {
  await tx.query(breakDetail, { lineId, number, reason });
}

/** The line keeps its content while a detail of it is not explained. */
export async function forgetExplained(tx: Transaction, lineId: LineId): Promise<void> {
  await tx.query(forgetContent, { lineId });
}

/** After a detail was explained. */
export async function endExplained(
  tx: Transaction,
  { lineId, endToEndId }: Pick<StoredDetail, 'lineId' | 'endToEndId'>,
): Promise<void> {
  await forgetExplained(tx, lineId);
  if (endToEndId !== undefined) await tx.query(retry, { endToEndId });
}

/** After the batch has left, or the bank has said something else about its payments: its debit is matched again. */
export async function retryBatchDebit(tx: Transaction, batchId: string): Promise<void> {
  await tx.query(retryBatch, { batchId });
  tx.wake(matchJob);
}
