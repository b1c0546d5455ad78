import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../src/http/body/json-body.js';
import { literalPointers } from '../../src/http/body/literal-pointers.js';
import { amount } from '../../src/money/amount.js';
import { type CurrencyCode, currencyCodes } from '../../src/money/currency.js';
import { amountFromLiteral, amountToLiteral } from '../../src/money/literal.js';
import { processorMs } from '../harness/processor-time.js';
import { rounds } from '../harness/rounds.js';
import { decimalsOf, minorOf } from './oracle.js';
import { anyCurrency, anyLiteral, anyMinor } from './written.js';

describe('an amount from a literal', () => {
  it.each<[CurrencyCode, string, bigint]>([
    ['JPY', '100.0', 100n],
    ['JPY', '100', 100n],
    ['USD', '1.500', 150n],
    ['USD', '0.01', 1n],
    ['USD', '0', 0n],
    ['USD', '0.000', 0n],
    ['USD', '99.95', 9995n],
    ['KWD', '1.005', 1005n],
    ['CLF', '0.0001', 1n],
    ['USD', '9999999999999.99', 999999999999999n],
    ['USD', '10000000000000.00', 1000000000000000n],
    ['JPY', '999999999999999', 999999999999999n],
    ['JPY', '1000000000000000', 1000000000000000n],
  ])('reads %s %s', (currency, literal, minor) => {
    expect(amountFromLiteral(currency, literal)).toEqual({ currency, minor });
  });

  it.each<[CurrencyCode, string, string]>([
    ['USD', '', 'not_a_number'],
    ['USD', ' 1', 'not_a_number'],
    ['USD', '1 ', 'not_a_number'],
    ['USD', '1\n', 'not_a_number'],
    ['USD', '\u0661', 'not_a_number'],
    ['USD', '\uff11', 'not_a_number'],
    ['USD', '1_000', 'not_a_number'],
    ['USD', '1,000', 'not_a_number'],
    ['USD', '0x1', 'not_a_number'],
    ['USD', '1n', 'not_a_number'],
    ['USD', '1.', 'not_a_number'],
    ['USD', '.1', 'not_a_number'],
    ['USD', '.', 'not_a_number'],
    ['USD', '1..2', 'not_a_number'],
    ['USD', '1.2.3', 'not_a_number'],
    ['USD', '--1', 'not_a_number'],
    ['USD', 'e3', 'not_a_number'],
    ['USD', '1e', 'not_a_number'],
    ['USD', 'Infinity', 'not_a_number'],
    ['USD', '-Infinity', 'not_a_number'],
    ['USD', 'NaN', 'not_a_number'],
    ['USD', 'null', 'not_a_number'],
    ['USD', '"1"', 'not_a_number'],
    ['USD', '1e3', 'exponent'],
    ['USD', '1E2', 'exponent'],
    ['USD', '1e0', 'exponent'],
    ['USD', '0.1e1', 'exponent'],
    ['USD', '1e+3', 'exponent'],
    ['USD', '100e-2', 'exponent'],
    ['USD', '1e400', 'exponent'],
    ['USD', '-1', 'signed'],
    ['USD', '-0', 'signed'],
    ['USD', '-0.0', 'signed'],
    ['USD', '+1', 'signed'],
    ['USD', '-1e3', 'signed'],
    ['USD', '01', 'leading_zero'],
    ['USD', '00', 'leading_zero'],
    ['USD', '00.5', 'leading_zero'],
    ['USD', '1.00000000000000001', 'too_many_digits'],
    ['JPY', '9007199254740993', 'too_many_digits'],
    ['JPY', '1234567890123456', 'too_many_digits'],
    ['JPY', '12345678901234567', 'too_many_digits'],
    ['USD', '12345678901234.56', 'too_many_digits'],
    ['USD', '1.005', 'too_many_decimals'],
    ['JPY', '0.1', 'too_many_decimals'],
    ['JPY', '100.01', 'too_many_decimals'],
    ['KWD', '1.0005', 'too_many_decimals'],
    ['CLF', '1.00005', 'too_many_decimals'],
    ['JPY', '9007199254740990', 'too_large'],
    ['JPY', '1000000000000010', 'too_large'],
    ['USD', '10000000000001', 'too_large'],
    ['USD', '100000000000000', 'too_large'],
    ['CLF', '100000000001', 'too_large'],
  ])('refuses in %s %j as %s', (currency, literal, fault) => {
    expect(amountFromLiteral(currency, literal)).toMatchObject({ fault });
  });

  it('is read in linear time, even with 60,000 digits', () => {
    const zeros = '0'.repeat(60_000);
    const tookMs = processorMs(() => {
      expect(amountFromLiteral('JPY', `100.${zeros}`)).toEqual({ currency: 'JPY', minor: 100n });
      expect(amountFromLiteral('USD', `0.${zeros}1`)).toMatchObject({ fault: 'too_many_decimals' });
      expect(amountFromLiteral('JPY', `1${zeros}`)).toMatchObject({ fault: 'too_large' });
      expect(amountFromLiteral('JPY', `1${zeros}1`)).toMatchObject({ fault: 'too_many_digits' });
      expect(amountFromLiteral('JPY', `1${zeros}.${zeros}x`)).toMatchObject({ fault: 'not_a_number' });
    });
    expect(tookMs).toBeLessThan(500);
  });

  it('is refused with a message that explains how to write it', () => {
    expect(amountFromLiteral('USD', '1e3')).toEqual({
      fault: 'exponent',
      message: 'must be written without an exponent: 1000, not 1e3',
    });
    expect(amountFromLiteral('USD', '1.005')).toEqual({
      fault: 'too_many_decimals',
      message: 'must have at most 2 decimals: it is an amount of USD',
      max: 2,
    });
    expect(amountFromLiteral('JPY', '0.5')).toEqual({
      fault: 'too_many_decimals',
      message: 'must have no decimals: it is an amount of JPY',
      max: 0,
    });
    expect(amountFromLiteral('USD', '10000000000001')).toEqual({
      fault: 'too_large',
      message: 'must be at most 10000000000000 USD',
      max: 10000000000000,
    });
    expect(amountFromLiteral('USD', '9007199254740993')).toEqual({
      fault: 'too_many_digits',
      message: 'must have at most 15 significant digits',
      max: 15,
    });
  });

  it('is accepted if and only if it is exact, and has exactly the value that was written', () => {
    const count = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(anyLiteral, anyCurrency, (literal, currency) => {
        const read = amountFromLiteral(currency, literal);
        const minor = minorOf(literal, decimalsOf(currency));
        count[minor === undefined ? 'refused' : 'accepted'] += 1;
        if (minor === undefined) expect(read).toHaveProperty('fault');
        else expect(read).toEqual({ currency, minor });
      }),
      { numRuns: rounds(3_000, 10_000) },
    );
    expect(Math.min(count.accepted, count.refused)).toBeGreaterThan(1000);
  });

  it('is refused with one decimal too many, in every currency', () => {
    for (const currency of currencyCodes) {
      const literal = `7.${'0'.repeat(decimalsOf(currency))}`;
      expect(amountFromLiteral(currency, `${literal}1`)).toMatchObject({ fault: 'too_many_decimals' });
      expect(amountFromLiteral(currency, `${literal}0`)).toEqual({
        currency,
        minor: 7n * 10n ** BigInt(decimalsOf(currency)),
      });
    }
  });
});

describe('an amount as a literal', () => {
  it.each<[CurrencyCode, bigint, string]>([
    ['USD', 10000n, '100'],
    ['USD', 10050n, '100.5'],
    ['USD', 1n, '0.01'],
    ['USD', 0n, '0'],
    ['USD', -150n, '-1.5'],
    ['USD', -1n, '-0.01'],
    ['JPY', 100n, '100'],
    ['KWD', 1005n, '1.005'],
    ['CLF', 1n, '0.0001'],
    ['JPY', 1000000000000000n, '1000000000000000'],
  ])('writes in %s %i as %s', (currency, minor, literal) => {
    expect(amountToLiteral(amount(currency, minor))).toBe(literal);
  });

  it('is read back as the same amount, also by a JSON parser that uses doubles', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const literal = amountToLiteral(amount(currency, minor));
        expect(amountFromLiteral(currency, literal)).toEqual({ currency, minor });
        expect(JSON.stringify(JSON.parse(literal))).toBe(literal);
      }),
      { numRuns: rounds(2_000, 5_000) },
    );
  });

  it('is read from a request body exactly as it was written', () => {
    const { literals } = parseJsonBody(Buffer.from('{"amountIn":100.0,"other":1e3}'), {
      literals: literalPointers(['/amountIn', '/other']),
    });
    expect(amountFromLiteral('JPY', literals.get('/amountIn') ?? '')).toEqual({
      currency: 'JPY',
      minor: 100n,
    });
    expect(amountFromLiteral('JPY', literals.get('/other') ?? '')).toMatchObject({ fault: 'exponent' });
  });
});
