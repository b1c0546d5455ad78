/** What an order is worth in US dollars, for its limits: the mid-market rate at creation, rounded up to the cent. */
import type { Amount } from '../../money/amount.js';
import { type CurrencyCode, minorUnits } from '../../money/currency.js';
import { divideCeil } from '../../money/division.js';
import type { Ratio } from '../../money/rate.js';
import type { CountedValue } from '../order/order.js';

/** The part of the rate board that values orders. */
export interface UsdRates {
  midRate(from: CurrencyCode, to: CurrencyCode): { readonly ratio: Ratio; readonly source: string } | undefined;
}

/** The source of a value that needs no rate. */
const noRate = 'none';

/** Undefined when no rate is recent enough. */
export function usdValueOf(rates: UsdRates, amountIn: Amount): CountedValue | undefined {
  if (amountIn.currency === 'USD') return { usdMinor: amountIn.minor, rateSource: noRate };
  const mid = rates.midRate(amountIn.currency, 'USD');
  return mid && { usdMinor: centsCeil(amountIn, mid.ratio), rateSource: mid.source };
}

/** ceil(amount × ratio) in cents. It is not an `Amount`, because it may be larger than the largest one. */
export function centsCeil({ currency, minor }: Amount, { numerator, denominator }: Ratio): bigint {
  const unit = 10n ** BigInt(minorUnits(currency));
  return divideCeil(minor * numerator * 100n, denominator * unit);
}
