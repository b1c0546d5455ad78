/** Times and dates that exist are read exactly, and others are refused instead of rolled over. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookingTimeOf, dateOf, timeOf } from '../../src/times.js';

it('every time and every date that exists is read back as it was written', () => {
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, (time) => {
      expect(timeOf(time.toISOString())).toEqual(time);
      const day = time.toISOString().slice(0, 10);
      expect(bookingTimeOf(day)?.toISOString()).toBe(`${day}T00:00:00.000Z`);
    }),
  );
  expect(timeOf('2026-11-15T09:30+02:00')?.toISOString()).toBe('2026-11-15T07:30:00.000Z');
  expect(timeOf('2024-02-29t23:59:59.9z')?.toISOString()).toBe('2024-02-29T23:59:59.900Z');
});

it.each([
  ...['2026-02-30T00:00:00Z', '2025-02-29T12:00:00Z', '2026-04-31T00:00:00+01:00', '2026-13-01T00:00:00Z'],
  ...['2026-11-15T24:00:00Z', '2026-11-15T23:60:00Z', '2026-12-31T23:59:60Z', '2026-11-15T09:30:00', '2026-11-15'],
  ...['2026-11-15T09:30:00+24:00', '15.11.2026', '2026-11-15 09:30:00Z', '', '0'],
])('there is no time %s', (text) => {
  expect(timeOf(text)).toBeUndefined();
});

it.each(['2026-02-30', '2025-02-29', '2026-00-10', '2026-1-1', '20261115', ' 2026-11-15'])(
  'there is no day %s',
  (text) => {
    expect(dateOf(text)).toBeUndefined();
    expect(bookingTimeOf(text)).toBeUndefined();
  },
);
