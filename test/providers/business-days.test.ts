import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessDaysBetween } from '../../src/rates/board/business-days.js';

describe('business days', () => {
  it.each([
    ['from Monday to the same Monday', '2026-04-13T00:00:00Z', '2026-04-13T23:59:59Z', 0],
    ['from Monday night to Tuesday morning', '2026-04-13T23:59:59Z', '2026-04-14T00:00:00Z', 1],
    ['from Friday to Saturday', '2026-04-10T14:00:00Z', '2026-04-11T14:00:00Z', 0],
    ['from Friday to Sunday', '2026-04-10T14:00:00Z', '2026-04-12T23:59:59Z', 0],
    ['from Friday to Monday', '2026-04-10T14:00:00Z', '2026-04-13T00:00:00Z', 1],
    ['from Saturday to Monday', '2026-04-11T14:00:00Z', '2026-04-13T14:00:00Z', 1],
    ['over Easter, from Thursday to Tuesday', '2026-04-02T14:00:00Z', '2026-04-07T14:00:00Z', 3],
    ['over a week', '2026-04-13T14:00:00Z', '2026-04-20T14:00:00Z', 5],
    ['over a year of 365 days', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 261],
    ['backwards', '2026-04-14T00:00:00Z', '2026-04-13T00:00:00Z', 0],
    ['before 1970', '1969-12-01T00:00:00Z', '1969-12-08T00:00:00Z', 5],
  ])('%s are counted correctly', (_what, from, to, days) => {
    expect(businessDaysBetween(new Date(from), new Date(to))).toBe(days);
  });

  it('agree with a count on the calendar', () => {
    const hourMs = 3_600_000;
    fc.assert(
      fc.property(fc.integer({ min: -300_000, max: 600_000 }), fc.integer({ min: 0, max: 2000 }), (hour, hours) => {
        const from = new Date(hour * hourMs);
        const to = new Date((hour + hours) * hourMs);
        expect(businessDaysBetween(from, to)).toBe(countOnCalendar(from, to));
      }),
    );
  });

  it('throw an error for an invalid date instead of returning NaN, which would pass as recent', () => {
    expect(() => businessDaysBetween(new Date('x'), new Date(0))).toThrow(RangeError);
  });
});

function countOnCalendar(from: Date, to: Date): number {
  let count = 0;
  const day = new Date(from);
  while (day.toISOString().slice(0, 10) < to.toISOString().slice(0, 10)) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (![0, 6].includes(day.getUTCDay())) count += 1;
  }
  return count;
}
