/** On which day the money is there, by the holidays of banks. Pure. */
import { following, isBankDay, nextBankDay } from '../../iso20022/bank-days.js';
import { calendarOf } from '../../iso20022/holidays.js';

/**
 * The first day on which banks of that country work and the money is there. Where the holidays are not known, one more
 * day is allowed for.
 */
export function availableOn(arrivesAt: Date, country: string): string {
  const day = arrivesAt.toISOString().slice(0, 10);
  const calendar = calendarOf(country);
  if (calendar) return nextBankDay(day, calendar);
  const first = nextBankDay(day, 'none');
  return isBankDay(following(first), 'none') ? following(first) : nextBankDay(following(first), 'none');
}
