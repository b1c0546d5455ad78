import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurrencyCode } from '../../src/money/currency.js';
import { type Rate, type Ratio, rateFromLiteral } from '../../src/money/rate.js';
import { midRate } from '../../src/rates/board/mid-rate.js';
import type { DatedRate, SourceRates } from '../../src/rates/sources/source-rates.js';
import { type Fraction, fractionOf } from '../money/oracle.js';
import { anyRateLiteral } from '../money/written.js';
import { isSame, over, times } from './oracle.js';

/** A Wednesday. */
const now = new Date('2026-11-11T12:00:00Z');
const tuesday = new Date('2026-11-10T15:00:00Z');

function source(
  name: string,
  base: CurrencyCode,
  rates: Partial<Record<CurrencyCode, string>>,
  options: { publishedAt?: Date; ageLimitBusinessDays?: number } = {},
): SourceRates {
  const { publishedAt = tuesday, ageLimitBusinessDays = 2 } = options;
  const listed = Object.entries(rates).map(([code, literal]): [CurrencyCode, DatedRate] => [
    code as CurrencyCode,
    { rate: rateFromLiteral(literal) as Rate, publishedAt },
  ]);
  return { source: name, base, rates: new Map(listed), ageLimitBusinessDays };
}

const asFraction = ({ numerator, denominator }: Ratio): Fraction => ({ over: numerator, under: denominator });
const exactly = (literal: string) => fractionOf(literal) as Fraction;

function expectRate(board: SourceRates[], from: CurrencyCode, to: CurrencyCode, exact: Fraction, at = now) {
  const found = midRate(board, { fiatIn: from, fiatOut: to }, at);
  expect(found).toBeDefined();
  if (found) expect(isSame(asFraction(found.ratio), exact)).toBe(true);
  return found;
}

const rateOf = (board: SourceRates[], fiatIn: CurrencyCode, fiatOut: CurrencyCode, at: Date) =>
  midRate(board, { fiatIn, fiatOut }, at);

describe('the mid-market rate', () => {
  it('is exact from the base, to the base and across it', () => {
    fc.assert(
      fc.property(anyRateLiteral, anyRateLiteral, (dollars, pesos) => {
        const board = [source('ecb', 'EUR', { USD: dollars, MXN: pesos })];
        expectRate(board, 'EUR', 'MXN', exactly(pesos));
        expectRate(board, 'MXN', 'EUR', over({ over: 1n, under: 1n }, exactly(pesos)));
        expectRate(board, 'USD', 'MXN', over(exactly(pesos), exactly(dollars)));
      }),
    );
  });

  it('is exactly one when multiplied by the rate of the way back', () => {
    fc.assert(
      fc.property(anyRateLiteral, anyRateLiteral, (dollars, pesos) => {
        const board = [source('ecb', 'EUR', { USD: dollars, MXN: pesos })];
        const [there, back] = [rateOf(board, 'USD', 'MXN', now), rateOf(board, 'MXN', 'USD', now)];
        if (!there || !back) throw new Error('there is no rate');
        const product = times(asFraction(there.ratio), asFraction(back.ratio));
        expect(product.over).toBe(product.under);
      }),
    );
  });

  it('comes from the first source that has both currencies', () => {
    const [ecb, json] = [
      source('ecb', 'EUR', { USD: '1.1', MXN: '20' }),
      source('json-1', 'USD', { MXN: '19', KES: '130' }),
    ];
    expect(expectRate([ecb, json], 'USD', 'MXN', over(exactly('20'), exactly('1.1')))?.source).toBe('ecb');
    expect(expectRate([json, ecb], 'USD', 'MXN', exactly('19'))?.source).toBe('json-1');
    expect(expectRate([ecb, json], 'USD', 'KES', exactly('130'))?.source).toBe('json-1');
  });

  it('prefers one source that has both currencies to two that have one each', () => {
    const board = [
      source('first', 'EUR', { USD: '1.1', MXN: '20' }),
      source('second', 'EUR', { KES: '140' }),
      source('third', 'USD', { MXN: '19', KES: '130' }),
    ];
    expect(expectRate(board, 'MXN', 'KES', over(exactly('130'), exactly('19')))?.source).toBe('third');
  });

  it('combines two sources through the base of one of them, exactly, and names both', () => {
    const board = [
      source('ecb', 'EUR', { USD: '1.1', MXN: '20' }),
      source('json-1', 'USD', { KES: '130', EUR: '0.9' }),
    ];
    // MXN → EUR by the ECB, then EUR → KES within the other.
    const there = times(over(exactly('1'), exactly('20')), over(exactly('130'), exactly('0.9')));
    expect(expectRate(board, 'MXN', 'KES', there)?.source).toBe('ecb+json-1');
    // KES → USD by the other, then USD → MXN within the ECB.
    const back = times(over(exactly('1'), exactly('130')), over(exactly('20'), exactly('1.1')));
    expect(expectRate(board, 'KES', 'MXN', back)?.source).toBe('json-1+ecb');
  });

  it('is undefined when no two sources can be combined', () => {
    const board = [source('ecb', 'EUR', { MXN: '20' }), source('json-1', 'USD', { KES: '130' })];
    expect(rateOf(board, 'MXN', 'KES', now)).toBeUndefined();
    expect(rateOf(board, 'USD', 'EUR', now)).toBeUndefined();
    expect(rateOf([], 'USD', 'MXN', now)).toBeUndefined();
  });

  it('is as old as the oldest figure in it', () => {
    const old = new Date('2026-11-09T15:00:00Z');
    const board = [
      source('ecb', 'EUR', { MXN: '20' }, { publishedAt: old }),
      source('json-1', 'EUR', { KES: '140' }, { publishedAt: tuesday }),
    ];
    expect(rateOf(board, 'MXN', 'KES', now)?.publishedAt).toEqual(old);
    expect(rateOf(board, 'KES', 'MXN', now)?.publishedAt).toEqual(old);
    expect(rateOf(board, 'EUR', 'KES', now)?.publishedAt).toEqual(tuesday);
  });
});

describe('the age of a rate', () => {
  const friday = new Date('2026-11-06T15:00:00Z');

  it.each([
    ['2026-11-06T23:59:59Z', 'on the day itself', true],
    ['2026-11-08T23:59:59Z', 'over the weekend, which has no business days', true],
    ['2026-11-09T23:59:59Z', 'on Monday, 1 day old', true],
    ['2026-11-10T23:59:59.999Z', 'to the last moment of Tuesday, 2 days old', true],
    ['2026-11-11T00:00:00Z', 'from Wednesday on', false],
    ['2027-11-11T00:00:00Z', 'a year later', false],
  ])('counts in business days: at %s, %s', (at, _what, isUsed) => {
    const board = [source('ecb', 'EUR', { MXN: '20' }, { publishedAt: friday, ageLimitBusinessDays: 2 })];
    expect(rateOf(board, 'EUR', 'MXN', new Date(at)) !== undefined).toBe(isUsed);
  });

  it('has a limit per source: the next source is used when the first is too old', () => {
    const board = [
      source('ecb', 'EUR', { MXN: '20' }, { publishedAt: friday, ageLimitBusinessDays: 2 }),
      source('file-1', 'EUR', { MXN: '21' }, { publishedAt: friday, ageLimitBusinessDays: 5 }),
    ];
    expect(rateOf(board, 'EUR', 'MXN', new Date('2026-11-10T12:00:00Z'))?.source).toBe('ecb');
    expect(rateOf(board, 'EUR', 'MXN', new Date('2026-11-11T12:00:00Z'))?.source).toBe('file-1');
    expect(rateOf(board, 'EUR', 'MXN', new Date('2026-11-16T12:00:00Z'))).toBeUndefined();
  });

  it('has no limit when the source has none', () => {
    const endless = { publishedAt: friday, ageLimitBusinessDays: Number.POSITIVE_INFINITY };
    const board = [source('sandbox-snapshot', 'EUR', { MXN: '20' }, endless)];
    expect(rateOf(board, 'EUR', 'MXN', new Date('2126-01-01T00:00:00Z'))?.source).toBe('sandbox-snapshot');
  });

  it('is checked for each leg: no rate is made of a leg that is too old', () => {
    const fresh = source('ecb', 'EUR', { USD: '1.1' });
    const mixed: SourceRates = {
      ...fresh,
      rates: new Map([
        ...fresh.rates,
        ['MXN', { rate: rateFromLiteral('20') as Rate, publishedAt: new Date('2026-10-01T12:00:00Z') }],
      ]),
    };
    expect(rateOf([mixed], 'USD', 'MXN', now)).toBeUndefined();
    const kes = source('json-1', 'EUR', { KES: '140' });
    expect(rateOf([mixed, kes], 'MXN', 'KES', now)).toBeUndefined();
    expect(rateOf([mixed, kes], 'USD', 'KES', now)?.source).toBe('ecb+json-1');
  });
});
