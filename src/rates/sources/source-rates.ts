/** Groups the published figures by source and base, in the order in which the operator named the sources. */
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { type Rate, rateFromLiteral } from '../../money/rate.js';
import type { RateSource } from './rate-source.js';

export interface DatedRate {
  readonly rate: Rate;
  readonly publishedAt: Date;
}

export interface SourceRates {
  readonly source: string;
  readonly base: CurrencyCode;
  readonly rates: ReadonlyMap<CurrencyCode, DatedRate>;
  readonly ageLimitBusinessDays: number;
}

/** A source in a list that begins with the preferred one. */
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

export function sourceRates(sources: readonly RankedSource[], figures: readonly PublishedFigure[]): SourceRates[] {
  return sources.flatMap((source) =>
    ratesByBase(
      source,
      figures.filter((figure) => figure.source === source.name),
    ),
  );
}

/**
 * Returns one entry for each base, the latest first. A source that has changed its base leaves figures of the old base
 * behind, and figures of different bases must not be combined.
 */
function ratesByBase({ name, ageLimitBusinessDays }: RankedSource, figures: readonly PublishedFigure[]): SourceRates[] {
  const latestFirst = figures.toSorted((left, right) => right.publishedAt.getTime() - left.publishedAt.getTime());
  const byBase = new Map<CurrencyCode, Map<CurrencyCode, DatedRate>>();
  for (const figure of latestFirst) {
    const [base, currency] = [currencyCode(figure.base), currencyCode(figure.currency)];
    const rate = rateFromLiteral(figure.rate);
    // A currency that is not in our table cannot be quoted.
    if (!base || !currency || 'fault' in rate) continue;
    const rates = byBase.get(base) ?? new Map<CurrencyCode, DatedRate>();
    byBase.set(base, rates.set(currency, { rate, publishedAt: figure.publishedAt }));
  }
  return [...byBase].map(([base, rates]) => ({ source: name, base, rates, ageLimitBusinessDays }));
}
