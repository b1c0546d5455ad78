import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayBeforeNext, gapsSeconds, readRetryAfter } from '../../src/webhooks/delivery/retry.js';

const plain = { isBusy: false, retryAfterSeconds: undefined };
const hour = 3600;

describe('the schedule', () => {
  it('has ten attempts over 75 hours, and then no more', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempts) => delayBeforeNext({ ...plain, attempts }, 0.5));
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
    expect(gapsSeconds.reduce((sum, gap) => sum + gap, 0)).toBe(75 * hour + 35 * 60 + 5);
  });

  it.each([
    [0, 4],
    [0.5, 5],
    [1, 6],
  ])('is scattered by a fifth: %s gives %s seconds', (random, seconds) => {
    expect(delayBeforeNext({ ...plain, attempts: 1 }, random)).toBeCloseTo(seconds, 9);
  });
});

describe('Retry-After', () => {
  it.each([
    ['is honoured when it is longer than the gap', 2, 500, 500],
    ['does not make a gap shorter', 2, 10, 300],
    ['is honoured up to an hour when the gap is short', 1, 7200, 3600],
    ['is honoured up to an hour also when it is beyond all numbers', 1, Number.POSITIVE_INFINITY, 3600],
    ['is honoured up to twice the gap when that is longer', 5, 99_999, 36_000],
    ['is never honoured beyond a day', 8, 999_999, 86_400],
  ])('%s', (_, attempts, retryAfterSeconds, expected) => {
    expect(delayBeforeNext({ isBusy: false, attempts, retryAfterSeconds }, 0.5)).toBe(expected);
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['120', 120],
    [' 120 ', 120],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['1000000000', 1_000_000_000],
    ['99999999999', 99_999_999_999],
    ['Sun, 15 Nov 2026 09:31:00 GMT', 60],
    ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
    ['2026-11-15T09:31:00Z', undefined],
    ['Sun, 99 Nov 2026 09:31:00 GMT', undefined],
  ])('%j is read as %j seconds', (header, expected) => {
    expect(readRetryAfter(header, new Date('2026-11-15T09:30:00Z'))).toBe(expected);
  });
});

it.each(['999999999', '1000000000', '9'.repeat(64), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'clamps Retry-After: %s to an hour before the second attempt',
  (header) => {
    const retryAfterSeconds = readRetryAfter(header, new Date('2026-11-15T09:30:00Z'));
    expect(delayBeforeNext({ attempts: 1, isBusy: false, retryAfterSeconds }, 0.5)).toBe(3600);
  },
);

it('a busy endpoint gets no attempt for at least a minute', () => {
  expect(delayBeforeNext({ attempts: 1, isBusy: true, retryAfterSeconds: undefined }, 0)).toBe(60);
  expect(delayBeforeNext({ attempts: 1, isBusy: true, retryAfterSeconds: 90 }, 0)).toBe(90);
  expect(delayBeforeNext({ attempts: 2, isBusy: true, retryAfterSeconds: undefined }, 0.5)).toBe(300);
});

it('a delay stays within its bounds whatever an endpoint asks for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, isBusy, retryAfterSeconds, random) => {
        const delay = delayBeforeNext({ attempts, isBusy, retryAfterSeconds }, random) ?? -1;
        const gap = gapsSeconds[attempts - 1] as number;
        expect(delay).toBeGreaterThanOrEqual(gap * 0.8 - 1e-6);
        expect(delay).toBeLessThanOrEqual(Math.max(gap * 1.2, 2 * gap, 3600) + 1e-6);
        expect(delay).toBeLessThanOrEqual(Math.max(gap * 1.2, 86_400) + 1e-6);
      },
    ),
  );
});
