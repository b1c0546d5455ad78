import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, AmountOutOfBounds, amount } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import { amountToLiteral } from '../../src/money/literal.js';
import {
  convertFloor,
  cross,
  divide,
  mostConvertible,
  multiply,
  type Rate,
  type Ratio,
  rateFromLiteral,
  rateToLiteral,
  ratioOf,
  roundDownToSignificant,
} from '../../src/money/rate.js';
import { rounds } from '../harness/rounds.js';
import { decimalsOf, type Fraction, fractionOf, productCut, quotientCut, significantDigitsOf } from './oracle.js';
import { anyCurrency, anyDecimal, anyMinor, anyRateLiteral } from './written.js';

describe('a rate from a literal', () => {
  it.each([
    ['1', 1n, 0],
    ['1.1684', 11684n, 4],
    ['186.750', 18675n, 2],
    ['20082.05', 2008205n, 2],
    ['1500', 1500n, 0],
    ['0.00000023', 23n, 8],
    ['123456789012345678901234567890', 123456789012345678901234567890n, 0],
    ['0.000000000000000000000000000001', 1n, 30],
  ])('reads %s', (literal, coefficient, scale) => {
    expect(rateFromLiteral(literal)).toEqual({ coefficient, scale });
  });

  it.each([
    ['0', 'not_positive'],
    ['0.000', 'not_positive'],
    ['-1', 'signed'],
    ['-0', 'signed'],
    ['1e3', 'exponent'],
    ['2.3E-7', 'exponent'],
    ['1e400', 'exponent'],
    ['01.5', 'leading_zero'],
    ['NaN', 'not_a_number'],
    ['Infinity', 'not_a_number'],
    ['N/A', 'not_a_number'],
    ['', 'not_a_number'],
    ['1,5', 'not_a_number'],
    ['1.', 'not_a_number'],
    ['.5', 'not_a_number'],
    ['<html>', 'not_a_number'],
    ['1234567890123456789012345678901', 'too_many_digits'],
    ['0.0000000000000000000000000000001', 'too_many_digits'],
    ['1.234567890123456789012345678901', 'too_many_digits'],
  ])('refuses %s as %s', (literal, fault) => {
    expect(rateFromLiteral(literal)).toMatchObject({ fault });
  });

  it('is written back as the same rate, in one form for each value', () => {
    fc.assert(
      fc.property(anyRateLiteral, (literal) => {
        const written = rateToLiteral(read(literal));
        expect(read(written)).toEqual(read(literal));
        expect(written).toBe(productCut(literal, '1', 30));
        expect(isEqual(fraction(written), fraction(literal))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('ratios', () => {
  it('are exact between two currencies of one base', () => {
    const dollarsPerEuro = read('1.1684');
    const yenPerEuro = read('186.75');
    const dollarsToYen = cross(dollarsPerEuro, yenPerEuro);
    expect(dollarsToYen.numerator * 11684n).toBe(1867500n * dollarsToYen.denominator);
    expect(rateToLiteral(roundDownToSignificant(dollarsToYen, 10))).toBe('159.8339609');
  });

  it('are multiplied, divided and crossed exactly', () => {
    fc.assert(
      fc.property(anyRateLiteral, anyRateLiteral, (leftLiteral, rightLiteral) => {
        const [left, right] = [fraction(leftLiteral), fraction(rightLiteral)];
        const [leftRate, rightRate] = [read(leftLiteral), read(rightLiteral)];
        const product = { over: left.over * right.over, under: left.under * right.under };
        const quotient = { over: left.over * right.under, under: left.under * right.over };
        expect(isEqual(asFraction(multiply(ratioOf(leftRate), ratioOf(rightRate))), product)).toBe(true);
        expect(isEqual(asFraction(divide(ratioOf(leftRate), ratioOf(rightRate))), quotient)).toBe(true);
        expect(isEqual(asFraction(cross(rightRate, leftRate)), quotient)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('cannot be divided by zero', () => {
    expect(() => divide(ratioOf(read('1')), { numerator: 0n, denominator: 1n })).toThrow(RangeError);
  });
});

describe('rounding down to significant digits', () => {
  it.each<[bigint, bigint, number, string]>([
    [1n, 3n, 10, '0.3333333333'],
    [2n, 3n, 10, '0.6666666666'],
    [10n, 1n, 10, '10'],
    [1n, 1n, 10, '1'],
    [99_999_999_999n, 1n, 10, '99999999990'],
    [9_999_999_999n, 10_000_000_000n, 10, '0.9999999999'],
    [99_999_999_999n, 100_000_000_000n, 10, '0.9999999999'],
    [12_345_678_901_234_567n, 1n, 10, '12345678900000000'],
    [23n, 100_000_000n, 10, '0.00000023'],
    [7n, 9_000_000_000n, 10, '0.0000000007777777777'],
    [1999n, 1000n, 1, '1'],
  ])('turns %i / %i with %i digits into %s', (numerator, denominator, digits, literal) => {
    expect(rateToLiteral(roundDownToSignificant({ numerator, denominator }, digits))).toBe(literal);
  });

  it('agrees with long division, is never above the exact ratio, and is within a thousand-millionth of it', () => {
    const anyScale = fc.integer({ min: 0, max: 40 }).map((zeros) => 10n ** BigInt(zeros));
    fc.assert(
      fc.property(anyRateLiteral, anyRateLiteral, anyScale, anyScale, (dividend, divisor, up, down) => {
        const exact = { over: fraction(dividend).over * up, under: fraction(dividend).under * down };
        const ratio = divide({ numerator: exact.over, denominator: exact.under }, ratioOf(read(divisor)));
        const rate = roundDownToSignificant(ratio, 10);
        const literal = rateToLiteral(rate);
        expect(literal).toBe(quotientCut(exact, fraction(divisor), 10));
        expect(significantDigitsOf(literal)).toBeLessThanOrEqual(10);
        expect(rate.scale === 0 || rate.coefficient % 10n !== 0n).toBe(true);
        const exactly = ratio.numerator * 10n ** BigInt(rate.scale);
        const rounded = rate.coefficient * ratio.denominator;
        expect(rounded <= exactly && (exactly - rounded) * 10n ** 9n < exactly).toBe(true);
      }),
      { numRuns: rounds(1_000, 3_000) },
    );
  });

  it('refuses a ratio that is not positive', () => {
    expect(() => roundDownToSignificant({ numerator: 0n, denominator: 1n }, 10)).toThrow(RangeError);
    expect(() => roundDownToSignificant({ numerator: -1n, denominator: 1n }, 10)).toThrow(RangeError);
  });
});

describe('conversion', () => {
  it.each<[CurrencyCode, bigint, string, CurrencyCode, bigint]>([
    ['USD', 10_000n, '17.12345', 'MXN', 171_234n],
    ['USD', 10_000n, '159.8339609', 'JPY', 15_983n],
    ['JPY', 1n, '0.00625', 'USD', 0n],
    ['JPY', 160n, '0.00625', 'USD', 100n],
    ['JPY', 159n, '0.00625', 'USD', 99n],
    ['USD', 1n, '0.307', 'KWD', 3n],
    ['KWD', 1001n, '3.25', 'USD', 325n],
    ['CLF', 1n, '39000', 'CLP', 3n],
    ['USD', 999_999_999_999_999n, '1', 'USD', 999_999_999_999_999n],
    ['USD', 110n, '1.1', 'EUR', 121n],
  ])('converts %s %i at %s to %s %i', (from, minor, rate, to, out) => {
    expect(convertFloor(amount(from, minor), read(rate), to)).toEqual({ currency: to, minor: out });
  });

  it('is the exact product rounded down to the minor unit', () => {
    let converted = 0;
    fc.assert(
      fc.property(anyMinor, anyCurrency, anyRateLiteral, anyCurrency, (minor, from, rate, to) => {
        const amountIn = amount(from, minor);
        const expected = productCut(amountToLiteral(amountIn), rate, decimalsOf(to));
        const out = attempt(() => convertFloor(amountIn, read(rate), to));
        if (out === undefined) {
          const limit = fraction(expected);
          expect(limit.over * 10n ** BigInt(decimalsOf(to)) > 10n ** 15n * limit.under).toBe(true);
          return;
        }
        converted += 1;
        expect(amountToLiteral(out)).toBe(expected);
        const { over, under } = fraction(rate);
        const exactOver = minor * over * 10n ** BigInt(decimalsOf(to));
        const exactUnder = under * 10n ** BigInt(decimalsOf(from));
        expect(out.minor * exactUnder <= exactOver && exactOver < (out.minor + 1n) * exactUnder).toBe(true);
      }),
      { numRuns: rounds(3_000, 10_000) },
    );
    expect(converted).toBeGreaterThan(1000);
  });

  it('throws when the result exceeds the largest amount', () => {
    expect(() => convertFloor(amount('USD', 10n ** 13n), read('20082.05'), 'IDR')).toThrow(AmountOutOfBounds);
    const largest = read('999999999999999999999999999999');
    expect(() => convertFloor(amount('CLF', 10n ** 15n), largest, 'JPY')).toThrow(AmountOutOfBounds);
  });
});

describe('the largest convertible amount', () => {
  it('does not exceed the largest amount of the other currency, and one more unit does', () => {
    fc.assert(
      fc.property(anyCurrency, anyRateLiteral, anyCurrency, (from, rate, to) => {
        const most = mostConvertible(ratioOf(read(rate)), from, to);
        const { over, under } = fraction(rate);
        const exactOver = (most + 1n) * over * 10n ** BigInt(decimalsOf(to));
        expect(exactOver > 10n ** 15n * under * 10n ** BigInt(decimalsOf(from))).toBe(true);
        if (most > 10n ** 15n) return;
        expect(convertFloor(amount(from, most), read(rate), to).minor <= 10n ** 15n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the oracle', () => {
  it('agrees with results that were computed by hand', () => {
    expect(productCut('12.5', '0.4', 2)).toBe('5');
    expect(productCut('99.99', '99.99', 4)).toBe('9998.0001');
    expect(productCut('0.19', '0.1', 2)).toBe('0.01');
    expect(productCut('7', '8', 2)).toBe('56');
    expect(quotientCut({ over: 22n, under: 7n }, { over: 1n, under: 1n }, 5)).toBe('3.1428');
    expect(quotientCut({ over: 1n, under: 1n }, { over: 800n, under: 1n }, 5)).toBe('0.00125');
    expect(quotientCut({ over: 987_654n, under: 1n }, { over: 1n, under: 1n }, 3)).toBe('987000');
  });

  it('computes the same products with digits and with fractions', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (first, second) => {
        const [left, right] = [fraction(first), fraction(second)];
        const product = fraction(productCut(first, second, 60));
        expect(isEqual(product, { over: left.over * right.over, under: left.under * right.under })).toBe(true);
      }),
    );
  });
});

function read(literal: string): Rate {
  const rate = rateFromLiteral(literal);
  if ('fault' in rate) throw new Error(`${literal}: ${rate.message}`);
  return rate;
}

function fraction(literal: string): Fraction {
  const value = fractionOf(literal);
  if (!value) throw new Error(`${literal} is not a decimal`);
  return value;
}

function asFraction({ numerator, denominator }: Ratio): Fraction {
  return { over: numerator, under: denominator };
}

function isEqual(left: Fraction, right: Fraction): boolean {
  return left.over * right.under === right.over * left.under;
}

function attempt(work: () => Amount): Amount | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AmountOutOfBounds) return undefined;
    throw error;
  }
}
