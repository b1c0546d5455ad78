/** Fees in basis points: 1 is a ten-thousandth. */
import { type Amount, amount } from './amount.js';
import type { CurrencyCode } from './currency.js';
import { divideCeil } from './division.js';

const whole = 10_000n;

/** That share of the amount, rounded up at the minor unit: never in the payer's favour. */
export function feeCeil<C extends CurrencyCode>(of: Amount<C>, basisPoints: number): Amount<C> {
  return amount(of.currency, divideCeil(of.minor * checked(basisPoints), whole));
}

function checked(basisPoints: number): bigint {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > 10_000) {
    throw new RangeError(`basis points are whole, from 0 to 10000, not ${basisPoints}`);
  }
  return BigInt(basisPoints);
}
