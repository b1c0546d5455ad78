import { describe, expect, it } from 'vitest';
import { type BankDays, cutOffOf, executionDayFor, isBankDay } from '../../src/iso20022/bank-days.js';
import { currencyCode } from '../../src/money/currency.js';
import { manualRail } from '../../src/providers/payout/manual.js';

const brussels: BankDays = { timeZone: 'Europe/Brussels', holidays: 'target', cutOff: '14:00' };

describe('the day on which a bank pays', () => {
  it.each([
    ['before the cut-off', '2026-11-19T12:59:59Z', '2026-11-19'],
    ['from the cut-off on', '2026-11-19T13:00:00Z', '2026-11-20'],
    ['before the cut-off in summer', '2026-07-15T11:59:00Z', '2026-07-15'],
    ['on Friday evening', '2026-11-20T18:00:00Z', '2026-11-23'],
    ['before Easter', '2026-04-02T15:00:00Z', '2026-04-07'],
    ['at the end of the year', '2026-12-31T15:00:00Z', '2027-01-04'],
    ['on a day that has begun in the zone only', '2026-11-18T23:30:00Z', '2026-11-19'],
  ])('%s is the next one that it works on', (_case, moment, day) => {
    expect(executionDayFor(new Date(moment), brussels)).toBe(day);
  });

  it('ends at the cut-off by the clocks of the zone', () => {
    expect(cutOffOf('2026-11-19', brussels)).toEqual(new Date('2026-11-19T13:00:00Z'));
    expect(cutOffOf('2026-07-15', brussels)).toEqual(new Date('2026-07-15T12:00:00Z'));
  });

  it.each([
    ['2027-03-26', 'target', false],
    ['2027-03-29', 'target', false],
    ['2026-05-14', 'sic', false],
    ['2026-05-14', 'target', true],
    ['2026-05-25', 'sic', false],
    ['2026-08-01', 'sic', false],
    ['2026-12-25', 'none', true],
    ['2026-11-21', 'none', false],
  ] as const)('%s by the calendar %s is a working day: %s', (day, calendar, expected) => {
    expect(isBankDay(day, calendar)).toBe(expected);
  });
});

describe('a payment by hand', () => {
  const planned = (currency: string, moment: string) => {
    const amount = { currency: currencyCode(currency) ?? 'EUR', minor: 100n } as const;
    const { cutOffAt, arrivesAt, ...plan } = manualRail.plan(
      { direction: 'payout', amount, country: 'MX', method: 'bank_account' },
      new Date(moment),
    );
    return { ...plan, cutOffAt: cutOffAt?.toISOString(), arrivesAt: arrivesAt.toISOString() };
  };

  it.each([
    ['MXN', '2026-11-16T14:59:00Z', '2026-11-16', '2026-11-16T15:00:00.000Z', '2026-11-18T18:00:00.000Z'],
    ['MXN', '2026-11-16T15:00:00Z', '2026-11-17', '2026-11-17T15:00:00.000Z', '2026-11-19T18:00:00.000Z'],
    ['EUR', '2026-04-02T15:00:00Z', '2026-04-07', '2026-04-07T12:00:00.000Z', '2026-04-09T16:00:00.000Z'],
  ])(
    'in %s at %s leaves before the cut-off of its bank, and arrives two bank days later',
    (currency, moment, ...expected) => {
      const { valueDate, cutOffAt, arrivesAt } = planned(currency, moment);
      expect([valueDate, cutOffAt, arrivesAt]).toEqual(expected);
    },
  );
});
