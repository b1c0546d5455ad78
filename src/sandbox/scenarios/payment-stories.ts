/**
 * Stories of money that does not fit. They hold for the policies that a merchant has without declaring any. Data only.
 */
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import { approvedKyc, completedEvents, payoutEvents, placed, refundEvents } from './story-parts.js';

export const paymentStories: readonly Scenario[] = [
  {
    name: 'unmatched_payment',
    description:
      'The sender pays without the reference. An operator finds out which order the money is for, and matches it.',
    teaches: 'Money without a reference waits for a person.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      step.paidWithoutReference({ amount: '100', currency: 'EUR', payerName: 'Ana Reyes' }),
      step.reaches('AWAITING_PAYMENT'),
      step.matched(),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'underpaid_completed',
    description: 'Only 40 of 100 EUR arrive. The order waits, and goes on when the rest arrives.',
    teaches: '`order.payment_recorded`, `amountReceived` and `amountMissing`.',
    events: {
      kyc: approvedKyc,
      order: [
        'order.awaiting_payment',
        'order.payment_recorded',
        'order.payment_received',
        ...payoutEvents,
        'order.completed',
      ],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      step.paid('A part of the money arrives', { amount: '40' }),
      step.paid('The rest arrives'),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'underpaid_refunded',
    description: 'Only 40 of 100 EUR arrive, and the rest never does. The 40 EUR go back.',
    teaches: 'An order that is paid in part does not expire: it is refunded.',
    events: {
      kyc: approvedKyc,
      order: ['order.awaiting_payment', 'order.payment_recorded', ...refundEvents],
    },
    endsAs: 'REFUNDED',
    steps: [
      ...placed(),
      step.paid('A part of the money arrives', { amount: '40' }),
      step.happens('The time to pay runs out', { type: 'time_ran_out' }),
      step.reaches('REFUNDED'),
    ],
  },
  {
    name: 'overpaid',
    description: 'The sender pays 140 EUR instead of 100. The order takes 100, and 40 wait in suspense.',
    teaches: 'Your policy `over` decides what happens to the excess: `PUT /merchant/policies`.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [...placed(), step.paid('Too much money arrives', { amount: '140' }), step.reaches('COMPLETED')],
  },
  {
    name: 'paid_late_requoted',
    description:
      'The payment is booked after the guarantee of the rate has ended. The order gets the rate of the day and goes on.',
    teaches: 'A rate is guaranteed for 24 hours: `rateGuaranteedUntil`, `order.requoted` and `requotes`.',
    events: {
      kyc: approvedKyc,
      order: ['order.awaiting_payment', 'order.requoted', 'order.payment_received', ...payoutEvents, 'order.completed'],
    },
    endsAs: 'COMPLETED',
    steps: [...placed(), step.paidLate(), step.reaches('COMPLETED')],
  },
  {
    name: 'paid_after_expiry',
    description: 'The money arrives after the order has expired, and waits in suspense for an operator.',
    teaches: 'An expired order stays expired. Your policy `afterEnd` decides what happens to the money.',
    events: {
      kyc: approvedKyc,
      order: ['order.awaiting_payment', 'order.expired', 'order.payment_recorded'],
    },
    endsAs: 'EXPIRED',
    steps: [
      ...placed(),
      step.happens('The time to pay runs out', { type: 'time_ran_out' }),
      step.reaches('EXPIRED'),
      step.paid('The money arrives, too late'),
    ],
  },
];
