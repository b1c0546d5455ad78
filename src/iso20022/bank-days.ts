/** Pure. On which days a bank works, and until when it takes a payment for the same day. */

export interface BankDays {
  readonly timeZone: string;
  readonly holidays: HolidayCalendar;
  /** As `14:00`, in the zone. */
  readonly cutOff: string;
}

/** `target` is that of the euro's payment system, `sic` that of the Swiss one. `none` has weekends only. */
export type HolidayCalendar = 'none' | 'target' | 'sic';

/** Days of the year, and days after Easter Sunday. */
const calendars: Readonly<Record<HolidayCalendar, { fixed: readonly string[]; afterEaster: readonly number[] }>> = {
  none: { fixed: [], afterEaster: [] },
  target: { fixed: ['01-01', '05-01', '12-25', '12-26'], afterEaster: [-2, 1] },
  sic: { fixed: ['01-01', '01-02', '05-01', '08-01', '12-25', '12-26'], afterEaster: [-2, 1, 39, 50] },
};

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
  const time = Date.parse(`${day}T00:00:00Z`);
  const weekday = new Date(time).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const { fixed, afterEaster } = calendars[calendar];
  if (fixed.includes(day.slice(5))) return false;
  return !afterEaster.includes((time - easterSunday(Number(day.slice(0, 4)))) / dayMs);
}

function nextBankDay(from: string, calendar: HolidayCalendar): string {
  let day = from;
  while (!isBankDay(day, calendar)) day = following(day);
  return day;
}

function following(day: string): string {
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

/** The Gregorian algorithm of Meeus, as milliseconds of its midnight. */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const moon = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + moon + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const month = Math.floor((epact + weekday - 7 * late + 114) / 31);
  const date = ((epact + weekday - 7 * late + 114) % 31) + 1;
  return Date.UTC(year, month - 1, date);
}
