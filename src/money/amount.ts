/**
 * An amount of money is an integer number of minor units with its currency. This folder contains exact, pure arithmetic
 * without floats. It knows nothing of prices, accounts or requests.
 */
import type { CurrencyCode } from './currency.js';

export interface Amount<C extends CurrencyCode = CurrencyCode> {
  readonly currency: C;
  readonly minor: bigint;
}

/** The largest amount. Up to here an amount has at most 15 significant digits, which a double represents exactly. */
export const largestMinor = 10n ** 15n;

export class AmountOutOfBounds extends RangeError {
  override readonly name = 'AmountOutOfBounds';
}

/** Throws `AmountOutOfBounds` beyond `largestMinor`. */
export function amount<C extends CurrencyCode>(currency: C, minor: bigint): Amount<C> {
  if (minor > largestMinor || minor < -largestMinor) {
    throw new AmountOutOfBounds(`an amount of ${minor} minor units of ${currency} is out of bounds`);
  }
  return { currency, minor };
}

// Without NoInfer, TypeScript would infer the type "USD or EUR" and accept an amount of each.
/** Throws a TypeError when the currencies differ, and `AmountOutOfBounds` when the sum is too large. */
export function add<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): Amount<C> {
  requireSameCurrency(left, right);
  return amount(left.currency, left.minor + right.minor);
}

/** Throws a TypeError when the currencies differ, and `AmountOutOfBounds` when the difference is too large. */
export function subtract<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): Amount<C> {
  requireSameCurrency(left, right);
  return amount(left.currency, left.minor - right.minor);
}

/** Throws a TypeError when the currencies differ. */
export function compare<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): -1 | 0 | 1 {
  requireSameCurrency(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

export function isZero({ minor }: Amount): boolean {
  return minor === 0n;
}

function requireSameCurrency(left: Amount, right: Amount): void {
  if (left.currency !== right.currency) {
    throw new TypeError(`amounts of ${left.currency} and ${right.currency} cannot be mixed`);
  }
}
