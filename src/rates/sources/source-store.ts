/** SQL on the rates that sources publish. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Validators } from './rate-source.js';
import type { PublishedFigure } from './source-rates.js';

interface RateRow {
  readonly source: string;
  readonly currency: string;
  readonly base: string;
  readonly rate: string;
  readonly published_at: Date;
}

interface HeldRow extends RateRow {
  readonly previous_rate: string | null;
}

/** A held figure, with the accepted rate of the same source and currency, if there is one. */
export interface HeldFigure extends PublishedFigure {
  readonly previousRate: string | undefined;
}

export interface SourceRow {
  readonly source: string;
  readonly checked_at: Date | null;
  readonly changed_at: Date | null;
  readonly fault: string | null;
  readonly failing_since: Date | null;
}

const addSource = statement(
  'source-store.add',
  `INSERT INTO rate_sources (source, due_at) VALUES ($source, '-infinity') ON CONFLICT (source) DO NOTHING`,
);
const claimDue = statement(
  'source-store.claim-due',
  `UPDATE rate_sources SET due_at = statement_timestamp() + make_interval(secs => $forSeconds)
    WHERE source = $source AND due_at <= statement_timestamp()
   RETURNING source, etag, last_modified`,
).rows<{ source: string; etag: string | null; last_modified: string | null }>();
const recordCheck = statement(
  'source-store.record-check',
  `UPDATE rate_sources SET checked_at = clock.at, fault = $fault::text,
          failing_since = CASE WHEN $fault::text IS NOT NULL THEN coalesce(failing_since, clock.at) END,
          etag = coalesce($etag, etag), last_modified = coalesce($lastModified, last_modified)
     FROM (SELECT statement_timestamp() AS at) AS clock
    WHERE source = $source`,
);
const recordChange = statement(
  'source-store.record-change',
  'UPDATE rate_sources SET changed_at = statement_timestamp() WHERE source = $source',
);
const postpone = statement(
  'source-store.postpone',
  `UPDATE rate_sources SET due_at = statement_timestamp() + make_interval(secs => $againInSeconds)
    WHERE source = $source AND due_at > statement_timestamp()`,
);
const listSources = statement(
  'source-store.list-sources',
  'SELECT source, checked_at, changed_at, fault, failing_since FROM rate_sources ORDER BY source',
).rows<SourceRow>();
const listCurrent = statement(
  'source-store.list-current',
  'SELECT source, currency, base, rate::text, published_at FROM current_rates ORDER BY source, currency',
).rows<RateRow>();
const findAges = statement(
  'source-store.find-ages',
  `SELECT source, extract(epoch FROM statement_timestamp() - max(published_at))::float8 AS seconds
     FROM current_rates GROUP BY source`,
).rows<{ source: string; seconds: number }>();
const addHistory = statement(
  'source-store.add-history',
  `INSERT INTO rate_history (source, currency, base, rate, published_at)
   SELECT * FROM unnest($sources::text[], $currencies::text[], $bases::text[], $rates::numeric[],
     $publishedAt::timestamptz[])`,
);
const saveCurrent = statement(
  'source-store.save-current',
  `INSERT INTO current_rates (source, currency, base, rate, published_at)
   SELECT * FROM unnest($sources::text[], $currencies::text[], $bases::text[], $rates::numeric[],
     $publishedAt::timestamptz[])
   ON CONFLICT (source, currency) DO UPDATE
      SET base = excluded.base, rate = excluded.rate, published_at = excluded.published_at`,
);
const hold = statement(
  'source-store.hold',
  `INSERT INTO rate_quarantine (source, currency, base, rate, published_at, previous_rate)
   SELECT * FROM unnest($sources::text[], $currencies::text[], $bases::text[], $rates::numeric[],
     $publishedAt::timestamptz[], $previousRates::numeric[])
   ON CONFLICT (source, currency) DO UPDATE
      SET base = excluded.base, rate = excluded.rate, published_at = excluded.published_at,
          previous_rate = excluded.previous_rate, held_at = excluded.held_at`,
);
const release = statement(
  'source-store.release',
  `DELETE FROM rate_quarantine WHERE source = $source AND currency = ANY ($currencies)
   RETURNING source, currency, base, rate::text, previous_rate::text, published_at`,
).rows<HeldRow>();
const listHeld = statement(
  'source-store.list-held',
  `SELECT source, currency, base, rate::text, previous_rate::text, published_at
     FROM rate_quarantine ORDER BY held_at, source, currency`,
).rows<HeldRow>();
const makeDue = statement(
  'source-store.make-due',
  `UPDATE rate_sources SET due_at = '-infinity' WHERE source = $source`,
);
/** The newest figure of each currency and source stays, however old. */
const sweepHistory = statement(
  'source-store.sweep-history',
  `DELETE FROM rate_history WHERE id IN (
     SELECT id FROM rate_history AS old
      WHERE recorded_at < statement_timestamp() - make_interval(days => $afterDays)
        AND EXISTS (SELECT 1 FROM rate_history AS newer
                     WHERE newer.source = old.source AND newer.currency = old.currency AND newer.id > old.id)
      ORDER BY recorded_at LIMIT $limit)
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

/**
 * Undefined while another node has claimed the source or it is not due. The claim ends by itself after `forSeconds`.
 */
export async function claimSource(
  tx: Transaction,
  source: string,
  forSeconds: number,
): Promise<Validators | undefined> {
  await tx.query(addSource, { source });
  const [row] = await tx.query(claimDue, { source, forSeconds });
  if (!row) return undefined;
  return {
    ...(row.etag === null ? {} : { etag: row.etag }),
    ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
  };
}

/** Sets when the source is due again, unless an operator has made it due meanwhile. */
export async function recordSourceCheck(
  tx: Transaction,
  source: string,
  outcome: { fault?: string; validators?: Validators; isChanged: boolean; againInSeconds: number },
): Promise<void> {
  const { fault, validators, isChanged, againInSeconds } = outcome;
  const { etag, lastModified } = validators ?? {};
  await tx.query(recordCheck, { source, fault, etag, lastModified });
  if (isChanged) await tx.query(recordChange, { source });
  await tx.query(postpone, { source, againInSeconds });
}

export function listRateSources(database: Queryable): Promise<SourceRow[]> {
  return database.query(listSources);
}

/** For each source the seconds since its newest figure in use was published. */
export async function findSourceAges(database: Queryable): Promise<ReadonlyMap<string, number>> {
  return new Map((await database.query(findAges)).map(({ source, seconds }) => [source, seconds]));
}

export async function listCurrentRates(database: Queryable): Promise<PublishedFigure[]> {
  return (await database.query(listCurrent)).map(toFigure);
}

export async function saveCurrentRates(tx: Transaction, figures: readonly PublishedFigure[]): Promise<void> {
  await tx.query(addHistory, columns(figures));
  await tx.query(saveCurrent, columns(figures));
}

export async function holdRates(tx: Transaction, figures: readonly HeldFigure[]): Promise<void> {
  await tx.query(hold, {
    ...columns(figures),
    previousRates: figures.map(({ previousRate }) => previousRate ?? null),
  });
}

/** Deletes the held figures of these currencies and returns them. */
export async function releaseRates(
  tx: Transaction,
  source: string,
  currencies: readonly string[],
): Promise<HeldFigure[]> {
  return (await tx.query(release, { source, currencies })).map(toHeld);
}

export async function listHeldRates(database: Queryable): Promise<HeldFigure[]> {
  return (await database.query(listHeld)).map(toHeld);
}

/** The next run of the job asks the source. */
export async function makeSourceDue(tx: Transaction, source: string): Promise<void> {
  await tx.query(makeDue, { source });
}

export async function sweepRateHistory(tx: Transaction, afterDays: number, atMost: number): Promise<number> {
  return (await tx.query(sweepHistory, { afterDays, limit: atMost })).length;
}

function columns(figures: readonly PublishedFigure[]) {
  return {
    sources: figures.map(({ source }) => source),
    currencies: figures.map(({ currency }) => currency),
    bases: figures.map(({ base }) => base),
    rates: figures.map(({ rate }) => rate),
    publishedAt: figures.map(({ publishedAt }) => publishedAt),
  };
}

function toFigure({ source, currency, base, rate, published_at: publishedAt }: RateRow): PublishedFigure {
  return { source, currency, base, rate, publishedAt };
}

function toHeld(row: HeldRow): HeldFigure {
  return { ...toFigure(row), previousRate: row.previous_rate ?? undefined };
}
