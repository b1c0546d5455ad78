/** The mid-market rate between two currencies: from the first source that is recent enough and has both. */
import type { CurrencyCode } from '../../money/currency.js';
import { divide, multiply, type Ratio, ratioOf } from '../../money/rate.js';
import type { SourceRates } from '../sources/source-rates.js';
import { businessDaysBetween } from './business-days.js';

/** A published figure that a mid-market rate is made of. */
export interface Figure {
  readonly source: string;
  readonly currency: CurrencyCode;
}

/** Two mirrors of the ECB's figures are called `ecb` and `ecb-2`. */
export function isEcb(source: string): boolean {
  return /^ecb(-\d+)?$/.test(source);
}

export interface MidRate {
  readonly ratio: Ratio;
  readonly source: string;
  readonly publishedAt: Date;
  readonly figures: readonly Figure[];
}

/** What is asked for. `rateMaxAgeHours` is absent where only the limits of the sources count. */
export interface AskedRate {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
  readonly rateMaxAgeHours?: number;
}

/** Returns the preferred rate, or undefined when no source has one that is recent enough. */
export function midRate(sources: readonly SourceRates[], asked: AskedRate, now: Date): MidRate | undefined {
  for (const candidate of midRates(sources, asked, now)) return candidate;
  return undefined;
}

/** Yields all rates of a pair, the preferred first: those of one source, then those of two sources combined. */
export function* midRates(sources: readonly SourceRates[], asked: AskedRate, now: Date): Generator<MidRate> {
  yield* ratesWithinOne(sources, asked, now);
  yield* ratesAcrossTwo(sources, asked, now);
}

/** Yields the rates of those sources that have both currencies. */
export function* ratesWithinOne(sources: readonly SourceRates[], asked: AskedRate, now: Date): Generator<MidRate> {
  const oldest = oldestOf(asked, now);
  for (const source of sources) {
    const rate = rateWithin(source, asked, oldest);
    if (rate) yield rate;
  }
}

/** What counts as too old at this moment. */
interface Oldest {
  readonly now: Date;
  readonly hours: number;
}

function oldestOf({ rateMaxAgeHours = Number.POSITIVE_INFINITY }: AskedRate, now: Date): Oldest {
  return { now, hours: rateMaxAgeHours };
}

/** Calculates the rate through the base of the source, without rounding. */
function rateWithin(
  source: SourceRates,
  { fiatIn, fiatOut }: Pick<AskedRate, 'fiatIn' | 'fiatOut'>,
  oldest: Oldest,
): MidRate | undefined {
  const target = legOf(source, fiatOut, oldest);
  const origin = legOf(source, fiatIn, oldest);
  if (!target || !origin) return undefined;
  return {
    ratio: divide(target.ratio, origin.ratio),
    source: source.source,
    publishedAt: older(target, origin),
    figures: [...origin.figures, ...target.figures],
  };
}

/** Combines a source that has `from` with another that has `to` and the base of the first. */
function* ratesAcrossTwo(sources: readonly SourceRates[], asked: AskedRate, now: Date): Generator<MidRate> {
  const oldest = oldestOf(asked, now);
  const { fiatIn, fiatOut } = asked;
  for (const first of sources) {
    const toBase = rateWithin(first, { fiatIn, fiatOut: first.base }, oldest);
    if (!toBase) continue;
    for (const second of sources) {
      const fromBase = first === second ? undefined : rateWithin(second, { fiatIn: first.base, fiatOut }, oldest);
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
function legOf(source: SourceRates, currency: CurrencyCode, oldest: Oldest): Leg | undefined {
  if (currency === source.base)
    return { ratio: { numerator: 1n, denominator: 1n }, publishedAt: oldest.now, figures: [] };
  const figure = source.rates.get(currency);
  if (!figure || isTooOld(source, figure.publishedAt, oldest)) return undefined;
  const figures = [{ source: source.source, currency }];
  return { ratio: ratioOf(figure.rate), publishedAt: figure.publishedAt, figures };
}

const hourMs = 3_600_000;

/** The rates of a source without a limit, that of the sandbox, are never too old. */
function isTooOld({ ageLimitBusinessDays }: SourceRates, publishedAt: Date, { now, hours }: Oldest): boolean {
  if (ageLimitBusinessDays === Number.POSITIVE_INFINITY) return false;
  return (
    businessDaysBetween(publishedAt, now) > ageLimitBusinessDays ||
    now.getTime() - publishedAt.getTime() > hours * hourMs
  );
}

function older(left: Pick<Leg, 'publishedAt'>, right: Pick<Leg, 'publishedAt'>): Date {
  return left.publishedAt.getTime() <= right.publishedAt.getTime() ? left.publishedAt : right.publishedAt;
}
