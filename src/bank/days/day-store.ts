/** SQL on the days of an account: its statements beside its lines. */
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { LineSums, StatementDay } from './day.js';

interface DayRow {
  bank_id: string | null;
  sequence: bigint | null;
  opening_minor: bigint | null;
  closing_on: string;
  closing_minor: bigint | null;
  net_minor: bigint;
  entries: number;
  is_whole: boolean;
  closing_before_minor: bigint | null;
  sequence_before: bigint | null;
  read_micros: bigint;
}

/**
 * A statement may come twice under different ids. Each follows a statement that closed with its opening balance, if
 * there is such a statement.
 */
const listStatements = statement(
  'day-store.list-statements',
  `WITH day AS (
     SELECT statement_id, bank_id, sequence, opening_minor, closing_on, closing_minor, net_minor, entries, is_whole, read_at,
            lag(sequence) OVER (ORDER BY closing_on, sequence, read_at) AS sequence_before,
            max(closing_on) OVER (ORDER BY closing_on RANGE BETWEEN UNBOUNDED PRECEDING AND interval '1 day' PRECEDING)
              AS day_before
       FROM bank_account_statements
      WHERE account_id = $accountId AND kind = 'statement' AND closing_on <= $to::date
        AND closing_on >= coalesce((SELECT max(last.closing_on) FROM bank_account_statements AS last
                                     WHERE last.account_id = $accountId AND last.kind = 'statement'
                                       AND last.closing_on < $from::date), $from::date))
   SELECT day.bank_id, day.sequence, day.opening_minor, day.closing_on::text, day.closing_minor, day.net_minor, day.entries,
          day.is_whole, day.sequence_before, earlier.closing_minor AS closing_before_minor,
          (extract(epoch FROM day.read_at) * 1000000)::bigint AS read_micros
     FROM day
     LEFT JOIN LATERAL (
       SELECT before.closing_minor FROM bank_account_statements AS before
        WHERE before.account_id = $accountId AND before.kind = 'statement' AND before.statement_id <> day.statement_id
          AND before.closing_on = ANY (ARRAY[day.day_before, day.closing_on])
          AND (before.closing_on = day.day_before OR before.closing_minor = day.opening_minor)
        ORDER BY coalesce(before.sequence = day.sequence_before, false) DESC,
                 before.closing_minor IS NOT DISTINCT FROM day.opening_minor DESC, before.read_at DESC LIMIT 1) AS earlier ON true
    WHERE day.closing_on BETWEEN $from::date AND $to::date
    ORDER BY day.closing_on DESC, day.sequence DESC, day.read_at DESC LIMIT $limit`,
).rows<DayRow>();

/** The accounts that have statements, or this one only, each with the newest days that it has one of. */
const listTold = statement(
  'day-store.list-told',
  `SELECT account.account_id, account.currency, (statement_timestamp() AT TIME ZONE account.time_zone)::date::text AS today,
          ARRAY(SELECT DISTINCT told.closing_on::text FROM bank_account_statements AS told
                 WHERE told.account_id = account.account_id AND told.kind = 'statement' AND told.closing_on IS NOT NULL
                 ORDER BY 1 DESC LIMIT 6) AS days,
          account.books_difference_minor,
          (extract(epoch FROM account.books_differ_since) * 1000000)::bigint AS books_differ_micros
     FROM bank_accounts AS account
    WHERE $accountId::text IS NULL OR account.account_id = $accountId ORDER BY account.account_id`,
).rows<{
  account_id: string;
  currency: CurrencyCode;
  today: string;
  days: string[];
  books_difference_minor: bigint | null;
  books_differ_micros: bigint | null;
}>();
const saveDifference = statement(
  'day-store.save-difference',
  `UPDATE bank_accounts SET books_difference_minor = $minor,
          books_differ_since = CASE WHEN $minor::bigint IS NULL THEN NULL ELSE coalesce(books_differ_since, clock.now) END
     FROM (SELECT statement_timestamp() AS now) AS clock
    WHERE account_id = $accountId AND books_difference_minor IS DISTINCT FROM $minor::bigint`,
);

export interface ToldAccount {
  readonly accountId: string;
  readonly currency: CurrencyCode;
  /** At the bank. */
  readonly today: string;
  /** The newest first. */
  readonly days: readonly string[];
  /** What the ledger has more than the lines; undefined while they agree. */
  readonly booksDifference: { readonly minor: bigint; readonly sinceMicros: bigint } | undefined;
}

export async function listToldAccounts(database: Queryable, accountId: string | null): Promise<ToldAccount[]> {
  const rows = await database.query(listTold, { accountId });
  return rows.map(({ books_difference_minor: minor, books_differ_micros: sinceMicros, ...row }) => ({
    accountId: row.account_id,
    currency: row.currency,
    today: row.today,
    days: row.days,
    booksDifference: minor === null || sinceMicros === null ? undefined : { minor, sinceMicros },
  }));
}

export async function saveBooksDifference(
  tx: Transaction,
  accountId: string,
  minor: bigint | undefined,
): Promise<void> {
  await tx.query(saveDifference, { accountId, minor: minor ?? null });
}

/** What a statement says, without what the lines say until its day. */
export type ToldDay = Omit<StatementDay, keyof LineSums>;

/** The newest first. */
export async function listToldDays(
  database: Queryable,
  asked: { readonly accountId: string; readonly from: string; readonly to: string; readonly limit: number },
): Promise<ToldDay[]> {
  const { accountId, from, to, limit } = asked;
  const rows = await database.query(listStatements, { accountId, from, to, limit });
  return rows.map((row) => ({
    day: row.closing_on,
    bankId: row.bank_id ?? undefined,
    sequence: row.sequence ?? undefined,
    openingMinor: row.opening_minor ?? undefined,
    closingMinor: row.closing_minor ?? undefined,
    netMinor: row.net_minor,
    entries: row.entries,
    isWhole: row.is_whole,
    closingBeforeMinor: row.closing_before_minor ?? undefined,
    sequenceBefore: row.sequence_before ?? undefined,
    readMicros: row.read_micros,
  }));
}
