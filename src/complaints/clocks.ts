/** By when a complaint or an error is answered: by the country of the sender, each clock with its article. Pure. */
import { eeaCountries } from '../countries/lists.js';
import { following, isBankDay } from '../iso20022/bank-days.js';
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

/** The results are reported in the moment in which the investigation ends, which is within three business days. */
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
  /** When the money was to be available, as far as the customer was told. */
  readonly availableAt: Date | undefined;
}

const dayMs = 86_400_000;

export function clocksOf({ kind, country, at, availableAt }: Reported): Clocks {
  const { article, answer, latest, reportedWithinDays } = ruleFor(kind, country);
  const isLate =
    reportedWithinDays !== undefined &&
    availableAt !== undefined &&
    at.getTime() > availableAt.getTime() + reportedWithinDays * dayMs;
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
  const calendar = calendarOf(country) ?? 'none';
  let day = from.toISOString().slice(0, 10);
  for (let left = days; left > 0; ) {
    day = following(day);
    if (unit === 'days' || isBankDay(day, calendar)) left -= 1;
  }
  return new Date(`${day}T23:59:59.999Z`);
}
