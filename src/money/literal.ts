/** Where JSON numbers turn into amounts, and back: from the text as it was written, exactly or not at all. */
import { type Amount, amount, largestMinor } from './amount.js';
import { type CurrencyCode, minorUnits } from './currency.js';
import { type LiteralFault, readDecimal, significantDigits, writeDecimal } from './decimal.js';

const mostSignificantDigits = 15;
/** A whole part of more digits is over the bound in any currency; it is not worth making a number of. */
const mostWholeDigits = 16;

/** Zero is an amount; whether it is enough is for the caller to say. */
export function amountFromLiteral<C extends CurrencyCode>(
  currency: C,
  literal: string,
): Amount<C> | LiteralFault {
  const decimal = readDecimal(literal);
  if ('fault' in decimal) return decimal;
  const { whole, fraction } = decimal;
  const decimals = minorUnits(currency);
  if (significantDigits(decimal) > mostSignificantDigits) return tooManyDigits();
  if (fraction.length > decimals) return tooManyDecimals(currency, decimals);
  if (whole.length > mostWholeDigits) return tooLarge(currency);
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return minor > largestMinor ? tooLarge(currency) : amount(currency, minor);
}

/** The shortest way to write it; for amounts it is also how JavaScript writes that number. */
export function amountToLiteral({ currency, minor }: Amount): string {
  return writeDecimal(minor, minorUnits(currency));
}

function tooManyDigits(): LiteralFault {
  return {
    fault: 'too_many_digits',
    message: `must have at most ${mostSignificantDigits} significant digits`,
    max: mostSignificantDigits,
  };
}

function tooManyDecimals(currency: CurrencyCode, max: number): LiteralFault {
  const most = max === 0 ? 'no decimals' : `at most ${max} decimals`;
  return { fault: 'too_many_decimals', message: `must have ${most}: it is an amount of ${currency}`, max };
}

function tooLarge(currency: CurrencyCode): LiteralFault {
  const max = amountToLiteral(amount(currency, largestMinor));
  return { fault: 'too_large', message: `must be at most ${max} ${currency}`, max: Number(max) };
}
