/**
 * Money is an integer of minor units with its currency. This folder owns exact arithmetic on it: pure, no floats.
 * It does not know what things cost, where money is or how a request is answered.
 */
import type { CurrencyCode } from './currency.js';

export interface Amount<C extends CurrencyCode = CurrencyCode> {
  readonly currency: C;
  readonly minor: bigint;
}

/** Up to here every amount has at most 15 significant digits, which any reader's double keeps exactly. */
export const largestMinor = 10n ** 15n;

export class AmountOutOfBounds extends RangeError {
  override readonly name = 'AmountOutOfBounds';
}

export function amount<C extends CurrencyCode>(currency: C, minor: bigint): Amount<C> {
  if (minor > largestMinor || minor < -largestMinor) {
    throw new AmountOutOfBounds(`an amount of ${minor} minor units of ${currency} is out of bounds`);
  }
  return { currency, minor };
}

// Without NoInfer, an amount of USD and one of EUR would agree on being amounts of "USD or EUR".
export function add<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): Amount<C> {
  refuseMixing(left, right);
  return amount(left.currency, left.minor + right.minor);
}

export function subtract<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): Amount<C> {
  refuseMixing(left, right);
  return amount(left.currency, left.minor - right.minor);
}

export function compare<C extends CurrencyCode>(left: Amount<C>, right: Amount<NoInfer<C>>): -1 | 0 | 1 {
  refuseMixing(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

export function isZero({ minor }: Amount): boolean {
  return minor === 0n;
}

function refuseMixing(left: Amount, right: Amount): void {
  if (left.currency !== right.currency) {
    throw new TypeError(`amounts of ${left.currency} and ${right.currency} can't be mixed`);
  }
}
