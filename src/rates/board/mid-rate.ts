/** The mid-market rate between any two currencies, from layered sources: the first that is fresh and knows both. */
import type { CurrencyCode } from '../../money/currency.js';
import { divide, multiply, type Rate, type Ratio, ratioOf } from '../../money/rate.js';
import { businessDaysBetween } from './business-days.js';

export interface BoardRate {
  readonly rate: Rate;
  readonly publishedAt: Date;
}

export interface SourceRates {
  readonly source: string;
  readonly base: CurrencyCode;
  readonly rates: ReadonlyMap<CurrencyCode, BoardRate>;
  readonly ageLimitBusinessDays: number;
}

/** One published figure that a mid-market rate was made of. */
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

export function midRate(
  board: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): MidRate | undefined {
  for (const candidate of midRates(board, from, to, now)) return candidate;
  return undefined;
}

/** All that the board can say about a pair, the preferred first: one source alone, then two put together. */
export function* midRates(
  board: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): Generator<MidRate> {
  for (const source of board) {
    const found = within(source, from, to, now);
    if (found) yield found;
  }
  yield* acrossTwo(board, from, to, now);
}

/** Through the source's base, exactly. */
function within(source: SourceRates, from: CurrencyCode, to: CurrencyCode, now: Date): MidRate | undefined {
  const out = fresh(source, to, now);
  const into = fresh(source, from, now);
  if (!out || !into) return undefined;
  return {
    ratio: divide(out.ratio, into.ratio),
    source: source.source,
    publishedAt: older(out, into),
    figures: [...into.figures, ...out.figures],
  };
}

/** One source knows the one currency and another the other, and both know the base of the first. */
function* acrossTwo(
  board: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): Generator<MidRate> {
  for (const first of board) {
    const toBase = within(first, from, first.base, now);
    if (!toBase) continue;
    for (const second of board) {
      const fromBase = first === second ? undefined : within(second, first.base, to, now);
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

interface Leg {
  readonly ratio: Ratio;
  readonly publishedAt: Date;
  readonly figures: readonly Figure[];
}

/** The base itself is always one, and as fresh as can be: its age is that of the other leg. */
function fresh(source: SourceRates, currency: CurrencyCode, now: Date): Leg | undefined {
  if (currency === source.base)
    return { ratio: { numerator: 1n, denominator: 1n }, publishedAt: now, figures: [] };
  const found = source.rates.get(currency);
  if (!found || businessDaysBetween(found.publishedAt, now) > source.ageLimitBusinessDays) return undefined;
  const figures = [{ source: source.source, currency }];
  return { ratio: ratioOf(found.rate), publishedAt: found.publishedAt, figures };
}

function older(one: Pick<Leg, 'publishedAt'>, other: Pick<Leg, 'publishedAt'>): Date {
  const isOneOlder = one.publishedAt.getTime() <= other.publishedAt.getTime();
  return isOneOlder ? one.publishedAt : other.publishedAt;
}
