/** Calculates a price: exact up to one rounding, which is in our favour and documented. */
import { type Amount, amount } from '../money/amount.js';
import { feeCeil } from '../money/basis-points.js';
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
  const afterMargin = { numerator: BigInt(10_000 - corridor.marginBasisPoints), denominator: 10_000n };
  const beforeFee = multiply(mid, afterMargin);
  const min = amount(fiatIn, corridor.minInMinor);
  const max = amount(fiatIn, smaller(corridor.maxInMinor, mostConvertible(beforeFee, fiatIn, fiatOut)));
  if (amountIn.minor < min.minor || amountIn.minor > max.minor) return { refusal: 'amount_out_of_range', min, max };

  const minOut = amount(fiatOut, corridor.minOutMinor);
  const belowMinimum = { refusal: 'payout_below_minimum', min: minOut } as const;
  const feeMinor = corridor.feeFixedMinor + feeCeil(amountIn, corridor.feeBasisPoints).minor;
  if (feeMinor >= amountIn.minor) return belowMinimum;

  const afterFee = { numerator: amountIn.minor - feeMinor, denominator: amountIn.minor };
  const rate = roundDownToSignificant(multiply(beforeFee, afterFee), significantDigits);
  const amountOut = convertFloor(amountIn, rate, fiatOut);
  const fee = amount(fiatIn, feeMinor);
  return amountOut.minor < minOut.minor ? belowMinimum : { fee, rate, amountOut };
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
