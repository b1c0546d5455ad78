/** SQL that adds up the lines of an account, from the last day on that is closed. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { LineSums } from './day.js';

/**
 * The lines of files until the closed day are its total. Only few lines before it are looked at: those that nothing
 * explains, and those that no file has told. The first row is of the closed day.
 */
const listSums = statement(
  'sum-store.list',
  `WITH closed AS (
     SELECT day, total_minor FROM bank_closed_days
      WHERE account_id = $accountId AND day < $first::date ORDER BY day DESC LIMIT 1),
   base AS (
     SELECT coalesce((SELECT day FROM closed), date '0001-01-01') AS day,
            coalesce((SELECT total_minor FROM closed), 0) AS total_minor),
   old_break AS (
     SELECT coalesce(sum(CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END), 0) AS minor,
            count(*) AS count
       FROM bank_line_details AS detail JOIN bank_lines AS line ON line.line_id = detail.line_id
      WHERE detail.state IN ('waiting', 'break') AND line.bank = $accountId AND line.currency = $currency
        AND line.booked_on <= (SELECT day FROM base)),
   old_unconfirmed AS (
     SELECT coalesce(sum(CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END), 0) AS minor,
            coalesce(sum(CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END)
                       FILTER (WHERE detail.state = 'explained'), 0) AS explained_minor
       FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
      WHERE line.statement_id IS NULL AND line.bank = $accountId AND line.currency = $currency
        AND detail.state <> 'replaced' AND line.booked_on <= (SELECT day FROM base)),
   daily AS (
     SELECT base.day, base.total_minor + old_unconfirmed.minor AS total_minor, old_break.minor AS breaks_minor,
            old_break.count AS break_count, old_unconfirmed.explained_minor AS unconfirmed_minor
       FROM base, old_break, old_unconfirmed
     UNION ALL
     SELECT line.booked_on, sum(signed.minor),
            coalesce(sum(signed.minor) FILTER (WHERE detail.state IN ('waiting', 'break')), 0),
            count(*) FILTER (WHERE detail.state IN ('waiting', 'break')),
            coalesce(sum(signed.minor) FILTER (WHERE detail.state = 'explained' AND line.statement_id IS NULL), 0)
       FROM bank_lines AS line JOIN bank_line_details AS detail ON detail.line_id = line.line_id
      CROSS JOIN LATERAL (SELECT CASE line.sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END
                            AS minor) AS signed
      WHERE line.bank = $accountId AND line.currency = $currency AND detail.state <> 'replaced'
        AND line.booked_on > (SELECT day FROM base) AND line.booked_on <= $last::date
      GROUP BY line.booked_on)
   SELECT day::text, (sum(total_minor) OVER upto)::bigint AS total_minor,
          (sum(breaks_minor) OVER upto)::bigint AS breaks_minor, (sum(break_count) OVER upto)::int AS break_count,
          (sum(unconfirmed_minor) OVER upto)::bigint AS unconfirmed_minor
     FROM daily WINDOW upto AS (ORDER BY day) ORDER BY day`,
).rows<{ day: string; total_minor: bigint; breaks_minor: bigint; break_count: number; unconfirmed_minor: bigint }>();
const findClosed = statement(
  'sum-store.find-closed',
  'SELECT max(day)::text AS day FROM bank_closed_days WHERE account_id = $accountId',
).rows<{ day: string | null }>();
/** A line older than this is seldom told, so a day is closed once it is that old. */
const isOldEnough = statement(
  'sum-store.is-old-enough',
  'SELECT $day::date <= statement_timestamp()::date - 8 AS is_old',
).rows<{ is_old: boolean }>();
const insertClosed = statement(
  'sum-store.insert-closed',
  `INSERT INTO bank_closed_days (account_id, day, total_minor) VALUES ($accountId, $day, $totalMinor)
   ON CONFLICT (account_id, day) DO NOTHING`,
);

export interface SummedAccount {
  readonly accountId: string;
  readonly currency: string;
}

export interface DaySums extends LineSums {
  readonly day: string;
}

/** What the lines say until each day on which they changed, the first at or before `first`, in their order. */
export async function listDaySums(
  database: Queryable,
  { accountId, currency }: SummedAccount,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<DaySums[]> {
  const rows = await database.query(listSums, { accountId, currency, first, last });
  return rows.map((row) => ({
    day: row.day,
    breaksMinor: row.breaks_minor,
    breakCount: row.break_count,
    ledgerMinor: row.total_minor - row.breaks_minor,
    unconfirmedMinor: row.unconfirmed_minor,
  }));
}

/** The newest day that is closed. */
export async function findClosedDay(database: Queryable, accountId: string): Promise<string | undefined> {
  return (await database.query(findClosed, { accountId }))[0]?.day ?? undefined;
}

export async function mayBeClosed(database: Queryable, day: string): Promise<boolean> {
  return (await database.query(isOldEnough, { day }))[0]?.is_old ?? false;
}

/** The caller has locked the account, and added up its lines after that. */
export async function addClosedDay(
  tx: Transaction,
  closed: { readonly accountId: string; readonly day: string; readonly totalMinor: bigint },
): Promise<void> {
  await tx.query(insertClosed, { ...closed });
}
