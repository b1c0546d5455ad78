/** Calendar dates as `YYYY-MM-DD`, without a time of day: they compare as text. */

import type { DateRule } from '../cases/requirements.js';
import type { AnswerFault } from './answer-fault.js';

const adultYears = 18;
const oldestYears = 120;
const recentDays = 92;

type DateFault = Omit<AnswerFault, 'question'>;

export function checkDate(date: string, rule: DateRule | undefined, today: string): DateFault | undefined {
  const fault = calendarFault(date);
  if (fault) return fault;
  if (rule === 'ahead') return date < today ? { code: 'in_the_past', limit: today } : undefined;
  if (rule === undefined) return undefined;
  if (date > today) return { code: 'in_the_future', limit: today };
  if (rule === 'recent') {
    return date < daysLater(today, -recentDays) ? { code: 'too_long_ago', limit: recentDays } : undefined;
  }
  if (date < yearsLater(today, -oldestYears)) return { code: 'too_long_ago', limit: oldestYears };
  return isAdult(date, today) ? undefined : { code: 'too_young', limit: adultYears };
}

/** Why a text is no date of the calendar. The parts of a date may be missing: `1990--12`. */
function calendarFault(date: string): DateFault | undefined {
  const [year = '', month = '', day = '', ...more] = date.split('-');
  if (more.length > 0) return { code: 'not_a_date' };
  if ([year, month, day].includes('')) return { code: 'incomplete_date' };
  if (!/^[0-9]+$/.test(year + month + day)) return { code: 'not_digits' };
  if (year.length !== 4) return { code: 'short_year' };
  if (Number(month) < 1 || Number(month) > 12) return { code: 'no_such_month' };
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > days) return { code: 'no_such_day', limit: days };
  return isDate(date) ? undefined : { code: 'not_a_date' };
}

export function isAdult(birth: string, today: string): boolean {
  return yearsLater(birth, adultYears) <= today;
}

export function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A person born on 29 February comes of age on 1 March, never a day too soon. */
function yearsLater(text: string, years: number): string {
  const [year = '', month = '', day = ''] = text.split('-');
  const date = new Date(0);
  date.setUTCFullYear(Number(year) + years, Number(month) - 1, Number(day));
  return date.toISOString().slice(0, 10);
}

function daysLater(text: string, days: number): string {
  return new Date(Date.parse(`${text}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
