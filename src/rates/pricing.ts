/** Calculates a price: exact up to one rounding, which is in our favour and documented. */
import { type Amount, amount } from '../money/amount.js';
import { feeCeil } from '../money/basis-points.js';
import { minorUnits } from '../money/currency.js';
import {
  convertFloor,
  mostConvertible,
  multiply,
  type Rate,
  type Ratio,
  roundDownToSignificant,
} from '../money/rate.js';
import type { Corridor } from './corridors/corridor.js';

export interface Price {
  readonly fee: Amount;
  /** Includes the margin and the fee, so that anyone can check `amountOut = floor(amountIn × rate)`. */
  readonly rate: Rate;
  readonly amountOut: Amount;
}

export type PriceRefusal =
  | { readonly refusal: 'amount_out_of_range'; readonly min: Amount; readonly max: Amount }
  | { readonly refusal: 'payout_below_minimum'; readonly min: Amount };

const significantDigits = 10;

/** Returns the price of sending `amountIn`, or why it cannot be sent. */
export function price(corridor: Corridor, mid: Ratio, amountIn: Amount): Price | PriceRefusal {
  const { fiatIn, fiatOut } = corridor;
  const beforeFee = rateBeforeFee(corridor, mid);
  const { min, max } = limitsOf(corridor, beforeFee);
  if (amountIn.minor < min.minor || amountIn.minor > max.minor) return { refusal: 'amount_out_of_range', min, max };

  const minOut = amount(fiatOut, corridor.minOutMinor);
  const belowMinimum = { refusal: 'payout_below_minimum', min: minOut } as const;
  const feeMinor = feeOf(corridor, amountIn);
  if (feeMinor >= amountIn.minor) return belowMinimum;

  const afterFee = { numerator: amountIn.minor - feeMinor, denominator: amountIn.minor };
  const rate = roundDownToSignificant(multiply(beforeFee, afterFee), significantDigits);
  const amountOut = convertFloor(amountIn, rate, fiatOut);
  const fee = amount(fiatIn, feeMinor);
  return amountOut.minor < minOut.minor ? belowMinimum : { fee, rate, amountOut };
}

/**
 * Returns the smallest amount whose price makes at least `wanted` arrive, or why there is none. Above 10^12 minor
 * units, it may be larger than the smallest one by a billionth.
 */
export function amountInFor(corridor: Corridor, mid: Ratio, wanted: Amount): Amount | PriceRefusal {
  const { fiatIn, fiatOut, minOutMinor } = corridor;
  if (wanted.minor < minOutMinor) return { refusal: 'payout_below_minimum', min: amount(fiatOut, minOutMinor) };
  const beforeFee = rateBeforeFee(corridor, mid);
  const { min, max } = limitsOf(corridor, beforeFee);
  // Before the rate is rounded, more money in never makes less arrive. The rounding takes less than a billionth.
  const arrives = (minor: bigint, share: bigint) => {
    const sent = minor - feeOf(corridor, amount(fiatIn, minor));
    const numerator = sent * beforeFee.numerator * 10n ** BigInt(minorUnits(fiatOut)) * share;
    return numerator >= wanted.minor * beforeFee.denominator * 10n ** BigInt(minorUnits(fiatIn)) * billion;
  };
  const least = smallest(max.minor, (minor) => arrives(minor, billion));
  const enough = smallest(max.minor, (minor) => arrives(minor, billion - 1n));
  for (let minor = least; minor <= max.minor && minor < least + triedAtMost; minor += 1n) {
    const amountIn = amount(fiatIn, minor);
    if (minor < min.minor) break;
    const priced = price(corridor, mid, amountIn);
    if (!('refusal' in priced) && priced.amountOut.minor >= wanted.minor) return amountIn;
  }
  const isTried = enough < least + triedAtMost;
  return least < min.minor || isTried || enough > max.minor
    ? { refusal: 'amount_out_of_range', min, max }
    : amount(fiatIn, enough);
}

const billion = 10n ** BigInt(significantDigits - 1);
const triedAtMost = 1_000n;

/** The smallest number from 1 that is enough. One more than `most` when none is: once one is, all larger ones are. */
function smallest(most: bigint, isEnough: (minor: bigint) => boolean): bigint {
  let [low, high] = [1n, most + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

function rateBeforeFee(corridor: Corridor, mid: Ratio): Ratio {
  return multiply(mid, { numerator: BigInt(10_000 - corridor.marginBasisPoints), denominator: 10_000n });
}

function feeOf(corridor: Corridor, amountIn: Amount): bigint {
  return corridor.feeFixedMinor + feeCeil(amountIn, corridor.feeBasisPoints).minor;
}

function limitsOf({ fiatIn, fiatOut, minInMinor, maxInMinor }: Corridor, beforeFee: Ratio) {
  const min = amount(fiatIn, minInMinor);
  const max = amount(fiatIn, smaller(maxInMinor, mostConvertible(beforeFee, fiatIn, fiatOut)));
  return { min, max };
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
