/**
 * The rail of our own bank: payments to bank accounts leave in files of ISO 20022, which the room of the bank makes,
 * sends and hears of.
 */
import { cutOffOf, executionDayFor } from '../../../iso20022/bank-days.js';
import type { Rail } from '../../../payouts/rail.js';
import { afterBankDays, bankDaysFor, endOfBankDay } from '../bank-days.js';
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
    const days = bankDaysFor(amount.currency);
    const valueDate = executionDayFor(now, days);
    const isDomestic = amount.currency === 'EUR' || amount.currency === 'CHF';
    const arrivesAt = endOfBankDay(afterBankDays(valueDate, isDomestic ? domesticDays : foreignDays, days), days);
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
