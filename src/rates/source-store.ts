/** SQL on the rates that sources publish. */
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import { rateFromLiteral } from '../money/rate.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { BoardRate } from './rate-board.js';
import type { Validators } from './rate-source.js';

export interface RateRow {
  readonly source: string;
  readonly currency: string;
  readonly base: string;
  readonly rate: string;
  readonly published_at: Date;
}

export interface QuarantineRow extends RateRow {
  readonly previous_rate: string;
  readonly held_at: Date;
}

export interface SourceRow {
  readonly source: string;
  readonly checked_at: Date | null;
  readonly changed_at: Date | null;
  readonly fault: string | null;
}

const claimDue = statement<{ source: string; etag: string | null; last_modified: string | null }>(
  'source-store.claim-due',
  `INSERT INTO rate_sources AS s (source, due_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
   ON CONFLICT (source) DO UPDATE SET due_at = excluded.due_at WHERE s.due_at <= clock_timestamp()
   RETURNING source, etag, last_modified`,
);
const recordCheck = statement(
  'source-store.record-check',
  `UPDATE rate_sources SET checked_at = clock_timestamp(), fault = $2,
          etag = coalesce($3, etag), last_modified = coalesce($4, last_modified),
          changed_at = CASE WHEN $5 THEN clock_timestamp() ELSE changed_at END
    WHERE source = $1`,
);
const listSources = statement<SourceRow>(
  'source-store.list-sources',
  'SELECT source, checked_at, changed_at, fault FROM rate_sources ORDER BY source',
);
const listCurrent = statement<RateRow>(
  'source-store.list-current',
  'SELECT source, currency, base, rate::text, published_at FROM current_rates ORDER BY source, currency',
);
const saveCurrent = statement(
  'source-store.save-current',
  `WITH given AS (
     SELECT $1::text AS source, currency, $2::text AS base, rate, $3::timestamptz AS published_at
       FROM unnest($4::text[], $5::numeric[]) AS one (currency, rate)),
   history AS (
     INSERT INTO rate_history (source, currency, base, rate, published_at)
     SELECT source, currency, base, rate, published_at FROM given)
   INSERT INTO current_rates (source, currency, base, rate, published_at)
   SELECT source, currency, base, rate, published_at FROM given
   ON CONFLICT (source, currency) DO UPDATE
      SET base = excluded.base, rate = excluded.rate, published_at = excluded.published_at`,
);
const hold = statement(
  'source-store.hold',
  `INSERT INTO rate_quarantine (source, currency, base, rate, previous_rate, published_at)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (source, currency) DO UPDATE
      SET base = excluded.base, rate = excluded.rate, published_at = excluded.published_at, held_at = clock_timestamp()`,
);
const release = statement<QuarantineRow>(
  'source-store.release',
  `DELETE FROM rate_quarantine WHERE source = $1 AND currency = ANY ($2)
   RETURNING source, currency, base, rate::text, previous_rate::text, published_at, held_at`,
);
const listHeld = statement<QuarantineRow>(
  'source-store.list-held',
  `SELECT source, currency, base, rate::text, previous_rate::text, published_at, held_at
     FROM rate_quarantine ORDER BY held_at`,
);

/** Undefined while another node has the source, or it is not yet time. */
export async function claimSource(
  tx: Transaction,
  source: string,
  againInSeconds: number,
): Promise<Validators | undefined> {
  const [row] = await tx.query(claimDue, [source, againInSeconds]);
  if (!row) return undefined;
  return {
    ...(row.etag === null ? {} : { etag: row.etag }),
    ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
  };
}

export async function recordSourceCheck(
  tx: Transaction,
  source: string,
  outcome: { fault?: string; validators?: Validators; isChanged: boolean },
): Promise<void> {
  const { fault = null, validators, isChanged } = outcome;
  await tx.query(recordCheck, [
    source,
    fault,
    validators?.etag ?? null,
    validators?.lastModified ?? null,
    isChanged,
  ]);
}

export function listRateSources(database: Queryable): Promise<SourceRow[]> {
  return database.query(listSources);
}

export function listCurrentRates(database: Queryable): Promise<RateRow[]> {
  return database.query(listCurrent);
}

export async function saveCurrentRates(
  tx: Transaction,
  source: string,
  published: { base: string; publishedAt: Date },
  rates: readonly (readonly [string, string])[],
): Promise<void> {
  const { base, publishedAt } = published;
  const codes = rates.map(([code]) => code);
  await tx.query(saveCurrent, [source, base, publishedAt, codes, rates.map(([, rate]) => rate)]);
}

export async function holdRate(tx: Transaction, row: Omit<QuarantineRow, 'held_at'>): Promise<void> {
  await tx.query(hold, [row.source, row.currency, row.base, row.rate, row.previous_rate, row.published_at]);
}

export function releaseRates(
  tx: Transaction,
  source: string,
  currencies: readonly string[],
): Promise<QuarantineRow[]> {
  return tx.query(release, [source, currencies]);
}

export function listHeldRates(database: Queryable): Promise<QuarantineRow[]> {
  return database.query(listHeld);
}

/** What the board can use of a row; a currency that we do not know is left out. */
export function boardRate(row: RateRow): [CurrencyCode, BoardRate] | undefined {
  const code = currencyCode(row.currency);
  const rate = rateFromLiteral(row.rate);
  return code === undefined || 'fault' in rate ? undefined : [code, { rate, publishedAt: row.published_at }];
}
