/** SQL on the recorded days of safeguarding. They belong to the instance. */
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountToText } from '../../money/literal.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { SafeguardedFunds } from './safeguarding.js';

interface DayRow {
  day: string;
  report: string;
  proof: string;
  recorded_at: Date;
}

const insertDay = statement(
  'safeguarding.insert-day',
  `INSERT INTO safeguarding_days (day, report, proof) VALUES ($day::date, $report, $proof)
   ON CONFLICT (day) DO NOTHING RETURNING day::text`,
).rows<{ day: string }>();
/** A shortage keeps the time at which it began, over as many days as it lasts. */
const insertFigure = statement(
  'safeguarding.insert-figure',
  `INSERT INTO safeguarding_figures (day, currency, owed_minor, held_minor, short_since)
   SELECT $day::date, $currency, $owedMinor::bigint, $heldMinor::bigint,
          CASE WHEN $heldMinor::bigint < $owedMinor::bigint THEN coalesce(
            (SELECT short_since FROM safeguarding_figures WHERE currency = $currency AND day < $day::date
              ORDER BY day DESC LIMIT 1), clock.at) END
     FROM (SELECT statement_timestamp() AS at) AS clock`,
);
const findByDay = statement(
  'safeguarding.find-day',
  'SELECT day::text, report, proof, recorded_at FROM safeguarding_days WHERE day = $day::date',
).rows<DayRow>();
const findNewest = statement(
  'safeguarding.find-newest-day',
  'SELECT max(day)::text AS day FROM safeguarding_days',
).rows<{ day: string | null }>();
const listShort = statement(
  'safeguarding.list-short',
  `SELECT currency, day::text, owed_minor, held_minor,
          (extract(epoch FROM short_since) * 1000000)::bigint::text AS at_micros
     FROM safeguarding_figures
    WHERE day = (SELECT max(day) FROM safeguarding_days) AND short_since IS NOT NULL
      AND (short_since, currency) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR currency = $only)
    ORDER BY short_since, currency LIMIT $limit`,
).rows<{ currency: CurrencyCode; day: string; owed_minor: bigint; held_minor: bigint; at_micros: string }>();

export interface RecordedDay {
  readonly day: string;
  /** The JSON that was signed. */
  readonly report: string;
  /** A compact JWS over it. */
  readonly proof: string;
  readonly recordedAt: Date;
}

/** Returns whether the day is new. */
export async function addDay(
  tx: Transaction,
  { day, report, proof }: Omit<RecordedDay, 'recordedAt'>,
  funds: readonly SafeguardedFunds[],
): Promise<boolean> {
  if ((await tx.query(insertDay, { day, report, proof })).length === 0) return false;
  for (const { currency, owedMinor, heldMinor } of funds)
    await tx.query(insertFigure, { day, currency, owedMinor, heldMinor });
  return true;
}

export async function findDay(database: Queryable, day: string): Promise<RecordedDay | undefined> {
  const [row] = await database.query(findByDay, { day });
  return row && { day: row.day, report: row.report, proof: row.proof, recordedAt: row.recorded_at };
}

export async function newestDay(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query(findNewest);
  return row?.day ?? undefined;
}

export async function listShortTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listShort, pageValues(page));
  return rows.map(({ currency, day, owed_minor, held_minor, at_micros }) => {
    const missing = amount(currency, owed_minor - held_minor);
    return {
      id: currency,
      merchantId: undefined,
      sinceMicros: BigInt(at_micros),
      summary: `Move ${amountToText(missing)} ${currency} to an account that is kept apart: customers were owed more on ${day}.`,
      path: `/operator/reports/safeguarding?day=${day}`,
      amount: missing,
    };
  });
}
