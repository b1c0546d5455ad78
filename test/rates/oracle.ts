/**
 * Calculates quotes from the documented rules alone: with exact fractions, without `src/money` and `src/rates`.
 * Amounts are decimal texts.
 */
import { decimalsOf, type Fraction, fractionOf } from '../money/oracle.js';

export interface Terms {
  readonly fiatIn: string;
  readonly fiatOut: string;
  readonly minInMinor: bigint;
  readonly maxInMinor: bigint;
  readonly minOutMinor: bigint;
  readonly marginBasisPoints: number;
  readonly feeFixedMinor: bigint;
  readonly feeBasisPoints: number;
}

export type Expected =
  | 'amount_out_of_range'
  | 'payout_below_minimum'
  | {
      readonly rate: string;
      readonly amountOutMinor: bigint;
      readonly feeMinor: bigint;
      readonly exact: Fraction;
    };

/** The limit of amounts: the first number of minor units with 16 digits. */
const largest = 1_000_000_000_000_000n;

export function expectedPrice(terms: Terms, mid: Fraction, sentMinor: bigint): Expected {
  const atMidLessMargin = times(mid, { over: BigInt(10_000 - terms.marginBasisPoints), under: 10_000n });
  const whole = unitsOf(terms.fiatIn, sentMinor);
  const isTooMuch = isMore(times(whole, atMidLessMargin), unitsOf(terms.fiatOut, largest));
  if (sentMinor < terms.minInMinor || sentMinor > terms.maxInMinor || isTooMuch) return 'amount_out_of_range';

  const share = times({ over: sentMinor, under: 1n }, { over: BigInt(terms.feeBasisPoints), under: 10_000n });
  const feeMinor = terms.feeFixedMinor + roundedUp(share);
  if (feeMinor >= sentMinor) return 'payout_below_minimum';
  const exact = times(unitsOf(terms.fiatIn, sentMinor - feeMinor), atMidLessMargin);
  const rate = digitsCut(over(exact, whole), 10);
  const amountOutMinor = recomputed(whole, rate, terms.fiatOut);
  return amountOutMinor < terms.minOutMinor ? 'payout_below_minimum' : { rate, amountOutMinor, feeMinor, exact };
}

/** Recomputes the payout from the numbers of an answer: floor(amountIn × rate) at the minor unit. */
export function recomputed(amountIn: Fraction, rate: string, fiatOut: string): bigint {
  const product = times(amountIn, fractionOf(rate) ?? { over: 0n, under: 1n });
  return (product.over * 10n ** BigInt(decimalsOf(fiatOut))) / product.under;
}

export function unitsOf(currency: string, minor: bigint): Fraction {
  return { over: minor, under: 10n ** BigInt(decimalsOf(currency)) };
}

export function times(one: Fraction, other: Fraction): Fraction {
  return { over: one.over * other.over, under: one.under * other.under };
}

export function over(one: Fraction, other: Fraction): Fraction {
  return { over: one.over * other.under, under: one.under * other.over };
}

export function isMore(one: Fraction, other: Fraction): boolean {
  return one.over * other.under > other.over * one.under;
}

export function isSame(one: Fraction, other: Fraction): boolean {
  return one.over * other.under === other.over * one.under;
}

function roundedUp({ over: top, under: bottom }: Fraction): bigint {
  return (top + bottom - 1n) / bottom;
}

/** Divides digit by digit, as on paper, and replaces the digits after the significant ones by zeros. */
function digitsCut({ over: top, under: bottom }: Fraction, count: number): string {
  let exponent = 0;
  while (top >= bottom * 10n ** BigInt(exponent + 1)) exponent += 1;
  while (exponent <= 0 && top * 10n ** BigInt(-exponent) < bottom) exponent -= 1;
  let rest = exponent < 0 ? top * 10n ** BigInt(-exponent) : top;
  const unit = exponent < 0 ? bottom : bottom * 10n ** BigInt(exponent);
  let digits = '';
  for (let place = 0; place < count; place += 1) {
    digits += rest / unit;
    rest = (rest % unit) * 10n;
  }
  const whole = exponent < 0 ? '0' : digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = exponent < 0 ? '0'.repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
