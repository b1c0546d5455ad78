/** SQL on the days of an account: its statements beside its lines. */
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

const listDays = statement(
  'day-store.list',
  `SELECT day.*, upto.* FROM (
     SELECT bank_id, sequence::text, opening_minor, closing_on::text, closing_minor, net_minor, entries, is_whole, read_at,
            lag(closing_minor) OVER earlier AS closing_before_minor, lag(sequence) OVER earlier = sequence - 1 AS is_next
       FROM bank_account_statements
      WHERE account_id = $accountId AND kind = 'statement' AND closing_on IS NOT NULL
     WINDOW earlier AS (ORDER BY closing_on, sequence, read_at)) AS day
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
