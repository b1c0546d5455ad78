import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../../src/money/amount.js';
import { feeCeil } from '../../src/money/basis-points.js';
import { divideCeil, divideFloor } from '../../src/money/division.js';
import { rounds } from '../harness/rounds.js';
import { anyCurrency, anyMinor } from './written.js';

describe('division', () => {
  it.each([
    [7n, 2n, 3n, 4n],
    [5n, 2n, 2n, 3n],
    [-5n, 2n, -3n, -2n],
    [-7n, 2n, -4n, -3n],
    [1n, 3n, 0n, 1n],
    [2n, 3n, 0n, 1n],
    [-1n, 3n, -1n, 0n],
    [-2n, 3n, -1n, 0n],
    [6n, 3n, 2n, 2n],
    [-6n, 3n, -2n, -2n],
    [0n, 3n, 0n, 0n],
  ])('divides %i by %i to %i down, %i up', (dividend, divisor, floor, ceil) => {
    expect(divideFloor(dividend, divisor)).toBe(floor);
    expect(divideCeil(dividend, divisor)).toBe(ceil);
  });

  it('rounds as its name states, for any numbers', () => {
    const anyDivisor = fc.oneof(fc.bigInt({ min: 1n, max: 20n }), fc.bigInt({ min: 1n, max: 10n ** 40n }));
    const anyDividend = fc.oneof(fc.bigInt({ min: -99n, max: 99n }), fc.bigInt());
    fc.assert(
      fc.property(anyDividend, anyDivisor, (dividend, divisor) => {
        const floor = divideFloor(dividend, divisor);
        const ceil = divideCeil(dividend, divisor);
        expect(floor * divisor <= dividend && dividend < (floor + 1n) * divisor).toBe(true);
        expect((ceil - 1n) * divisor < dividend && dividend <= ceil * divisor).toBe(true);
      }),
      { numRuns: rounds(2_000, 5_000) },
    );
  });

  it.each([0n, -1n])('refuses to divide by %i', (divisor) => {
    for (const division of [divideFloor, divideCeil]) {
      expect(() => division(1n, divisor)).toThrow(RangeError);
    }
  });
});

describe('a fee in basis points', () => {
  it.each([
    [10_000n, 50, 50n],
    [10_001n, 50, 51n],
    [1n, 1, 1n],
    [1n, 0, 0n],
    [0n, 50, 0n],
    [12_345n, 10_000, 12_345n],
    [1_000_000_000_000_000n, 1, 100_000_000_000n],
  ])('is for %i minor units at %i basis points: %i', (minor, basisPoints, fee) => {
    expect(feeCeil(amount('USD', minor), basisPoints)).toEqual({ currency: 'USD', minor: fee });
  });

  it('is never below the exact share, and less than a unit above it', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, fc.integer({ min: 0, max: 10_000 }), (minor, currency, basisPoints) => {
        const fee = feeCeil(amount(currency, minor), basisPoints);
        const above = fee.minor * 10_000n - minor * BigInt(basisPoints);
        expect(fee.currency).toBe(currency);
        expect(above >= 0n && above < 10_000n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([-1, 10_001, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('is refused at %d', (basisPoints) => {
    expect(() => feeCeil(amount('USD', 1n), basisPoints)).toThrow(RangeError);
  });
});
