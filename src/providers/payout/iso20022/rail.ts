/**
 * The rail of our own bank: payments to bank accounts leave in files of ISO 20022, which the room of the bank makes,
 * sends and hears of.
 */
import { type BankDays, cutOffOf, executionDayFor, isBankDay } from '../../../iso20022/bank-days.js';
import { bankProfiles } from '../../../iso20022/profiles.js';
import type { Rail } from '../../../payouts/rail.js';
import { paymentOrderOf } from './payment-order.js';

/** How many bank days the money is on its way. */
const domesticDays = 1;
const foreignDays = 3;

export const iso20022Rail: Rail = {
  name: 'iso20022',
  capabilities: {
    methods: ['bank_account'],
    currencies: 'any',
    paymentsPerMessage: 1,
    messagesAtOnce: 1,
    canRecall: true,
    proofOfPayment: 'statement',
    submission: 'batched',
    asksAfterPayment: false,
  },
  plan({ amount }, now) {
    const days = daysOf(amount.currency);
    const valueDate = executionDayFor(now, days);
    const isDomestic = amount.currency === 'EUR' || amount.currency === 'CHF';
    const arrivesAt = endOf(afterBankDays(valueDate, isDomestic ? domesticDays : foreignDays, days), days);
    return { cutOffAt: cutOffOf(valueDate, days), valueDate, arrivesAt };
  },
  paymentOrder: paymentOrderOf,
  submit: async () => {
    throw new Error('payments of this rail leave in batches');
  },
  find: async () => 'unknown',
  read: () => {
    throw new Error('files of this rail are read by the room of the bank');
  },
};

/** The days of the bank that usually pays the currency. A batch asks its own account. */
function daysOf(currency: string): BankDays {
  if (currency === 'EUR') return bankProfiles.sepa.bankDays;
  return currency === 'CHF' ? bankProfiles.sps.bankDays : bankProfiles.plain.bankDays;
}

function afterBankDays(start: string, count: number, { holidays }: BankDays): string {
  let day = start;
  for (let left = count; left > 0; ) {
    day = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    if (isBankDay(day, holidays)) left -= 1;
  }
  return day;
}

/** The latest hour at which a bank books. */
function endOf(day: string, days: BankDays): Date {
  return cutOffOf(day, { ...days, cutOff: '18:00' });
}
