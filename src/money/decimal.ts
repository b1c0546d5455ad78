/** Reads and writes decimal numbers as text: digits with at most one point. */

/** What is wrong with a literal: a code, and a message that follows the name of the field. */
export interface LiteralFault {
  readonly fault: LiteralFaultCode;
  readonly message: string;
  /** The limit that was exceeded, if there is one. */
  readonly max?: number;
}

export type LiteralFaultCode =
  | 'not_a_number'
  | 'exponent'
  | 'signed'
  | 'leading_zero'
  | 'too_many_digits'
  | 'too_many_decimals'
  | 'too_large'
  | 'not_positive';

export interface PlainDecimal {
  readonly whole: string;
  /** Without trailing zeros, which do not change the value. */
  readonly fraction: string;
}

// No two groups can match the same text, so the time is linear in the length.
const decimalPattern = /^([+-]?)([0-9]+)(?:\.([0-9]+))?([eE][+-]?[0-9]+)?$/;

export function readDecimal(literal: string): PlainDecimal | LiteralFault {
  const match = decimalPattern.exec(literal);
  if (!match) return { fault: 'not_a_number', message: 'must be a number written in digits, like 100 or 99.95' };
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (sign) return { fault: 'signed', message: 'must be written without a sign' };
  if (exponent) return { fault: 'exponent', message: 'must be written without an exponent: 1000, not 1e3' };
  if (whole.length > 1 && whole.startsWith('0')) {
    return { fault: 'leading_zero', message: 'must be written without leading zeros' };
  }
  return { whole, fraction: fraction.slice(0, lengthWithoutTrailingZeros(fraction)) };
}

export function significantDigits({ whole, fraction }: PlainDecimal): number {
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  return first < 0 ? 0 : lengthWithoutTrailingZeros(digits) - first;
}

/**
 * Writes `coefficient` / 10^`scale` as a JSON number without an exponent or trailing zeros, so each value has one form.
 */
export function writeDecimal(coefficient: bigint, scale: number): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale);
  const length = lengthWithoutTrailingZeros(fraction);
  return length === 0 ? sign + whole : `${sign}${whole}.${fraction.slice(0, length)}`;
}

/** Writes `coefficient` / 10^`scale` with exactly that many decimals, as a statement does: `-12.50`. */
export function writeFixed(coefficient: bigint, scale: number): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - scale)}`;
}

/** Uses a loop, because `/0+$/` takes quadratic time on many zeros that are followed by another digit. */
function lengthWithoutTrailingZeros(digits: string): number {
  let length = digits.length;
  while (length > 0 && digits[length - 1] === '0') length -= 1;
  return length;
}
