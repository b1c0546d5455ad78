/** SQL on the lines of our bank accounts. Every machine of a cluster has these tables in full. */
import { storedPublicId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { DetailRef, DetailState, LineId, LineSign, LineSource, RecordedLine, StoredDetail } from './line.js';
import type { AlikeLine } from './recorded.js';

export interface DetailRow {
  line_id: string;
  number: number;
  bank: string;
  currency: CurrencyCode;
  sign: LineSign;
  line_amount_minor: bigint;
  booked_on: string;
  bank_reference: string | null;
  source: LineSource;
  is_on_statement: boolean;
  amount_minor: bigint;
  end_to_end_id: string | null;
  state: DetailState;
  record: string | null;
  reason: string | null;
  version: number;
}

const columns = `detail.line_id, detail.number, line.bank, line.currency, line.sign, line.amount_minor AS line_amount_minor,
  line.booked_on::text, line.bank_reference, line.source, line.statement_id IS NOT NULL AS is_on_statement,
  detail.amount_minor, detail.end_to_end_id, detail.state, detail.record, detail.reason, detail.version`;

const listKnown = statement(
  'line-store.list-known',
  `SELECT ${columns} FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
    WHERE line.bank = $bank AND line.currency = $currency AND line.sign = $sign
      AND (line.known_by && $knownBy OR line.line_id = ANY ($knownBy))
    ORDER BY line.booked_on, detail.line_id, detail.number LIMIT 1000`,
).rows<DetailRow>();
const listOfLine = statement(
  'line-store.list-of-line',
  `SELECT ${columns} FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
    WHERE line.line_id = $lineId ORDER BY detail.number`,
).rows<DetailRow>();
const insertLine = statement(
  'line-store.insert',
  `INSERT INTO bank_lines (line_id, bank, currency, sign, amount_minor, booked_on, value_on, identity, bank_reference,
     known_by, counterparty, source, statement_id, code, twin_id, sealed_content)
   VALUES ($lineId, $bank, $currency, $sign, $amountMinor, $bookedOn, $valueOn, $identity, $bankReference, $knownBy,
     $counterparty, $source, $statementId, $code, $twinId, $sealedContent)
   ON CONFLICT (bank, currency, sign, identity) DO NOTHING RETURNING line_id`,
).rows<{ line_id: string }>();
const insertDetails = statement(
  'line-store.insert-details',
  `INSERT INTO bank_line_details (line_id, number, amount_minor, end_to_end_id, state, record, reason, version)
   SELECT $lineId, number, amount_minor, end_to_end_id, state, record, reason, $version
     FROM unnest($numbers::int[], $amountsMinor::bigint[], $endToEndIds::text[], $states::text[], $records::text[],
                 $reasons::text[]) AS given (number, amount_minor, end_to_end_id, state, record, reason)`,
);
const explainDetail = statement(
  'line-store.explain',
  `UPDATE bank_line_details SET state = 'explained', record = $record, reason = NULL, version = version + 1,
          changed_at = statement_timestamp()
    WHERE line_id = $lineId AND number = $number AND state IN ('waiting', 'break')
      AND reason IS DISTINCT FROM 'possible_duplicate' RETURNING line_id`,
).rows<{ line_id: string }>();
const markLine = statement(
  'line-store.mark-counterparty',
  'UPDATE bank_lines SET counterparty = $counterparty WHERE line_id = $lineId',
);
/** People and files name one movement differently, a file names it once. What was simulated is on no statement. */
const listAlike = statement(
  'line-store.list-alike',
  `SELECT line.line_id, line.counterparty FROM bank_lines AS line
    WHERE line.bank = $bank AND line.currency = $currency AND line.sign = $sign AND line.amount_minor = $amountMinor
      AND line.booked_on BETWEEN $bookedOn::date - 1 AND $bookedOn::date + 1
      AND line.source NOT IN ($source, 'sandbox', 'rail')
      AND NOT EXISTS (SELECT FROM bank_line_details AS detail WHERE detail.line_id = line.line_id AND detail.state = 'replaced')
    ORDER BY line.line_id LIMIT 100`,
).rows<{ line_id: string; counterparty: string[] }>();
const deleteDetails = statement(
  'line-store.delete-details',
  `DELETE FROM bank_line_details USING bank_lines AS line
    WHERE line.line_id = bank_line_details.line_id AND bank_line_details.record = $record AND line.sign = $sign
      AND line.statement_id IS NULL AND line.source IN ('hand', 'rail', 'sandbox', 'csv')
   RETURNING bank_line_details.line_id`,
).rows<{ line_id: string }>();
const listReferences = statement(
  'line-store.list-references',
  `SELECT line_id, bank_reference FROM bank_lines WHERE line_id = ANY ($lineIds) AND bank_reference IS NOT NULL`,
).rows<{ line_id: string; bank_reference: string }>();
const deleteLines = statement('line-store.delete', 'DELETE FROM bank_lines WHERE line_id = ANY ($lineIds)');
/** The other half of a transfer waits again. */
const partHalves = statement(
  'line-store.part-halves',
  `UPDATE bank_line_details SET other_half = NULL
    WHERE record IN (SELECT freed.other_half FROM bank_line_details AS freed WHERE freed.record = $record)`,
);
const breakDetails = statement(
  'line-store.free',
  `UPDATE bank_line_details SET state = 'break', record = NULL, reason = 'corrected', own_account = NULL, other_half = NULL,
          version = version + 1, changed_at = statement_timestamp()
     FROM bank_lines AS line
    WHERE line.line_id = bank_line_details.line_id AND bank_line_details.record = $record AND line.sign = $sign`,
);
const listRecords = statement(
  'line-store.list-records',
  `SELECT DISTINCT detail.record FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
    WHERE line.known_by && $knownBy AND detail.record IS NOT NULL ORDER BY detail.record LIMIT $limit`,
).rows<{ record: string }>();

export interface NewLine extends Pick<StoredDetail, 'bank' | 'currency' | 'sign' | 'bookedOn' | 'source'> {
  readonly lineId: LineId;
  readonly amountMinor: bigint;
  readonly identity: string;
  readonly bankReference: string | undefined;
  readonly knownBy: readonly string[];
  readonly valueOn?: string | undefined;
  readonly statementId?: string | undefined;
  readonly code?: string | undefined;
  readonly twinId?: LineId | undefined;
  readonly counterparty?: readonly string[] | undefined;
  readonly sealedContent?: Buffer | undefined;
}

export interface NewDetail {
  readonly amountMinor: bigint;
  readonly endToEndId: string | undefined;
  readonly state: DetailState;
  readonly record: string | undefined;
  readonly reason: string | undefined;
}

/** The details of lines that were reported with one of these references, the oldest first. */
export async function listKnownDetails(
  database: Queryable,
  place: Pick<StoredDetail, 'bank' | 'currency' | 'sign'>,
  knownBy: readonly string[],
): Promise<StoredDetail[]> {
  return (await database.query(listKnown, { ...place, knownBy })).map(toDetail);
}

/** The payments of a line. */
export async function listDetailsOf(database: Queryable, lineId: string): Promise<StoredDetail[]> {
  return (await database.query(listOfLine, { lineId })).map(toDetail);
}

/** Returns false when there is such a line. Of two transactions at once, the second waits for the first. */
export async function addLine(tx: Transaction, line: NewLine, details: readonly NewDetail[]): Promise<boolean> {
  const { lineId } = line;
  const added = await tx.query(insertLine, {
    ...line,
    valueOn: line.valueOn,
    statementId: line.statementId,
    code: line.code,
    twinId: line.twinId,
    counterparty: line.counterparty ?? [],
    sealedContent: line.sealedContent,
  });
  if (added.length === 0) return false;
  await addDetails(tx, lineId, { first: 1, version: 1 }, details);
  return true;
}

/** They are numbered from `first` on. */
export async function addDetails(
  tx: Transaction,
  lineId: LineId,
  { first, version }: { readonly first: number; readonly version: number },
  details: readonly NewDetail[],
): Promise<void> {
  await tx.query(insertDetails, {
    lineId,
    version,
    numbers: details.map((_, index) => first + index),
    amountsMinor: details.map(({ amountMinor }) => amountMinor),
    endToEndIds: details.map(({ endToEndId }) => endToEndId),
    states: details.map(({ state }) => state),
    records: details.map(({ record }) => record),
    reasons: details.map(({ reason }) => reason),
  });
}

/** Returns false when it was explained before. */
export async function explain(tx: Transaction, { lineId, number }: DetailRef, record: string): Promise<boolean> {
  return (await tx.query(explainDetail, { lineId, number, record })).length > 0;
}

export async function markCounterparty(
  tx: Transaction,
  lineId: LineId,
  counterparty: readonly string[],
): Promise<void> {
  await tx.query(markLine, { lineId, counterparty });
}

/** Lines that were reported in another way, with the same amount on about the same day. */
export async function listAlikeLines(
  database: Queryable,
  { bank, currency, sign, amountMinor, bookedOn, source }: RecordedLine,
): Promise<AlikeLine[]> {
  const rows = await database.query(listAlike, { bank, currency, sign, amountMinor, bookedOn, source });
  return rows.map(({ line_id, counterparty }) => ({ lineId: storedPublicId('bnl', line_id), counterparty }));
}

/** A line that only people reported never was; one of a bank waits for another explanation. */
export async function freeLines(tx: Transaction, record: string, sign: LineSign): Promise<void> {
  const dropped = await tx.query(deleteDetails, { record, sign });
  if (dropped.length > 0) await tx.query(deleteLines, { lineIds: dropped.map(({ line_id }) => line_id) });
  await tx.query(partHalves, { record });
  await tx.query(breakDetails, { record, sign });
}

export async function listRecordsOf(database: Queryable, knownBy: string, limit: number): Promise<string[]> {
  return (await database.query(listRecords, { knownBy: [knownBy], limit })).map(({ record }) => record);
}

export async function findReferences(
  database: Queryable,
  lineIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query(listReferences, { lineIds });
  return new Map(rows.map((row) => [row.line_id, row.bank_reference]));
}

export function toDetail(row: DetailRow): StoredDetail {
  return {
    lineId: storedPublicId('bnl', row.line_id),
    number: row.number,
    bank: row.bank,
    currency: row.currency,
    sign: row.sign,
    lineAmountMinor: row.line_amount_minor,
    bookedOn: row.booked_on,
    bankReference: row.bank_reference ?? undefined,
    source: row.source,
    isOnStatement: row.is_on_statement,
    amountMinor: row.amount_minor,
    endToEndId: row.end_to_end_id ?? undefined,
    state: row.state,
    record: row.record ?? undefined,
    reason: row.reason ?? undefined,
    version: row.version,
  };
}
