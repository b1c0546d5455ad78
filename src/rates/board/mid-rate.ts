/** The mid-market rate between two currencies: from the first source that is recent enough and has both. */
import type { CurrencyCode } from '../../money/currency.js';
import { divide, multiply, type Rate, type Ratio, ratioOf } from '../../money/rate.js';
import { businessDaysBetween } from './business-days.js';

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

/** A published figure that a mid-market rate is made of. */
export interface Figure {
  readonly source: string;
  readonly currency: CurrencyCode;
}

export interface MidRate {
  readonly ratio: Ratio;
  readonly source: string;
  readonly publishedAt: Date;
  readonly figures: readonly Figure[];
}

/** Returns the preferred rate, or undefined when no source has one that is recent enough. */
export function midRate(
  sources: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): MidRate | undefined {
  for (const candidate of midRates(sources, from, to, now)) return candidate;
  return undefined;
}

/** Yields all rates of a pair, the preferred first: those of one source, then those of two sources combined. */
export function* midRates(
  sources: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): Generator<MidRate> {
  for (const source of sources) {
    const rate = rateWithin(source, from, to, now);
    if (rate) yield rate;
  }
  yield* ratesAcrossTwo(sources, from, to, now);
}

/** Calculates the rate through the base of the source, without rounding. */
function rateWithin(source: SourceRates, from: CurrencyCode, to: CurrencyCode, now: Date): MidRate | undefined {
  const target = legOf(source, to, now);
  const origin = legOf(source, from, now);
  if (!target || !origin) return undefined;
  return {
    ratio: divide(target.ratio, origin.ratio),
    source: source.source,
    publishedAt: older(target, origin),
    figures: [...origin.figures, ...target.figures],
  };
}

/** Combines a source that has `from` with another that has `to` and the base of the first. */
function* ratesAcrossTwo(
  sources: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): Generator<MidRate> {
  for (const first of sources) {
    const toBase = rateWithin(first, from, first.base, now);
    if (!toBase) continue;
    for (const second of sources) {
      const fromBase = first === second ? undefined : rateWithin(second, first.base, to, now);
      if (!fromBase) continue;
      yield {
        ratio: multiply(toBase.ratio, fromBase.ratio),
        source: `${toBase.source}+${fromBase.source}`,
        publishedAt: older(toBase, fromBase),
        figures: [...toBase.figures, ...fromBase.figures],
      };
    }
  }
}

/** The rate from the base of a source to one currency. */
interface Leg {
  readonly ratio: Ratio;
  readonly publishedAt: Date;
  readonly figures: readonly Figure[];
}

/** Undefined when the figure is missing or too old. The leg to the base itself is always 1 and never too old. */
function legOf(source: SourceRates, currency: CurrencyCode, now: Date): Leg | undefined {
  if (currency === source.base) return { ratio: { numerator: 1n, denominator: 1n }, publishedAt: now, figures: [] };
  const figure = source.rates.get(currency);
  if (!figure || businessDaysBetween(figure.publishedAt, now) > source.ageLimitBusinessDays) return undefined;
  const figures = [{ source: source.source, currency }];
  return { ratio: ratioOf(figure.rate), publishedAt: figure.publishedAt, figures };
}

function older(left: Pick<Leg, 'publishedAt'>, right: Pick<Leg, 'publishedAt'>): Date {
  return left.publishedAt.getTime() <= right.publishedAt.getTime() ? left.publishedAt : right.publishedAt;
}
