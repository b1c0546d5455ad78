/** By which days the bank works that usually pays a currency. Pure. */
import { type BankDays, cutOffOf, isBankDay } from '../../iso20022/bank-days.js';
import { bankProfiles } from '../../iso20022/profiles.js';

const dayMs = 86_400_000;

export function bankDaysFor(currency: string): BankDays {
  if (currency === 'EUR') return bankProfiles.sepa.bankDays;
  return currency === 'CHF' ? bankProfiles.sps.bankDays : bankProfiles.plain.bankDays;
}

export function afterBankDays(start: string, count: number, { holidays }: BankDays): string {
  let day = start;
  for (let left = count; left > 0; ) {
    day = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
    if (isBankDay(day, holidays)) left -= 1;
  }
  return day;
}

/** The latest hour at which a bank books. */
export function endOfBankDay(day: string, days: BankDays): Date {
  return cutOffOf(day, { ...days, cutOff: '18:00' });
}
