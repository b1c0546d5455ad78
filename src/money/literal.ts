/** Converts JSON numbers to amounts and back. It reads the digits as they were written, and never rounds. */
import { type Amount, amount, largestMinor } from './amount.js';
import { type CurrencyCode, minorUnits } from './currency.js';
import { type LiteralFault, readDecimal, significantDigits, writeDecimal, writeFixed } from './decimal.js';

const maxSignificantDigits = 15;
/** A longer whole part exceeds the largest amount of every currency, so it is refused before it is parsed. */
const maxWholeDigits = 16;

/** Returns the amount, or what is wrong with the literal. Accepts zero: the caller decides on the minimum. */
export function amountFromLiteral<C extends CurrencyCode>(currency: C, literal: string): Amount<C> | LiteralFault {
  const decimal = readDecimal(literal);
  if ('fault' in decimal) return decimal;
  const { whole, fraction } = decimal;
  const decimals = minorUnits(currency);
  if (significantDigits(decimal) > maxSignificantDigits) return tooManyDigits();
  if (fraction.length > decimals) return tooManyDecimals(currency, decimals);
  if (whole.length > maxWholeDigits) return tooLarge(currency);
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return minor > largestMinor ? tooLarge(currency) : amount(currency, minor);
}

/** Writes the amount in its shortest form, which is also how JavaScript writes the number. */
export function amountToLiteral({ currency, minor }: Amount): string {
  return writeDecimal(minor, minorUnits(currency));
}

/** Writes all decimals of the currency: `45.00`. Amounts that operators read and copy as text have this form. */
export function amountToText({ currency, minor }: Amount): string {
  return writeFixed(minor, minorUnits(currency));
}

function tooManyDigits(): LiteralFault {
  return {
    fault: 'too_many_digits',
    message: `must have at most ${maxSignificantDigits} significant digits`,
    max: maxSignificantDigits,
  };
}

function tooManyDecimals(currency: CurrencyCode, max: number): LiteralFault {
  const limit = max === 0 ? 'no decimals' : `at most ${max} decimals`;
  return { fault: 'too_many_decimals', message: `must have ${limit}: it is an amount of ${currency}`, max };
}

function tooLarge(currency: CurrencyCode): LiteralFault {
  const max = amountToLiteral(amount(currency, largestMinor));
  return { fault: 'too_large', message: `must be at most ${max} ${currency}`, max: Number(max) };
}
