/** The days on which banks are closed, against what their authorities have published. */
import { describe, expect, it } from 'vitest';
import { calendars, type HolidayCalendar, holidaysOf } from '../../src/iso20022/holidays.js';
import { availableOn } from '../../src/orders/receipt/availability.js';

/** Published lists, without days on a weekend that is not moved. */
const published: readonly (readonly [HolidayCalendar, number, string])[] = [
  ['target', 2026, '01-01 04-03 04-06 05-01 12-25'],
  ['target', 2027, '01-01 03-26 03-29'],
  ['us', 2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
  ['us', 2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  ['gb', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['gb', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['mx', 2026, '01-01 02-02 03-16 04-02 04-03 05-01 09-16 11-02 11-16 12-25'],
];

describe('the holidays of banks', () => {
  it.each(published)('are those that were published: %s %i', (calendar, year, days) => {
    const computed = [...holidaysOf(calendar, year)].filter(
      (day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()),
    );
    const expected = days.split(' ').map((day) => `${year}-${day}`);
    // TARGET and Mexico do not move a holiday from a weekend; the others have moved it.
    expect(computed.sort()).toEqual(
      expected.filter((day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())),
    );
  });

  it('keep a day free around both Eids, in every calendar that has them', () => {
    // Eid al-Fitr 2026 was on 20 March in Saudi Arabia, and Eid al-Adha on 27 May.
    for (const calendar of ['ph', 'ng'] as const)
      for (const day of ['2026-03-19', '2026-03-20', '2026-03-21', '2026-05-26', '2026-05-27', '2026-05-28'])
        expect([calendar, day, holidaysOf(calendar, 2026).has(day)]).toEqual([calendar, day, true]);
  });

  it('name a source each', () => {
    for (const [name, { source }] of Object.entries(calendars))
      expect([name, /^https:/.test(source)]).toEqual([name, name !== 'none']);
  });
});

describe('the day on which money is available', () => {
  it('is a day on which banks of the country of the payout work', () => {
    expect(availableOn(new Date('2026-11-16T15:00:00Z'), 'MX')).toBe('2026-11-17');
    expect(availableOn(new Date('2026-12-25T15:00:00Z'), 'GB')).toBe('2026-12-29');
    expect(availableOn(new Date('2026-04-03T15:00:00Z'), 'ES')).toBe('2026-04-07');
    expect(availableOn(new Date('2026-11-17T15:00:00Z'), 'MX')).toBe('2026-11-17');
  });

  it('is one bank day later where the holidays are not known', () => {
    expect(availableOn(new Date('2026-11-17T15:00:00Z'), 'KE')).toBe('2026-11-18');
    expect(availableOn(new Date('2026-11-20T15:00:00Z'), 'KE')).toBe('2026-11-23');
  });
});
