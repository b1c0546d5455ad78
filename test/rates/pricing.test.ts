import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import { type Rate, rateFromLiteral, ratioOf } from '../../src/money/rate.js';
import type { Corridor } from '../../src/rates/corridors/corridor.js';
import { defaultRateTerms, defaultWaitingTerms } from '../../src/rates/corridors/default-terms.js';
import { amountInFor, price } from '../../src/rates/pricing.js';
import { type QuoteCode, quoteJson } from '../../src/rates/quote.js';
import { rounds } from '../harness/rounds.js';
import { fractionOf, significantDigitsOf } from '../money/oracle.js';
import { anyCurrency, anyMinor, anyRateLiteral } from '../money/written.js';
import { expectedPrice, isMore, recomputed, type Terms, times, unitsOf } from './oracle.js';

const runs = rounds(1000, 3000);
const basisPoints = fc.oneof(fc.constantFrom(0, 1, 9999 / 9, 5000).map(Math.floor), fc.integer({ min: 0, max: 5000 }));
const positiveMinor = anyMinor.filter((minor) => minor > 0n);

const anyTerms: fc.Arbitrary<Terms> = fc.record({
  fiatIn: anyCurrency,
  fiatOut: anyCurrency,
  minInMinor: positiveMinor,
  maxInMinor: positiveMinor,
  minOutMinor: positiveMinor,
  marginBasisPoints: basisPoints,
  feeFixedMinor: anyMinor,
  feeBasisPoints: basisPoints,
});

/** Wide limits, so that most cases are priced and not refused. */
const wideTerms = anyTerms.map((terms) => ({
  ...terms,
  minInMinor: 1n,
  maxInMinor: 10n ** 15n,
  minOutMinor: 1n,
  feeFixedMinor: terms.feeFixedMinor % 1000n,
}));

const literalOf = (currency: string, minor: bigint) => {
  const { under } = unitsOf(currency, minor);
  const decimals = under.toString().length - 1;
  const digits = minor.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return decimals === 0 || fraction === ''
    ? digits.slice(0, digits.length - decimals)
    : `${digits.slice(0, digits.length - decimals)}.${fraction}`;
};

function corridorOf(terms: Terms): Corridor {
  return {
    ...terms,
    fiatIn: terms.fiatIn as CurrencyCode,
    fiatOut: terms.fiatOut as CurrencyCode,
    isOpen: true,
    quoteLifetimeSeconds: 1800,
    kycBands: [],
    payoutMethods: ['mobile_wallet'],
    ...defaultRateTerms(terms.fiatIn, terms.fiatOut),
    ...defaultWaitingTerms,
    version: 1,
  };
}

function midOf(literal: string) {
  const fraction = fractionOf(literal);
  if (!fraction) throw new Error(`${literal} is no rate`);
  return { ratio: ratioOf(rateFromLiteral(literal) as Rate), fraction };
}

/** The text of the answer; undefined for a refusal. */
function answerText(terms: Terms, midLiteral: string, sent: bigint): string | undefined {
  const amountIn = amount(terms.fiatIn as CurrencyCode, sent);
  const priced = price(corridorOf(terms), midOf(midLiteral).ratio, amountIn);
  if ('refusal' in priced) return undefined;
  const expiresAt = new Date('2026-11-15T10:00:00.000Z');
  const code = 'rt_00000000000000000000000000' as QuoteCode;
  return quoteJson({ ...priced, amountIn, code, expiresAt });
}

const numberIn = (text: string, field: string) => new RegExp(`"${field}":([^,}]+)`).exec(text)?.[1] ?? '';

describe('a price', () => {
  it.each([
    ['anything', anyTerms],
    ['wide corridors', wideTerms],
  ])('equals that of the exact oracle, and is refused exactly when the oracle refuses: %s', (_what, someTerms) => {
    const seen = { prices: 0, refusals: 0 };
    fc.assert(
      fc.property(someTerms, anyRateLiteral, anyMinor, (terms, mid, sent) => {
        const expected = expectedPrice(terms, midOf(mid).fraction, sent);
        const actual = price(corridorOf(terms), midOf(mid).ratio, amount(terms.fiatIn as CurrencyCode, sent));
        if (typeof expected === 'string' || 'refusal' in actual) {
          seen.refusals += 1;
          expect('refusal' in actual && actual.refusal).toBe(expected);
          return;
        }
        seen.prices += 1;
        expect(actual.amountOut).toEqual({ currency: terms.fiatOut, minor: expected.amountOutMinor });
        expect(actual.fee).toEqual({ currency: terms.fiatIn, minor: expected.feeMinor });
        const text = answerText(terms, mid, sent) ?? '';
        expect(numberIn(text, 'rate')).toBe(expected.rate);
      }),
      { numRuns: runs },
    );
    expect(seen.refusals).toBeGreaterThan(0);
    if (someTerms === wideTerms) expect(seen.prices).toBeGreaterThan(runs / 4);
  });

  it('never pays out more than the exact amount, and at most one minor unit and the ten-digit rounding less', () => {
    fc.assert(
      fc.property(wideTerms, anyRateLiteral, positiveMinor, (terms, mid, sent) => {
        const expected = expectedPrice(terms, midOf(mid).fraction, sent);
        const text = answerText(terms, mid, sent);
        if (typeof expected === 'string' || text === undefined) return;
        const out = fractionOf(numberIn(text, 'amountOut')) ?? { over: 0n, under: 1n };
        expect(isMore(out, expected.exact)).toBe(false);
        // The payout plus one unit plus a billionth is more than the exact amount.
        const next = unitsOf(terms.fiatOut, expected.amountOutMinor + 1n);
        expect(isMore(times(next, { over: 1_000_000_001n, under: 1_000_000_000n }), expected.exact)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('can be recomputed from the numbers of the answer as they are written', () => {
    fc.assert(
      fc.property(wideTerms, anyRateLiteral, positiveMinor, (terms, mid, sent) => {
        const text = answerText(terms, mid, sent);
        if (text === undefined) return;
        const amountIn = fractionOf(numberIn(text, 'amountIn'));
        expect(amountIn).toBeDefined();
        if (!amountIn) return;
        const again = recomputed(amountIn, numberIn(text, 'rate'), terms.fiatOut);
        expect(numberIn(text, 'amountOut')).toBe(literalOf(terms.fiatOut, again));
      }),
      { numRuns: runs },
    );
  });

  it('is written without an exponent, with at most ten digits of rate, and is read back as the same numbers', () => {
    fc.assert(
      fc.property(wideTerms, anyRateLiteral, positiveMinor, (terms, mid, sent) => {
        const text = answerText(terms, mid, sent);
        if (text === undefined) return;
        const read = JSON.parse(text);
        for (const field of ['amountIn', 'amountOut', 'rate']) {
          const written = numberIn(text, field);
          expect(written).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
          // A double that is read from the text has the same digits when it is written out.
          expect(Number(plain(read[field]))).toBe(Number(written));
          expect(plain(read[field])).toBe(written);
        }
        expect(significantDigitsOf(numberIn(text, 'rate'))).toBeLessThanOrEqual(10);
        expect(numberIn(text, 'amountIn')).toBe(literalOf(terms.fiatIn, sent));
      }),
      { numRuns: runs },
    );
  });

  it('never pays out less for one unit more, except by the rounding', () => {
    fc.assert(
      fc.property(wideTerms, anyRateLiteral, fc.bigInt({ min: 1n, max: 10n ** 9n }), (terms, mid, sent) => {
        const [less, more] = [sent, sent + 1n].map((minor) =>
          price(corridorOf(terms), midOf(mid).ratio, amount(terms.fiatIn as CurrencyCode, minor)),
        );
        if (!less || !more || 'refusal' in less || 'refusal' in more) return;
        const slack = less.amountOut.minor / 1_000_000_000n + 1n + spentOnShare(terms, mid);
        expect(more.amountOut.minor + slack).toBeGreaterThanOrEqual(less.amountOut.minor);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    // 4 ten-millionths: JavaScript by itself would write 4e-7.
    ['0.0000004', '"amountIn":1000000000000,"amountOut":400000,"rate":0.0000004,'],
    ['0.00000000001', '"amountIn":1000000000000,"amountOut":10,"rate":0.00000000001,'],
    ['123.45678901234', '"amountIn":1000000000000,"amountOut":123456789000000,"rate":123.456789,'],
  ])('is written out in full at the rate %s', (mid, expected) => {
    const terms: Terms = {
      fiatIn: 'VND',
      fiatOut: 'XOF',
      minInMinor: 1n,
      maxInMinor: 10n ** 15n,
      minOutMinor: 1n,
      marginBasisPoints: 0,
      feeFixedMinor: 0n,
      feeBasisPoints: 0,
    };
    expect(answerText(terms, mid, 10n ** 12n)).toContain(expected);
  });

  it('is refused without an error when the fee is larger than the amount', () => {
    const terms: Terms = {
      fiatIn: 'USD',
      fiatOut: 'MXN',
      minInMinor: 1n,
      maxInMinor: 10n ** 15n,
      minOutMinor: 1n,
      marginBasisPoints: 0,
      feeFixedMinor: 10n ** 15n,
      feeBasisPoints: 5000,
    };
    const priced = price(corridorOf(terms), midOf('0.000001').ratio, amount('USD', 10n ** 15n));
    expect(priced).toEqual({ refusal: 'payout_below_minimum', min: { currency: 'MXN', minor: 1n } });
  });
});

/** The percentage fee is rounded up, so it can take one more unit: that unit, converted. */
function spentOnShare(terms: Terms, mid: string): bigint {
  const worth = times(unitsOf(terms.fiatIn, 1n), midOf(mid).fraction);
  const { under } = unitsOf(terms.fiatOut, 1n);
  return (worth.over * under) / worth.under + 1n;
}

/** Writes a double without an exponent. */
function plain(value: number): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const places = Number(exponent);
  return places < 0
    ? `0.${'0'.repeat(-places - whole.length)}${whole}${fraction}`
    : `${whole}${fraction.padEnd(places, '0')}`;
}

describe('the amount for a wanted payout', () => {
  const anyOut = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.bigInt({ min: 1n, max: 10n ** 12n }));

  it('is the smallest one whose price makes at least that arrive, by the exact oracle, and is refused when there is none', () => {
    const seen = { amounts: 0, refusals: 0 };
    fc.assert(
      fc.property(fc.oneof(wideTerms, anyTerms), anyRateLiteral, anyOut, (terms, mid, wanted) => {
        const found = amountInFor(corridorOf(terms), midOf(mid).ratio, amount(terms.fiatOut as CurrencyCode, wanted));
        const out = (minor: bigint) => {
          const expected = expectedPrice(terms, midOf(mid).fraction, minor);
          return typeof expected === 'string' ? -1n : expected.amountOutMinor;
        };
        if ('refusal' in found) {
          seen.refusals += 1;
          if (found.refusal === 'payout_below_minimum') expect(wanted).toBeLessThan(terms.minOutMinor);
          else expect(out(found.max.minor) < wanted || out(found.min.minor) >= wanted).toBe(true);
          return;
        }
        seen.amounts += 1;
        expect(out(found.minor)).toBeGreaterThanOrEqual(wanted);
        // Below, what arrives may jump by the rounding of the rate, so that the nearest ones are all looked at.
        if (found.minor < 10n ** 12n)
          for (let less = found.minor - 1n; less > 0n && less > found.minor - 20n; less -= 1n)
            expect(out(less)).toBeLessThan(wanted);
      }),
      { numRuns: runs },
    );
    expect(seen.refusals).toBeGreaterThan(0);
    expect(seen.amounts).toBeGreaterThan(runs / 8);
  });

  it('ends quickly for the largest amounts there are', () => {
    const terms = { minInMinor: 1n, maxInMinor: 10n ** 15n, minOutMinor: 1n, feeFixedMinor: 0n, feeBasisPoints: 30 };
    const corridor = corridorOf({ ...terms, fiatIn: 'EUR', fiatOut: 'USD', marginBasisPoints: 33 });
    const found = amountInFor(corridor, midOf('1.0837').ratio, amount('USD', 8n * 10n ** 14n));
    expect('refusal' in found ? found.refusal : found.minor).toBeGreaterThan(7n * 10n ** 14n);
  });
});
