/** The mid-market rate between any two currencies, from layered sources: the first that is fresh and knows both. */
import type { CurrencyCode } from '../money/currency.js';
import { divide, multiply, type Rate, type Ratio, ratioOf } from '../money/rate.js';
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

export interface MidRate {
  readonly ratio: Ratio;
  readonly source: string;
  readonly publishedAt: Date;
}

export function midRate(
  board: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): MidRate | undefined {
  for (const source of board) {
    const found = within(source, from, to, now);
    if (found) return found;
  }
  return acrossTwo(board, from, to, now);
}

/** Through the source's base, exactly. */
function within(source: SourceRates, from: CurrencyCode, to: CurrencyCode, now: Date): MidRate | undefined {
  const out = fresh(source, to, now);
  const into = fresh(source, from, now);
  if (!out || !into) return undefined;
  return { ratio: divide(out.ratio, into.ratio), source: source.source, publishedAt: older(out, into) };
}

/** One source knows the one currency and another the other, and both know the base of the first. */
function acrossTwo(
  board: readonly SourceRates[],
  from: CurrencyCode,
  to: CurrencyCode,
  now: Date,
): MidRate | undefined {
  for (const first of board) {
    for (const second of board) {
      const one = first === second ? undefined : within(first, from, first.base, now);
      const other = one && within(second, first.base, to, now);
      if (one && other) {
        const publishedAt = older(one, other);
        return {
          ratio: multiply(one.ratio, other.ratio),
          source: `${one.source}+${other.source}`,
          publishedAt,
        };
      }
    }
  }
  return undefined;
}

interface Leg {
  readonly ratio: Ratio;
  readonly publishedAt: Date;
}

/** The base itself is always one, and as fresh as can be: its age is that of the other leg. */
function fresh(source: SourceRates, currency: CurrencyCode, now: Date): Leg | undefined {
  if (currency === source.base) return { ratio: { numerator: 1n, denominator: 1n }, publishedAt: now };
  const found = source.rates.get(currency);
  if (!found || businessDaysBetween(found.publishedAt, now) > source.ageLimitBusinessDays) return undefined;
  return { ratio: ratioOf(found.rate), publishedAt: found.publishedAt };
}

function older(one: Leg, other: Leg): Date {
  const isOneOlder = one.publishedAt.getTime() <= other.publishedAt.getTime();
  return isOneOlder ? one.publishedAt : other.publishedAt;
}
