/** Rates of exchange: exact positive decimals, as sources publish them and as answers show them. */
import { type Amount, amount, largestMinor } from './amount.js';
import { type CurrencyCode, minorUnits } from './currency.js';
import { type LiteralFault, readDecimal, writeDecimal } from './decimal.js';
import { divideFloor } from './division.js';

/** `coefficient` / 10^`scale`, with the smallest scale that holds it: equal rates are written alike. */
export interface Rate {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** An exact fraction, for what lies between the rates of a source and the one rounding that makes a rate of ours. */
export interface Ratio {
  readonly numerator: bigint;
  /** Positive. The two are not reduced: equal ratios may look different. */
  readonly denominator: bigint;
}

const mostRateDigits = 30;

export function rateFromLiteral(literal: string): Rate | LiteralFault {
  const decimal = readDecimal(literal);
  if ('fault' in decimal) return decimal;
  const { whole, fraction } = decimal;
  const digits = (whole === '0' ? '' : whole) + fraction;
  if (digits.length > mostRateDigits) {
    return {
      fault: 'too_many_digits',
      message: `must have at most ${mostRateDigits} digits`,
      max: mostRateDigits,
    };
  }
  const coefficient = BigInt(digits);
  if (coefficient === 0n) return { fault: 'not_positive', message: 'must be more than zero' };
  return { coefficient, scale: fraction.length };
}

export function rateToLiteral({ coefficient, scale }: Rate): string {
  return writeDecimal(coefficient, scale);
}

export function ratioOf({ coefficient, scale }: Rate): Ratio {
  return { numerator: coefficient, denominator: powerOfTen(scale) };
}

export function multiply(left: Ratio, right: Ratio): Ratio {
  return {
    numerator: left.numerator * right.numerator,
    denominator: left.denominator * right.denominator,
  };
}

export function divide(dividend: Ratio, divisor: Ratio): Ratio {
  if (divisor.numerator <= 0n) throw new RangeError('a ratio is divided by a positive one only');
  return {
    numerator: dividend.numerator * divisor.denominator,
    denominator: dividend.denominator * divisor.numerator,
  };
}

/** Two quotes of one base currency give the rate from the one currency to the other. */
export function cross(baseToFrom: Rate, baseToTo: Rate): Ratio {
  return divide(ratioOf(baseToTo), ratioOf(baseToFrom));
}

/** The largest rate of so many significant digits that is not above the ratio. */
export function roundDownToSignificant({ numerator, denominator }: Ratio, digits: number): Rate {
  if (numerator <= 0n) throw new RangeError('a rate must be more than zero');
  const limit = powerOfTen(digits);
  // The lengths tell the size of the quotient to within one digit: at this scale it has as many as asked, or one more.
  const scale = digits - numerator.toString().length + denominator.toString().length;
  const coefficient = floorAtScale(numerator, denominator, scale);
  return coefficient < limit
    ? smallestScale(coefficient, scale)
    : smallestScale(divideFloor(coefficient, 10n), scale - 1);
}

/** floor(amountIn × rate) at the minor unit of `to`: the one rounding of a quote, never in the receiver's favour. */
export function convertFloor<C extends CurrencyCode>(amountIn: Amount, rate: Rate, to: C): Amount<C> {
  const numerator = amountIn.minor * rate.coefficient * powerOfTen(minorUnits(to));
  return amount(to, divideFloor(numerator, powerOfTen(rate.scale + minorUnits(amountIn.currency))));
}

/** The most minor units of `from` that, at this ratio, still are an amount of `to`. */
export function mostConvertible(
  { numerator, denominator }: Ratio,
  from: CurrencyCode,
  to: CurrencyCode,
): bigint {
  const minorOut = largestMinor * powerOfTen(minorUnits(from)) * denominator;
  return divideFloor(minorOut, numerator * powerOfTen(minorUnits(to)));
}

/** floor(numerator / denominator × 10^scale), where the scale may be negative. */
function floorAtScale(numerator: bigint, denominator: bigint, scale: number): bigint {
  return scale < 0
    ? divideFloor(numerator, denominator * powerOfTen(-scale))
    : divideFloor(numerator * powerOfTen(scale), denominator);
}

function smallestScale(coefficient: bigint, scale: number): Rate {
  if (scale < 0) return { coefficient: coefficient * powerOfTen(-scale), scale: 0 };
  let [smaller, at] = [coefficient, scale];
  while (at > 0 && smaller % 10n === 0n) [smaller, at] = [smaller / 10n, at - 1];
  return { coefficient: smaller, scale: at };
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
