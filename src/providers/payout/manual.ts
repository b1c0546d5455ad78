/**
 * The rail of operators: they pay at their bank and record what happened. It takes every method and currency, needs
 * nobody outside, and the worker never asks it.
 */
import { cutOffOf, executionDayFor } from '../../iso20022/bank-days.js';
import type { Rail } from '../../payouts/rail.js';
import { afterBankDays, bankDaysFor, endOfBankDay } from './bank-days.js';

const workingDays = 2;

export const manualRail: Rail = {
  name: 'manual',
  capabilities: {
    methods: 'any',
    currencies: 'any',
    paymentsPerMessage: 1,
    messagesAtOnce: 1,
    canRecall: false,
    proofOfPayment: 'operator',
    submission: 'by_hand',
    asksAfterPayment: false,
  },
  /** An operator pays on the day when the bank still takes it, and it arrives two bank days later. */
  plan({ amount: { currency } }, now) {
    const days = bankDaysFor(currency);
    const valueDate = executionDayFor(now, days);
    const arrivesAt = endOfBankDay(afterBankDays(valueDate, workingDays, days), days);
    return { cutOffAt: cutOffOf(valueDate, days), valueDate, arrivesAt };
  },
  submit: async () => {
    throw new Error('operators carry out the payments of this rail');
  },
  find: async () => 'unknown',
  read: () => {
    throw new Error('operators record what happened on this rail');
  },
};
