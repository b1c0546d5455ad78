import { describe, expect, it } from 'vitest';
import { type Amount, AmountOutOfBounds, add, amount, compare, isZero, subtract } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';

const dollars = amount('USD', 1050n);
const euros = amount('EUR', 1050n);

describe('amounts of one currency', () => {
  it('are added, subtracted and compared', () => {
    expect(add(dollars, amount('USD', 5n))).toEqual({ currency: 'USD', minor: 1055n });
    expect(subtract(dollars, amount('USD', 1051n))).toEqual({ currency: 'USD', minor: -1n });
    expect(compare(dollars, amount('USD', 1051n))).toBe(-1);
    expect(compare(dollars, amount('USD', 1050n))).toBe(0);
    expect(compare(dollars, amount('USD', 1049n))).toBe(1);
    expect(isZero(subtract(dollars, dollars))).toBe(true);
    expect(isZero(dollars)).toBe(false);
  });
});

describe('amounts of two currencies', () => {
  it('cannot be added, subtracted or compared, and the error names both', () => {
    const [left, right]: Amount[] = [dollars, euros];
    const message = 'amounts of USD and EUR cannot be mixed';
    for (const verb of [add, subtract, compare]) {
      expect(() => verb(left as Amount, right as Amount)).toThrow(new TypeError(message));
    }
  });

  it('do not compile together when their currencies are known', () => {
    // @ts-expect-error: dollars and euros
    expect(() => add(dollars, euros)).toThrow(TypeError);
    // @ts-expect-error: dollars and euros
    expect(() => subtract(dollars, euros)).toThrow(TypeError);
    // @ts-expect-error: dollars and euros
    expect(() => compare(dollars, euros)).toThrow(TypeError);
    // @ts-expect-error: a sum of dollars is not one of euros
    const sum: Amount<'EUR'> = add(dollars, dollars);
    expect(sum.currency).toBe('USD');
    const text: string = 'USD';
    // @ts-expect-error: a string is not a currency code until `currencyCode` has checked it
    const code: CurrencyCode = text;
    expect(code).toBe('USD');
  });
});

describe('the bounds of an amount', () => {
  it('are plus and minus 10^15 minor units', () => {
    expect(amount('JPY', 1_000_000_000_000_000n).minor).toBe(1_000_000_000_000_000n);
    expect(amount('JPY', -1_000_000_000_000_000n).minor).toBe(-1_000_000_000_000_000n);
    expect(() => amount('JPY', 1_000_000_000_000_001n)).toThrow(AmountOutOfBounds);
    expect(() => amount('JPY', -1_000_000_000_000_001n)).toThrow(
      'an amount of -1000000000000001 minor units of JPY is out of bounds',
    );
  });

  it('cannot be exceeded by adding or subtracting', () => {
    const largest = amount('KWD', 1_000_000_000_000_000n);
    expect(() => add(largest, amount('KWD', 1n))).toThrow(AmountOutOfBounds);
    expect(() => subtract(amount('KWD', -1n), largest)).toThrow(AmountOutOfBounds);
  });
});
