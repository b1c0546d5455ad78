/** SQL on the days of an account: its statements beside its lines. */
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { StatementDay } from './day.js';

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
  breaks_minor: bigint;
  break_count: number;
  ledger_minor: bigint;
  unconfirmed_minor: bigint;
}

/**
 * A statement may come twice under different ids. Each follows a statement that closed with its opening balance, if
 * there is such a statement. The lines are added up once, day by day.
 */
const listDays = statement(
  'day-store.list',
  `WITH daily AS (
     SELECT line.booked_on,
            coalesce(sum(signed.minor) FILTER (WHERE detail.state IN ('waiting', 'break')), 0) AS breaks_minor,
            count(*) FILTER (WHERE detail.state IN ('waiting', 'break')) AS break_count,
            coalesce(sum(signed.minor) FILTER (WHERE detail.state = 'explained'), 0) AS ledger_minor,
            coalesce(sum(signed.minor) FILTER (WHERE detail.state = 'explained' AND line.statement_id IS NULL), 0)
              AS unconfirmed_minor
       FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
      CROSS JOIN LATERAL (SELECT CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END
                            AS minor) AS signed
      WHERE line.bank = $accountId AND line.currency = $currency AND line.booked_on <= $to::date
      GROUP BY line.booked_on),
   added AS (
     SELECT booked_on, sum(breaks_minor) OVER upto AS breaks_minor, sum(break_count) OVER upto AS break_count,
            sum(ledger_minor) OVER upto AS ledger_minor, sum(unconfirmed_minor) OVER upto AS unconfirmed_minor
       FROM daily WINDOW upto AS (ORDER BY booked_on)),
   day AS (
     SELECT statement_id, bank_id, sequence, opening_minor, closing_on, closing_minor, net_minor, entries, is_whole, read_at,
            lag(sequence) OVER (ORDER BY closing_on, sequence, read_at) AS sequence_before
       FROM bank_account_statements
      WHERE account_id = $accountId AND kind = 'statement' AND closing_on IS NOT NULL)
   SELECT day.bank_id, day.sequence, day.opening_minor, day.closing_on::text, day.closing_minor, day.net_minor, day.entries,
          day.is_whole, day.sequence_before, earlier.closing_minor AS closing_before_minor,
          (extract(epoch FROM day.read_at) * 1000000)::bigint AS read_micros,
          coalesce(upto.breaks_minor, 0)::bigint AS breaks_minor, coalesce(upto.break_count, 0)::int AS break_count,
          coalesce(upto.ledger_minor, 0)::bigint AS ledger_minor,
          coalesce(upto.unconfirmed_minor, 0)::bigint AS unconfirmed_minor
     FROM day
     LEFT JOIN LATERAL (
       SELECT before.closing_minor FROM day AS before
        WHERE before.statement_id <> day.statement_id
          AND (before.closing_on = (SELECT max(last.closing_on) FROM day AS last WHERE last.closing_on < day.closing_on)
               OR (before.closing_on = day.closing_on AND before.closing_minor = day.opening_minor))
        ORDER BY coalesce(before.sequence = day.sequence_before, false) DESC,
                 before.closing_minor IS NOT DISTINCT FROM day.opening_minor DESC, before.read_at DESC LIMIT 1) AS earlier ON true
     LEFT JOIN LATERAL (SELECT * FROM added WHERE added.booked_on <= day.closing_on
                         ORDER BY added.booked_on DESC LIMIT 1) AS upto ON true
    WHERE day.closing_on BETWEEN $from::date AND $to::date
    ORDER BY day.closing_on DESC, day.sequence DESC, day.read_at DESC LIMIT 400`,
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
const sumExplained = statement(
  'day-store.sum-explained',
  `SELECT coalesce(sum(CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END), 0)::bigint AS minor
     FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
    WHERE line.bank = $accountId AND line.currency = $currency AND detail.state = 'explained'`,
).rows<{ minor: bigint }>();
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

/** What the explained lines of an account say that the ledger holds. */
export async function sumOfExplained(
  database: Queryable,
  { accountId, currency }: Pick<ToldAccount, 'accountId' | 'currency'>,
): Promise<bigint> {
  return (await database.query(sumExplained, { accountId, currency }))[0]?.minor ?? 0n;
}

export async function saveBooksDifference(
  tx: Transaction,
  accountId: string,
  minor: bigint | undefined,
): Promise<void> {
  await tx.query(saveDifference, { accountId, minor: minor ?? null });
}

/** The newest first. */
export async function listStatementDays(
  database: Queryable,
  asked: { readonly accountId: string; readonly currency: string; readonly from: string; readonly to: string },
): Promise<StatementDay[]> {
  const rows = await database.query(listDays, { ...asked });
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
    breaksMinor: row.breaks_minor,
    breakCount: row.break_count,
    ledgerMinor: row.ledger_minor,
    unconfirmedMinor: row.unconfirmed_minor,
  }));
}
