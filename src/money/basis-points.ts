/** Fees in basis points. One basis point is a ten-thousandth. */
import { type Amount, amount } from './amount.js';
import type { CurrencyCode } from './currency.js';
import { divideCeil } from './division.js';

const basisPointsInWhole = 10_000n;

/**
 * The fee on an amount, rounded up to the minor unit, never in the payer's favour. Throws a RangeError when the basis
 * points are not a whole number from 0 to 10000.
 */
export function feeCeil<C extends CurrencyCode>(base: Amount<C>, basisPoints: number): Amount<C> {
  return amount(base.currency, divideCeil(base.minor * wholeBasisPoints(basisPoints), basisPointsInWhole));
}

/** Throws a RangeError when the basis points are not a whole number from 0 to 10000. */
export function wholeBasisPoints(basisPoints: number): bigint {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > 10_000) {
    throw new RangeError(`basis points must be a whole number from 0 to 10000, not ${basisPoints}`);
  }
  return BigInt(basisPoints);
}
