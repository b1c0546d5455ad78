/** SQL on what nothing explains, and on lines that may be one. */
import { storedPublicId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { LineId, LineSign } from '../lines/line.js';
import type { Confirmation } from '../lines/reported-store.js';

interface BreakRow {
  line_id: string;
  number: number;
  bank: string;
  currency: CurrencyCode;
  sign: LineSign;
  amount_minor: bigint;
  booked_on: string;
  bank_reference: string | null;
  end_to_end_id: string | null;
  reason: string;
  twin_id: string | null;
  alike: Alike[] | null;
  changed_at: Date;
}

/** Another line of the account with the same amount on about the same day. */
export interface Alike {
  readonly lineId: string;
  readonly bookedOn: string;
  readonly bankReference: string | null;
  /** What explains it, such as `payment:pay_1`. */
  readonly record: string | null;
}

export interface Break {
  readonly lineId: LineId;
  readonly number: number;
  readonly bank: string;
  readonly currency: CurrencyCode;
  readonly sign: LineSign;
  readonly amountMinor: bigint;
  readonly bookedOn: string;
  readonly bankReference: string | undefined;
  readonly endToEndId: string | undefined;
  readonly reason: string;
  readonly twinId: string | undefined;
  /** For a possible duplicate: what it may be, the twin included. */
  readonly alike: readonly Alike[];
  readonly since: Date;
}

const listBreaksOf = statement(
  'break-store.list',
  `SELECT detail.line_id, detail.number, line.bank, line.currency, line.sign, detail.amount_minor, line.booked_on::text,
          line.bank_reference, detail.end_to_end_id, detail.reason, line.twin_id, detail.changed_at,
          CASE WHEN detail.reason = 'possible_duplicate' THEN
            (SELECT json_agg(json_build_object('lineId', other.line_id, 'bookedOn', other.booked_on, 'bankReference',
                      other.bank_reference, 'record', part.record) ORDER BY other.booked_on, other.line_id)
               FROM bank_lines AS other JOIN bank_line_details AS part ON part.line_id = other.line_id
                 AND part.number = (SELECT min(first.number) FROM bank_line_details AS first
                                     WHERE first.line_id = other.line_id)
              WHERE other.bank = line.bank AND other.currency = line.currency AND other.sign = line.sign
                AND other.line_id <> line.line_id AND part.state <> 'replaced'
                AND (other.line_id = line.twin_id
                     OR (other.amount_minor = line.amount_minor
                         AND other.booked_on BETWEEN line.booked_on - 7 AND line.booked_on + 7))) END AS alike
     FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
    WHERE detail.state = 'break' AND line.bank = $accountId ORDER BY line.booked_on, detail.line_id, detail.number LIMIT 500`,
).rows<BreakRow>();
const listTasks = statement(
  'break-store.list-tasks',
  `SELECT detail.line_id || '.' || detail.number::text AS id, line.bank, line.currency, line.sign, detail.amount_minor,
          detail.reason, (extract(epoch FROM detail.changed_at) * 1000000)::bigint AS since_micros
     FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
    WHERE detail.state = 'break' AND ($only::text IS NULL OR detail.line_id || '.' || detail.number::text = $only)
      AND ((extract(epoch FROM detail.changed_at) * 1000000)::bigint, detail.line_id || '.' || detail.number::text) >
          ($sinceMicros::bigint, $afterId::text)
    ORDER BY since_micros, id LIMIT $limit`,
).rows<{
  id: string;
  bank: string;
  currency: CurrencyCode;
  sign: LineSign;
  amount_minor: bigint;
  reason: string;
  since_micros: bigint;
}>();
const listFileTasks = statement(
  'break-store.list-file-tasks',
  `SELECT file_id AS id, account_id, fault_count, (extract(epoch FROM finished_at) * 1000000)::bigint AS since_micros
     FROM bank_files
    WHERE fault_count > 0 AND settled_at IS NULL AND finished_at IS NOT NULL AND ($only::text IS NULL OR file_id = $only)
      AND ((extract(epoch FROM finished_at) * 1000000)::bigint, file_id) > ($sinceMicros::bigint, $afterId::text)
    ORDER BY since_micros, id LIMIT $limit`,
).rows<{ id: string; account_id: string; fault_count: number; since_micros: bigint }>();
const settleFile = statement(
  'break-store.settle-file',
  `UPDATE bank_files SET settled_at = statement_timestamp()
    WHERE file_id = $fileId AND fault_count > 0 AND settled_at IS NULL RETURNING file_id`,
).rows<{ file_id: string }>();
const findTwinOf = statement(
  'break-store.find-twin',
  `SELECT line.twin_id, line.statement_id, coalesce(told.kind = 'statement', false) AS is_statement, line.booked_on::text,
          line.bank_reference, line.known_by, max(detail.version)::int AS version
     FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
     LEFT JOIN bank_account_statements AS told ON told.statement_id = line.statement_id
    WHERE line.line_id = $lineId AND line.twin_id IS NOT NULL
      AND EXISTS (SELECT FROM bank_line_details AS waiting
                   WHERE waiting.line_id = line.line_id AND waiting.reason = 'possible_duplicate')
    GROUP BY line.line_id, told.kind`,
).rows<TwinRow>();
/** Another line may have taken the place of the twin meanwhile. */
const findTaken = statement(
  'break-store.find-taken',
  `SELECT line.twin_id FROM bank_lines AS line
    WHERE line.line_id = $lineId AND line.twin_id IS NOT NULL
      AND EXISTS (SELECT FROM bank_line_details AS detail WHERE detail.line_id = line.line_id AND detail.state = 'replaced')`,
).rows<{ twin_id: string }>();
const findAlike = statement(
  'break-store.find-alike',
  `SELECT other.line_id FROM bank_lines AS line
     JOIN bank_lines AS other ON other.bank = line.bank AND other.currency = line.currency AND other.sign = line.sign
      AND other.amount_minor = line.amount_minor AND other.line_id <> line.line_id
    WHERE line.line_id = $lineId AND other.line_id = $otherId`,
).rows<{ line_id: string }>();
const setAside = statement(
  'break-store.set-aside',
  `UPDATE bank_line_details SET state = 'replaced', reason = NULL, version = version + 1, changed_at = statement_timestamp()
    WHERE line_id = $lineId AND reason = 'possible_duplicate' RETURNING line_id`,
).rows<{ line_id: string }>();
const release = statement(
  'break-store.release',
  `UPDATE bank_line_details SET state = 'waiting', reason = NULL, version = version + 1, changed_at = statement_timestamp()
    WHERE line_id = $lineId AND reason = 'possible_duplicate' RETURNING line_id`,
).rows<{ line_id: string }>();

interface TwinRow {
  twin_id: string;
  statement_id: string;
  is_statement: boolean;
  booked_on: string;
  bank_reference: string | null;
  known_by: string[];
  version: number;
}

/** A possible duplicate: what its file says about the line, if it is the twin. */
export interface Twin {
  readonly twinId: string;
  readonly told: Omit<Confirmation, 'lineId'>;
  /** Counts the changes of what waits. */
  readonly version: number;
}

/** The oldest booking first. */
export async function listBreaks(database: Queryable, accountId: string): Promise<Break[]> {
  const rows = await database.query(listBreaksOf, { accountId });
  return rows.map((row) => ({
    lineId: storedPublicId('bnl', row.line_id),
    number: row.number,
    bank: row.bank,
    currency: row.currency,
    sign: row.sign,
    amountMinor: row.amount_minor,
    bookedOn: row.booked_on,
    bankReference: row.bank_reference ?? undefined,
    endToEndId: row.end_to_end_id ?? undefined,
    reason: row.reason,
    twinId: row.twin_id ?? undefined,
    alike: row.alike ?? [],
    since: row.changed_at,
  }));
}

export async function listBreakTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.id,
    merchantId: undefined,
    sinceMicros: row.since_micros,
    summary: `Explain a ${row.sign} on ${row.bank}: ${row.reason}`,
    path: `/operator/bank/accounts/${row.bank}/breaks`,
    amount: amount(row.currency, row.amount_minor < 0n ? -row.amount_minor : row.amount_minor),
  }));
}

export async function listBankFileTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listFileTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.id,
    merchantId: undefined,
    sinceMicros: row.since_micros,
    summary: `Look at a file of ${row.account_id}: ${row.fault_count} faults`,
    path: `/operator/bank/accounts/${row.account_id}/statements/${row.id}`,
  }));
}

/** Returns false when no fault of the file waits. */
export async function markFileSettled(tx: Transaction, fileId: string): Promise<boolean> {
  return (await tx.query(settleFile, { fileId })).length > 0;
}

/** Undefined for a line that is no possible duplicate. */
export async function findTwin(database: Queryable, lineId: string): Promise<Twin | undefined> {
  const [row] = await database.query(findTwinOf, { lineId });
  return (
    row && {
      twinId: row.twin_id,
      told: {
        statementId: row.statement_id,
        isStatement: row.is_statement,
        bookedOn: row.booked_on,
        bankReference: row.bank_reference ?? undefined,
        knownBy: row.known_by,
      },
      version: row.version,
    }
  );
}

/** The line that stands for this one: itself, unless another took its place. */
export async function findLiveLine(database: Queryable, lineId: string): Promise<LineId> {
  const passed = new Set<string>();
  for (let live = lineId; ; ) {
    passed.add(live);
    const [row] = await database.query(findTaken, { lineId: live });
    if (!row || passed.has(row.twin_id)) return storedPublicId('bnl', live);
    live = row.twin_id;
  }
}

/** Whether it is another line of the account with the same amount and direction. */
export async function isAlikeLine(database: Queryable, lineId: string, otherId: string): Promise<boolean> {
  return (await database.query(findAlike, { lineId, otherId })).length > 0;
}

/** Returns false when somebody has decided meanwhile. */
export async function decideTwin(tx: Transaction, lineId: string, isSame: boolean): Promise<boolean> {
  return (await tx.query(isSame ? setAside : release, { lineId })).length > 0;
}
