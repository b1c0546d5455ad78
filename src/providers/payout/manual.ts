/**
 * The rail of operators: they pay at their bank and record what happened. It takes every method and currency, needs
 * nobody outside, and the worker never asks it.
 */
import type { Rail } from '../../payouts/rail.js';

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
  plan(_request, now) {
    const arrivesAt = afterWorkingDays(now, workingDays);
    return { cutOffAt: undefined, valueDate: now.toISOString().slice(0, 10), arrivesAt };
  },
  submit: async () => {
    throw new Error('operators carry out the payments of this rail');
  },
  find: async () => 'unknown',
  read: () => {
    throw new Error('operators record what happened on this rail');
  },
};

/** Saturday and Sunday are not counted. */
function afterWorkingDays(start: Date, days: number): Date {
  const time = new Date(start);
  for (let left = days; left > 0; ) {
    time.setUTCDate(time.getUTCDate() + 1);
    if (time.getUTCDay() !== 0 && time.getUTCDay() !== 6) left -= 1;
  }
  return time;
}
