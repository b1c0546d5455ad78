/** What a pair of currencies was worth, day by day or hour by hour. */
import { invalidField } from '../../errors.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Board } from '../board/board.js';
import { type MidRate, midRate } from '../board/mid-rate.js';
import { corridorUnavailable } from '../refusals.js';
import { sourceRates } from '../sources/source-rates.js';
import { longestRange, type Period, periodsIn, type Range } from './periods.js';
import { listBaseCurrencies, listFiguresInForce } from './rate-history-store.js';

export interface HistoryRequest extends Range {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
  /** Only periods that begin after this time. */
  readonly after: Date | undefined;
  readonly limit: number;
}

export interface HistoricRate extends Period {
  readonly rate: MidRate;
}

export interface HistoryPage {
  readonly rates: readonly HistoricRate[];
  /** The start of the last period that was looked at; undefined on the last page. */
  readonly next: Date | undefined;
}

/**
 * The mid-market rate at the end of each period, from the first source that had one that was recent enough. Periods
 * without a rate are left out. Throws `corridor_unavailable`, and `invalid_fields` for a range that is too long.
 */
export async function rateHistory(database: Queryable, board: Board, request: HistoryRequest): Promise<HistoryPage> {
  const { fiatIn, fiatOut, by, after, limit } = request;
  if (!board.corridor(fiatIn, fiatOut)) throw corridorUnavailable(fiatIn, fiatOut);
  const all = periodsIn(request, board.clock.now());
  if (!all) throw invalidField('from', 'out_of_range', `must be at most ${longestRange[by]} ${by}s before the end`);
  const left = after ? all.filter(({ start }) => start > after) : all;
  const periods = left.slice(0, limit);
  const sources = board.sources.map(({ name }) => name);
  const currencies = [...new Set([fiatIn, fiatOut, ...(await listBaseCurrencies(database, sources))])];
  const ends = periods.map(({ end }) => end);
  const figures = await listFiguresInForce(database, ends, { sources, currencies });
  const rates = periods.flatMap(({ start, end }): HistoricRate[] => {
    const known = sourceRates(board.sources, figures.get(end.getTime()) ?? []);
    const rate = midRate(known, { fiatIn, fiatOut }, end);
    return rate ? [{ start, end, rate }] : [];
  });
  return { rates, next: left.length > periods.length ? periods.at(-1)?.start : undefined };
}
