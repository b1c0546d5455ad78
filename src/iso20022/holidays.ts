/** Pure. The days on which banks are closed, by rules that their authorities publish. Weekends are not in here. */

export interface Calendar {
  readonly name: string;
  readonly source: string;
  readonly rules: readonly Rule[];
}

/** A feast of the Islamic year begins with the moon, so a day is kept free on both sides of the computed ones. */
type Rule =
  | { readonly on: string; readonly movesTo?: 'monday' | 'next_free' }
  | { readonly afterEaster: number }
  | { readonly nth: number; readonly weekday: number; readonly month: number }
  | { readonly islamicMonth: number; readonly day: number; readonly days: number };

const on = (...days: readonly string[]): Rule[] => days.map((day) => ({ on: day }));
/** A holiday on a Sunday is kept on Monday. */
const orMonday = (...days: readonly string[]): Rule[] => days.map((day) => ({ on: day, movesTo: 'monday' }));
/** A holiday on a weekend is kept on the next day that is free of others. */
const orNextFree = (...days: readonly string[]): Rule[] => days.map((day) => ({ on: day, movesTo: 'next_free' }));
const easter = (...days: readonly number[]): Rule[] => days.map((afterEaster) => ({ afterEaster }));
/** `nth` from the beginning of the month, or -1 for the last. */
const monday = (nth: number, month: number): Rule => ({ nth, weekday: 1, month });
const eidAlFitr: Rule = { islamicMonth: 10, day: 1, days: 2 };
const eidAlAdha: Rule = { islamicMonth: 12, day: 10, days: 2 };
const mawlid: Rule = { islamicMonth: 3, day: 12, days: 1 };

export const calendars = {
  none: { name: 'Weekends only', source: '', rules: [] },
  target: {
    name: 'T2 (TARGET), the payment system of the euro',
    source: 'https://www.ecb.europa.eu/ecb/contacts/working-hours/html/index.en.html',
    rules: [...on('01-01', '05-01', '12-25', '12-26'), ...easter(-2, 1)],
  },
  sic: {
    name: 'SIC, the payment system of Switzerland',
    source: 'https://www.six-group.com/en/products-services/banking-services/interbank-clearing.html',
    rules: [...on('01-01', '01-02', '05-01', '08-01', '12-25', '12-26'), ...easter(-2, 1, 39, 50)],
  },
  us: {
    name: 'Federal Reserve Banks',
    source: 'https://www.frbservices.org/about/holiday-schedules',
    rules: [
      ...orMonday('01-01', '06-19', '07-04', '11-11', '12-25'),
      monday(3, 1),
      monday(3, 2),
      monday(-1, 5),
      monday(1, 9),
      monday(2, 10),
      { nth: 4, weekday: 4, month: 11 },
    ],
  },
  gb: {
    name: 'Bank holidays of England and Wales',
    source: 'https://www.gov.uk/bank-holidays',
    rules: [...orNextFree('01-01', '12-25', '12-26'), ...easter(-2, 1), monday(1, 5), monday(-1, 5), monday(-1, 8)],
  },
  mx: {
    name: 'Banks of Mexico (CNBV)',
    source: 'https://www.gob.mx/cnbv',
    rules: [
      ...on('01-01', '05-01', '09-16', '11-02', '12-12', '12-25'),
      ...easter(-3, -2),
      monday(1, 2),
      monday(3, 3),
      monday(3, 11),
    ],
  },
  ph: {
    name: 'Regular and special non-working days of the Philippines',
    source: 'https://www.officialgazette.gov.ph/nationwide-holidays/',
    rules: [
      ...on('01-01', '04-09', '05-01', '06-12', '08-21', '11-01', '11-02', '11-30', '12-08', '12-24', '12-25'),
      ...on('12-30', '12-31'),
      ...easter(-3, -2),
      monday(-1, 8),
      eidAlFitr,
      eidAlAdha,
    ],
  },
  ng: {
    name: 'Public holidays of Nigeria',
    source: 'https://www.cbn.gov.ng/',
    rules: [
      ...orMonday('01-01', '05-01', '06-12', '10-01', '12-25', '12-26'),
      ...easter(-2, 1),
      eidAlFitr,
      eidAlAdha,
      mawlid,
    ],
  },
  in: {
    name: 'National holidays of India and the yearly closing of banks; NEFT and RTGS run every day',
    source: 'https://www.rbi.org.in/Scripts/HolidayMatrixDisplay.aspx',
    rules: on('01-26', '04-01', '08-15', '10-02'),
  },
} as const satisfies Readonly<Record<string, Calendar>>;
export type HolidayCalendar = keyof typeof calendars;

const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA';
const byCountry: ReadonlyMap<string, HolidayCalendar> = new Map<string, HolidayCalendar>([
  ...euroCountries.split(' ').map((country): [string, HolidayCalendar] => [country, 'target']),
  ['CH', 'sic'],
  ['LI', 'sic'],
  ['US', 'us'],
  ['GB', 'gb'],
  ['MX', 'mx'],
  ['PH', 'ph'],
  ['NG', 'ng'],
  ['IN', 'in'],
]);

/** Undefined for a country whose holidays are not known. */
export function calendarOf(country: string): HolidayCalendar | undefined {
  return byCountry.get(country);
}

const dayMs = 86_400_000;
const known = new Map<string, ReadonlySet<string>>();

/** The closed days of the year, as YYYY-MM-DD. */
export function holidaysOf(calendar: HolidayCalendar, year: number): ReadonlySet<string> {
  const key = `${calendar} ${year}`;
  const found = known.get(key) ?? computed(calendar, year);
  known.set(key, found);
  return found;
}

function computed(calendar: HolidayCalendar, year: number): ReadonlySet<string> {
  const days = new Set<string>();
  const rules: readonly Rule[] = calendars[calendar].rules;
  // What can move goes last, so that it finds the days that others have taken.
  const isMoving = (rule: Rule) => 'on' in rule && rule.movesTo === 'next_free';
  for (const rule of [...rules.filter((each) => !isMoving(each)), ...rules.filter(isMoving)])
    for (const time of timesOf(rule, year, days)) days.add(textOf(time));
  return days;
}

function timesOf(rule: Rule, year: number, taken: ReadonlySet<string>): number[] {
  if ('afterEaster' in rule) return [easterSunday(year) + rule.afterEaster * dayMs];
  if ('nth' in rule) return [nthWeekday(rule, year)];
  if ('on' in rule) return [moved(Date.parse(`${year}-${rule.on}T00:00:00Z`), rule.movesTo, taken)];
  const first = islamicDay(rule, year);
  return first.flatMap((time) => Array.from({ length: rule.days + 2 }, (_, at) => time + (at - 1) * dayMs));
}

function moved(time: number, to: 'monday' | 'next_free' | undefined, taken: ReadonlySet<string>): number {
  const weekday = new Date(time).getUTCDay();
  if (to === 'monday') return weekday === 0 ? time + dayMs : time;
  let free = time;
  while (to === 'next_free' && (isWeekend(free) || taken.has(textOf(free)))) free += dayMs;
  return free;
}

function nthWeekday({ nth, weekday, month }: { nth: number; weekday: number; month: number }, year: number): number {
  const first = Date.UTC(year, month - 1, 1);
  const days = Array.from({ length: 31 }, (_, at) => first + at * dayMs).filter(
    (time) => new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDay() === weekday,
  );
  return days.at(nth < 0 ? nth : nth - 1) ?? first;
}

/** By the calendar of Umm al-Qura. A solar year can have two of a day. */
function islamicDay({ islamicMonth, day }: { islamicMonth: number; day: number }, year: number): number[] {
  const format = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', {
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const wanted = `${islamicMonth} ${day}`;
  return Array.from({ length: 366 }, (_, at) => Date.UTC(year, 0, 1) + at * dayMs).filter((time) => {
    const parts = format.formatToParts(time);
    const part = (type: string) => parts.find((each) => each.type === type)?.value;
    return `${part('month')} ${part('day')}` === wanted && new Date(time).getUTCFullYear() === year;
  });
}

export function isWeekend(time: number): boolean {
  const weekday = new Date(time).getUTCDay();
  return weekday === 0 || weekday === 6;
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
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
