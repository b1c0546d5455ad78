/** SQL on the rates that sources have published over time. */
import { type Queryable, statement } from '../../postgres/statement.js';
import type { PublishedFigure } from '../sources/source-rates.js';

interface FigureRow {
  readonly at: Date;
  readonly source: string;
  readonly currency: string;
  readonly base: string;
  readonly rate: string;
  readonly published_at: Date;
}

const listInForce = statement(
  'rate-history-store.list-in-force',
  `SELECT asked.at, figure.source, figure.currency, figure.base, figure.rate, figure.published_at
     FROM unnest($times::timestamptz[]) AS asked (at)
    CROSS JOIN unnest($sources::text[]) AS publisher (source)
    CROSS JOIN unnest($currencies::text[]) AS known (currency)
    CROSS JOIN LATERAL (
      SELECT source, currency, base, rate, published_at FROM rate_history
       WHERE source = publisher.source AND currency = known.currency AND recorded_at < asked.at
       ORDER BY recorded_at DESC, id DESC LIMIT 1) AS figure`,
).rows<FigureRow>();
const listBases = statement(
  'rate-history-store.list-bases',
  'SELECT DISTINCT base FROM current_rates WHERE source = ANY ($sources::text[])',
).rows<{ base: string }>();

/** What each source last said before each of these times, by the time in milliseconds. */
export async function listFiguresInForce(
  database: Queryable,
  times: readonly Date[],
  { sources, currencies }: { readonly sources: readonly string[]; readonly currencies: readonly string[] },
): Promise<ReadonlyMap<number, readonly PublishedFigure[]>> {
  const figures = new Map<number, PublishedFigure[]>();
  for (const row of await database.query(listInForce, { times, sources, currencies })) {
    const { source, currency, base, rate, published_at: publishedAt } = row;
    const ofTime = figures.get(row.at.getTime()) ?? [];
    figures.set(row.at.getTime(), [...ofTime, { source, currency, base, rate, publishedAt }]);
  }
  return figures;
}

/** The currencies through which the sources cross. */
export async function listBaseCurrencies(database: Queryable, sources: readonly string[]): Promise<string[]> {
  return (await database.query(listBases, { sources })).map(({ base }) => base);
}
