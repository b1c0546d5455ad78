/**
 * By when a complaint or an error is answered: by the country of the sender, each clock with its article. Days are
 * those of the country. Pure.
 */
import { dayAt } from '../bank/accounts/bank-day.js';
import { defaultTimeZone } from '../bank/accounts/time-zones.js';
import { eeaCountries } from '../countries/lists.js';
import { cutOffOf, following, isBankDay } from '../iso20022/bank-days.js';
import { calendarOf } from '../iso20022/holidays.js';
import type { ComplaintKind } from './complaint.js';

interface Span {
  readonly days: number;
  readonly unit: 'days' | 'bank_days';
}

interface ClockRule {
  readonly article: string;
  readonly source: string;
  /** By when there is an answer. */
  readonly answer: Span;
  /** At the latest, once the customer was told why it takes longer. Undefined: it may not take longer. */
  readonly latest: Span | undefined;
  /** How long after the day on which the money was to be available an error may be reported. */
  readonly reportedWithinDays: number | undefined;
  /** By when what was found is put right, after the answer. */
  readonly remedy: Span;
}

const ofPsd2: ClockRule = {
  article: 'Directive (EU) 2015/2366 art. 101(2)',
  source: 'https://eur-lex.europa.eu/eli/dir/2015/2366/oj',
  answer: { days: 15, unit: 'bank_days' },
  latest: { days: 35, unit: 'bank_days' },
  reportedWithinDays: undefined,
  remedy: { days: 1, unit: 'bank_days' },
};

const ofTheUk: ClockRule = {
  ...ofPsd2,
  article: 'FCA Handbook DISP 1.6.2A',
  source: 'https://www.handbook.fca.org.uk/handbook/DISP/1/6.html',
};

/** The answer ends the investigation. Nothing is sent: who reads it tells the sender, within three business days. */
const errorsInTheUs: ClockRule = {
  article: '12 CFR 1005.33(b)(1), (c)(1) and (c)(2)',
  source: 'https://www.consumerfinance.gov/rules-policy/regulations/1005/33/',
  answer: { days: 90, unit: 'days' },
  latest: undefined,
  reportedWithinDays: 180,
  remedy: { days: 1, unit: 'bank_days' },
};

export interface Clocks {
  readonly article: string;
  readonly answerBy: Date;
  /** Undefined: a holding reply gives no more time. */
  readonly latestBy: Date | undefined;
  /** Whether it was reported in time. What came late is looked into all the same. */
  readonly isInTime: boolean;
}

export interface Reported {
  readonly kind: ComplaintKind;
  /** Where the sender lives. */
  readonly country: string;
  readonly at: Date;
  /** On which day the money was to be available, as the customer was told. */
  readonly availableOn: string | undefined;
}

export function clocksOf({ kind, country, at, availableOn }: Reported): Clocks {
  const { article, answer, latest, reportedWithinDays } = ruleFor(kind, country);
  const isLate =
    reportedWithinDays !== undefined &&
    availableOn !== undefined &&
    dayAt(at, zoneOf(country)) > daysAfter(availableOn, reportedWithinDays);
  return {
    article,
    answerBy: after(at, answer, country),
    latestBy: latest && after(at, latest, country),
    isInTime: !isLate,
  };
}

export function remedyDueBy(kind: ComplaintKind, country: string, answeredAt: Date): Date {
  return after(answeredAt, ruleFor(kind, country).remedy, country);
}

/** Elsewhere the clocks of PSD2 hold, which are the shorter ones. */
function ruleFor(kind: ComplaintKind, country: string): ClockRule {
  if (country === 'US' && kind === 'error') return errorsInTheUs;
  if (country === 'GB') return ofTheUk;
  const isBound = eeaCountries.includes(country);
  return isBound ? ofPsd2 : { ...ofPsd2, article: `The clocks of ${ofPsd2.article}, for want of others` };
}

/** The end of the last day. The day on which it came does not count. */
function after(from: Date, { days, unit }: Span, country: string): Date {
  const holidays = calendarOf(country) ?? 'none';
  const timeZone = zoneOf(country);
  let day = dayAt(from, timeZone);
  for (let left = days; left > 0; ) {
    day = following(day);
    if (unit === 'days' || isBankDay(day, holidays)) left -= 1;
  }
  return new Date(cutOffOf(following(day), { timeZone, holidays, cutOff: '00:00' }).getTime() - 1);
}

function daysAfter(from: string, days: number): string {
  let day = from;
  for (let left = days; left > 0; left -= 1) day = following(day);
  return day;
}

function zoneOf(country: string): string {
  return defaultTimeZone(country) ?? 'UTC';
}
