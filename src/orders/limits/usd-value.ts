/** What an order is worth in US dollars, for its limits: the mid-market rate at creation, rounded up to the cent. */
import { RemesaError } from '../../errors.js';
import type { Amount } from '../../money/amount.js';
import { type CurrencyCode, minorUnits } from '../../money/currency.js';
import { divideCeil } from '../../money/division.js';
import type { Ratio } from '../../money/rate.js';

/** The part of the rate board that values orders. */
export interface UsdRates {
  midRate(
    from: CurrencyCode,
    to: CurrencyCode,
  ): { readonly ratio: Ratio; readonly source: string } | undefined;
}

/** Stored with the order, so that a later rate does not change what the order counts for. */
export interface UsdValue {
  readonly cents: bigint;
  /** The source of the rate; `none` when the amount is in US dollars. */
  readonly source: string;
}

/** Throws `rates_unavailable` when no rate is recent enough. */
export function usdValueOf(rates: UsdRates, amountIn: Amount): UsdValue {
  if (amountIn.currency === 'USD') return { cents: amountIn.minor, source: 'none' };
  const mid = rates.midRate(amountIn.currency, 'USD');
  if (mid) return { cents: centsCeil(amountIn, mid.ratio), source: mid.source };
  throw new RemesaError(
    'unavailable',
    'rates_unavailable',
    `No rate from ${amountIn.currency} to USD is recent enough to check the limits.`,
    { retryAfterSeconds: 60 },
  );
}

/** ceil(amount × ratio) in cents. It is not an `Amount`, because it may be larger than the largest one. */
export function centsCeil({ currency, minor }: Amount, { numerator, denominator }: Ratio): bigint {
  const unit = 10n ** BigInt(minorUnits(currency));
  return divideCeil(minor * numerator * 100n, denominator * unit);
}
