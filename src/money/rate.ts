/** Exchange rates: exact positive decimals, as sources publish them and as the API returns them. */
import { type Amount, amount, largestMinor } from './amount.js';
import { wholeBasisPoints } from './basis-points.js';
import { type CurrencyCode, minorUnits } from './currency.js';
import { type LiteralFault, readDecimal, writeDecimal } from './decimal.js';
import { divideCeil, divideFloor } from './division.js';

/** `coefficient` / 10^`scale`, with the smallest possible scale, so that equal rates have the same fields. */
export interface Rate {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** An exact fraction, for all steps between the rates of a source and the single rounding of our own rate. */
export interface Ratio {
  readonly numerator: bigint;
  /** Positive. The fraction is not reduced, so equal ratios may have different fields. */
  readonly denominator: bigint;
}

const maxRateDigits = 30;

export function rateFromLiteral(literal: string): Rate | LiteralFault {
  const decimal = readDecimal(literal);
  if ('fault' in decimal) return decimal;
  const { whole, fraction } = decimal;
  const digits = (whole === '0' ? '' : whole) + fraction;
  if (digits.length > maxRateDigits) {
    return {
      fault: 'too_many_digits',
      message: `must have at most ${maxRateDigits} digits`,
      max: maxRateDigits,
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

export function isSameRatio(left: Ratio, right: Ratio): boolean {
  return left.numerator * right.denominator === right.numerator * left.denominator;
}

/** Throws a RangeError when the divisor is not positive. */
export function divide(dividend: Ratio, divisor: Ratio): Ratio {
  if (divisor.numerator <= 0n) throw new RangeError('the divisor of a ratio must be positive');
  return {
    numerator: dividend.numerator * divisor.denominator,
    denominator: dividend.denominator * divisor.numerator,
  };
}

/** Computes the rate between two currencies from the rates of a common base currency. */
export function cross(baseToFrom: Rate, baseToTo: Rate): Ratio {
  return divide(ratioOf(baseToTo), ratioOf(baseToFrom));
}

/**
 * The largest rate with that many significant digits that is not above the ratio. Throws a RangeError unless positive.
 */
export function roundDownToSignificant({ numerator, denominator }: Ratio, digits: number): Rate {
  if (numerator <= 0n) throw new RangeError('a rate must be more than zero');
  const limit = powerOfTen(digits);
  // The lengths give the size of the quotient to within one digit: at this scale it has `digits` digits or one more.
  const scale = digits - numerator.toString().length + denominator.toString().length;
  const coefficient = floorAtScale(numerator, denominator, scale);
  return coefficient < limit
    ? smallestScale(coefficient, scale)
    : smallestScale(divideFloor(coefficient, 10n), scale - 1);
}

/**
 * floor(amountIn × rate) at the minor unit of `to`: the only rounding of a quote, never in the receiver's favour.
 * Throws `AmountOutOfBounds` when the result is too large.
 */
export function convertFloor<C extends CurrencyCode>(amountIn: Amount, rate: Rate, to: C): Amount<C> {
  const numerator = amountIn.minor * rate.coefficient * powerOfTen(minorUnits(to));
  return amount(to, divideFloor(numerator, powerOfTen(rate.scale + minorUnits(amountIn.currency))));
}

/**
 * ceil(amountOut ÷ rate) at the minor unit of `to`: the least that buys the amount at this rate. Throws
 * `AmountOutOfBounds` when the result is too large.
 */
export function convertBackCeil<C extends CurrencyCode>(amountOut: Amount, rate: Rate, to: C): Amount<C> {
  const numerator = amountOut.minor * powerOfTen(rate.scale + minorUnits(to));
  return amount(to, divideCeil(numerator, rate.coefficient * powerOfTen(minorUnits(amountOut.currency))));
}

/**
 * The given share of a rate, exactly. Throws a RangeError when the basis points are not a whole number from 0 to 10000.
 */
export function shareOfRate({ coefficient, scale }: Rate, basisPoints: number): Rate {
  return { coefficient: coefficient * wholeBasisPoints(basisPoints), scale: scale + 4 };
}

/** The largest number of minor units of `from` whose conversion at this ratio does not exceed the largest amount. */
export function mostConvertible({ numerator, denominator }: Ratio, from: CurrencyCode, to: CurrencyCode): bigint {
  const minorOut = largestMinor * powerOfTen(minorUnits(from)) * denominator;
  return divideFloor(minorOut, numerator * powerOfTen(minorUnits(to)));
}

/** floor(numerator / denominator × 10^scale). The scale may be negative. */
function floorAtScale(numerator: bigint, denominator: bigint, scale: number): bigint {
  return scale < 0
    ? divideFloor(numerator, denominator * powerOfTen(-scale))
    : divideFloor(numerator * powerOfTen(scale), denominator);
}

function smallestScale(coefficient: bigint, scale: number): Rate {
  if (scale < 0) return { coefficient: coefficient * powerOfTen(-scale), scale: 0 };
  let reduced = { coefficient, scale };
  while (reduced.scale > 0 && reduced.coefficient % 10n === 0n) {
    reduced = { coefficient: reduced.coefficient / 10n, scale: reduced.scale - 1 };
  }
  return reduced;
}

/** Computed once, because each quote needs several of them. Larger powers are rare. */
const powersOfTen = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}
