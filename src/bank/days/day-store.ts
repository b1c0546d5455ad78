/** SQL on the days of an account: its statements beside its lines. */
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { StatementDay } from './day.js';

interface DayRow {
  bank_id: string | null;
  sequence: string | null;
  opening_minor: bigint | null;
  closing_on: string;
  closing_minor: bigint | null;
  net_minor: bigint;
  entries: number;
  is_whole: boolean;
  closing_before_minor: bigint | null;
  is_next: boolean | null;
  breaks_minor: bigint;
  break_count: number;
  ledger_minor: bigint;
  unconfirmed_minor: bigint;
}

/** A statement may come twice, with another id: each follows one that its opening balance fits, where there is one. */
const listDays = statement(
  'day-store.list',
  `SELECT day.*, earlier.closing_minor AS closing_before_minor, upto.* FROM (
     SELECT statement_id, bank_id, sequence::text, opening_minor, closing_on::text, closing_minor, net_minor, entries, is_whole,
            read_at, lag(sequence) OVER (ORDER BY closing_on, sequence, read_at) = sequence - 1 AS is_next
       FROM bank_account_statements
      WHERE account_id = $accountId AND kind = 'statement' AND closing_on IS NOT NULL) AS day
     LEFT JOIN LATERAL (
       SELECT before.closing_minor FROM bank_account_statements AS before
        WHERE before.account_id = $accountId AND before.kind = 'statement' AND before.statement_id <> day.statement_id
          AND (before.closing_on = (SELECT max(last.closing_on) FROM bank_account_statements AS last
                                     WHERE last.account_id = $accountId AND last.kind = 'statement'
                                       AND last.closing_on < day.closing_on::date)
               OR (before.closing_on = day.closing_on::date AND before.closing_minor = day.opening_minor))
        ORDER BY before.closing_minor IS NOT DISTINCT FROM day.opening_minor DESC, before.read_at DESC LIMIT 1) AS earlier ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(signed.minor) FILTER (WHERE signed.state IN ('waiting', 'break')), 0)::bigint AS breaks_minor,
             (count(*) FILTER (WHERE signed.state IN ('waiting', 'break')))::int AS break_count,
             coalesce(sum(signed.minor) FILTER (WHERE signed.state = 'explained'), 0)::bigint AS ledger_minor,
             coalesce(sum(signed.minor) FILTER (WHERE signed.state = 'explained' AND signed.statement_id IS NULL), 0)::bigint
               AS unconfirmed_minor
        FROM (SELECT detail.state, line.statement_id,
                     CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END AS minor
                FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
               WHERE line.bank = $accountId AND line.currency = $currency AND line.booked_on <= day.closing_on::date)
          AS signed) AS upto
    WHERE day.closing_on::date BETWEEN $from::date AND $to::date
    ORDER BY day.closing_on DESC, day.sequence DESC, day.read_at DESC LIMIT 400`,
).rows<DayRow>();

/** The newest statement of each account that has one, or of this account only. */
const listNewest = statement(
  'day-store.list-newest',
  `SELECT told.account_id, account.currency, max(told.closing_on)::text AS day,
          (extract(epoch FROM max(told.read_at)) * 1000000)::bigint AS read_micros
     FROM bank_account_statements AS told JOIN bank_accounts AS account ON account.account_id = told.account_id
    WHERE told.kind = 'statement' AND told.closing_on IS NOT NULL AND ($accountId::text IS NULL OR told.account_id = $accountId)
    GROUP BY told.account_id, account.currency ORDER BY told.account_id`,
).rows<{ account_id: string; currency: CurrencyCode; day: string; read_micros: bigint }>();

export interface NewestDay {
  readonly accountId: string;
  readonly currency: CurrencyCode;
  readonly day: string;
  readonly readMicros: bigint;
}

export async function listNewestDays(database: Queryable, accountId: string | null): Promise<NewestDay[]> {
  const rows = await database.query(listNewest, { accountId });
  return rows.map((row) => ({
    accountId: row.account_id,
    currency: row.currency,
    day: row.day,
    readMicros: row.read_micros,
  }));
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
    isNext: row.is_next ?? undefined,
    breaksMinor: row.breaks_minor,
    breakCount: row.break_count,
    ledgerMinor: row.ledger_minor,
    unconfirmedMinor: row.unconfirmed_minor,
  }));
}
