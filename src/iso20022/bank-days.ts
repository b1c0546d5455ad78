/** Pure. On which days a bank works, and until when it takes a payment for the same day. */

import { type HolidayCalendar, holidaysOf, isWeekend } from './holidays.js';

export interface BankDays {
  readonly timeZone: string;
  readonly holidays: HolidayCalendar;
  /** As `14:00`, in the zone. */
  readonly cutOff: string;
}

const dayMs = 86_400_000;

/** The first day, as YYYY-MM-DD, on which the bank carries out what it gets at this moment. */
export function executionDayFor(moment: Date, days: BankDays): string {
  const { day, time } = localTime(moment, days.timeZone);
  return nextBankDay(time < days.cutOff ? day : following(day), days.holidays);
}

/** When the bank stops taking payments for the execution day: at the cut-off of this day. */
export function cutOffOf(day: string, { timeZone, cutOff }: BankDays): Date {
  const wanted = `${day}T${cutOff}`;
  const guess = new Date(`${wanted}:00Z`).getTime();
  // The offset of a zone is that of the moment itself, so it is looked up where the first guess leads.
  const offsetAt = (time: number) => new Date(`${stamp(new Date(time), timeZone)}:00Z`).getTime() - time;
  const first = guess - offsetAt(guess);
  return new Date(guess - offsetAt(first));
}

export function isBankDay(day: string, calendar: HolidayCalendar): boolean {
  if (isWeekend(Date.parse(`${day}T00:00:00Z`))) return false;
  return !holidaysOf(calendar, Number(day.slice(0, 4))).has(day);
}

/** The day itself, when the bank works. */
export function nextBankDay(from: string, calendar: HolidayCalendar): string {
  let day = from;
  while (!isBankDay(day, calendar)) day = following(day);
  return day;
}

export function following(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

function localTime(moment: Date, timeZone: string): { day: string; time: string } {
  const [day = '', time = ''] = stamp(moment, timeZone).split('T');
  return { day, time };
}

/** As `2026-03-01T14:05`, on the clocks of the zone. */
function stamp(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(moment).replace(' ', 'T');
}
