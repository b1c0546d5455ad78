/** Puts the figures of all sources on a board, in the order in which the operator named the sources. */
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { rateFromLiteral } from '../../money/rate.js';
import type { RateSource } from '../sources/rate-source.js';
import type { BoardRate, SourceRates } from './mid-rate.js';

/** A source at its place in the operator's list: the first is preferred. */
export type RankedSource = Pick<RateSource, 'name' | 'ageLimitBusinessDays'>;

/** One unit of `base` is `rate` units of `currency`. */
export interface PublishedFigure {
  readonly source: string;
  readonly base: string;
  readonly currency: string;
  /** As it was published. */
  readonly rate: string;
  readonly publishedAt: Date;
}

export function boardOf(
  rankedSources: readonly RankedSource[],
  figures: readonly PublishedFigure[],
): SourceRates[] {
  return rankedSources.flatMap((ranked) =>
    sourceRates(
      ranked,
      figures.filter(({ source }) => source === ranked.name),
    ),
  );
}

/**
 * Groups the figures of a source by their base, the latest first. A source that has changed its base leaves figures
 * behind that mean something else, so figures of two bases are never combined.
 */
function sourceRates(
  { name, ageLimitBusinessDays }: RankedSource,
  figures: readonly PublishedFigure[],
): SourceRates[] {
  const latestFirst = figures.toSorted(
    (left, right) => right.publishedAt.getTime() - left.publishedAt.getTime(),
  );
  const byBase = new Map<CurrencyCode, Map<CurrencyCode, BoardRate>>();
  for (const figure of latestFirst) {
    const [base, currency] = [currencyCode(figure.base), currencyCode(figure.currency)];
    const rate = rateFromLiteral(figure.rate);
    // A currency that is not in our table cannot be quoted.
    if (!base || !currency || 'fault' in rate) continue;
    const rates = byBase.get(base) ?? new Map<CurrencyCode, BoardRate>();
    byBase.set(base, rates.set(currency, { rate, publishedAt: figure.publishedAt }));
  }
  return [...byBase].map(([base, rates]) => ({ source: name, base, rates, ageLimitBusinessDays }));
}
