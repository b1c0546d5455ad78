import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateFromLiteral } from '../../src/money/rate.js';
import { plainDecimal, plainDecimalOfJsonNumber } from '../../src/providers/rates/figure.js';
import { afternoonInBrussels, instantOf, unixSecondsOf } from '../../src/providers/rates/publication-time.js';
import { processorMs } from '../harness/processor-time.js';

describe('a rate as text', () => {
  it.each([
    ['1.2e-5', '0.000012'],
    ['1.2E-5', '0.000012'],
    ['1.20e-5', '0.0000120'],
    ['1.2e5', '120000'],
    ['1.2e+1', '12'],
    ['1.25e1', '12.5'],
    ['12e-1', '1.2'],
    ['0.5e1', '5'],
    ['0.05e1', '0.5'],
    ['5e0', '5'],
    ['1.5', '1.5'],
    ['7', '7'],
  ])('is written as %s and read as %s', (literal, plain) => {
    expect(plainDecimalOfJsonNumber(literal)).toBe(plain);
  });

  it('keeps its exact value with an exponent', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: -20, max: 5 }),
        (digits, decimals, exponent) => {
          const text = digits.toString().padStart(decimals + 1, '0');
          const split = text.length - decimals;
          const literal = `${text.slice(0, split)}${decimals ? `.${text.slice(split)}` : ''}e${exponent}`;
          const plain = plainDecimalOfJsonNumber(literal);
          if (plain === undefined) return;
          const [whole = '', fraction = ''] = plain.split('.');
          // digits × 10^(exponent − decimals) = (whole fraction) × 10^−length, both sides times 10^40.
          const left = digits * 10n ** BigInt(40 + exponent - decimals);
          expect(BigInt(whole + fraction) * 10n ** BigInt(40 - fraction.length)).toBe(left);
        },
      ),
    );
  });

  it.each([`${'9'.repeat(15)}.${'9'.repeat(15)}`, `0.${'0'.repeat(28)}1`, '999999999999999', '1e14', '1e-29'])(
    'is accepted by src/money within the bounds: %s',
    (literal) => {
      const plain = plainDecimalOfJsonNumber(literal);
      expect(plain).toBeDefined();
      expect(rateFromLiteral(plain ?? '')).not.toHaveProperty('fault');
    },
  );

  it.each([
    `${'9'.repeat(15)}.${'9'.repeat(16)}`,
    `0.${'0'.repeat(29)}1`,
    '1000000000000000',
    '1e15',
    '1e-30',
    '1e100',
  ])('is refused beyond the bounds: %s', (literal) => {
    expect(plainDecimalOfJsonNumber(literal)).toBeUndefined();
  });

  it('may not have an exponent unless it comes from JSON', () => {
    expect(plainDecimal('1.2e5')).toBeUndefined();
  });

  it('is refused in linear time with a million digits', () => {
    const tookMs = processorMs(() => {
      expect(plainDecimalOfJsonNumber('1'.repeat(1_000_000))).toBeUndefined();
      expect(plainDecimalOfJsonNumber(`0.${'0'.repeat(1_000_000)}e5`)).toBeUndefined();
    });
    expect(tookMs).toBeLessThan(1000);
  });
});

describe('16:00 in Brussels', () => {
  it.each([
    ['2026-03-28', '15:00'],
    ['2026-03-29', '14:00'],
    ['2026-03-30', '14:00'],
    ['2026-07-01', '14:00'],
    ['2026-10-24', '14:00'],
    ['2026-10-25', '15:00'],
    ['2026-12-31', '15:00'],
  ])('is on %s at %s UTC', (day, hour) => {
    expect(afternoonInBrussels(day)?.toISOString()).toBe(`${day}T${hour}:00.000Z`);
  });
});

describe('a time', () => {
  it.each([
    ['2026-04-13T16:00:00+02:00', '2026-04-13T14:00:00.000Z'],
    ['2026-04-13T14:00:00Z', '2026-04-13T14:00:00.000Z'],
    ['2026-04-13T14:00:00.5z', '2026-04-13T14:00:00.500Z'],
    ['2026-04-13', '2026-04-13T00:00:00.000Z'],
  ])('is written as %s and read as %s', (text, instant) => {
    expect(instantOf(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '2026-04-13T14:00:00',
    '2026-02-29T14:00:00Z',
    '2026-04-13T25:00:00Z',
    '13.04.2026',
    '2026-04-13T14:00:00+99:00',
    '',
    'now',
  ])('is refused when written as %j', (text) => {
    expect(instantOf(text)).toBeUndefined();
  });

  it.each(['1776081600000', '-1776081600', '1776081600.5', '1.7760816e9', '0', ''])(
    'is refused in Unix seconds when written as %j',
    (literal) => {
      expect(unixSecondsOf(literal)).toBeUndefined();
    },
  );
});
