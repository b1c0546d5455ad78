/** Stories of money that comes back. Data only. */
import { accountOfDaniel, danielOfCalifornia, guadalupe } from '../values/people.js';
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import {
  approvedKyc,
  completedEvents,
  paidEvents,
  paidInFull,
  payoutEvents,
  placed,
  refundEvents,
  toMexico,
} from './story-parts.js';

export const payoutStories: readonly Scenario[] = [
  {
    name: 'payout_failed_corrected',
    description:
      'The bank does not know the account. An operator asks the sender, who corrects the beneficiary, and the payout is tried again.',
    teaches: '`PAYOUT_FAILED` with its reason, and `POST /orders/{id}/beneficiary`.',
    events: {
      kyc: approvedKyc,
      order: [
        ...paidEvents,
        ...payoutEvents,
        'order.payout_failed',
        'order.action_required',
        'order.beneficiary_changed',
        'order.payout_failed',
        'order.payout_submitted',
        'order.completed',
      ],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed({ ...toMexico, beneficiary: () => guadalupe('Invalid') }),
      paidInFull,
      step.reaches('PAYOUT_FAILED'),
      step.happens('An operator asks the sender to check the account', {
        type: 'information_requested',
        items: ['beneficiary_details'],
      }),
      step.corrected(() => guadalupe()),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'returned_after_completion',
    description:
      'The bank of the recipient sends the money back after it was paid out. The sender cancels and is refunded.',
    teaches: '`COMPLETED` is not the end: money can come back days later.',
    events: { kyc: approvedKyc, order: [...completedEvents, 'order.returned', ...refundEvents] },
    endsAs: 'REFUNDED',
    steps: [
      ...placed(),
      paidInFull,
      step.reaches('COMPLETED'),
      step.happens('The bank sends the money back: the account is closed', { type: 'payout_returned' }),
      step.reaches('RETURNED'),
      step.cancelled(),
      step.reaches('REFUNDED'),
    ],
  },
  {
    name: 'refund_bounced',
    description:
      'The sender cancels and is refunded, but the refund comes back: the account is closed. An operator sends it to another account of the sender.',
    teaches: '`REFUNDED` is not the end either: a refund can come back days later, as `REFUND_FAILED`.',
    events: {
      kyc: approvedKyc,
      order: [...paidEvents, ...refundEvents, 'order.refund_failed', ...refundEvents],
    },
    endsAs: 'REFUNDED',
    steps: [
      step.newSender(danielOfCalifornia),
      step.verified(),
      step.ordered({ ...toMexico, fiatIn: 'USD' }),
      paidInFull,
      step.reaches('PAYMENT_RECEIVED'),
      step.cancelled(),
      step.reaches('REFUNDED'),
      step.happens('The bank sends the refund back: the account is closed', { type: 'refund_returned' }),
      step.reaches('REFUND_FAILED'),
      step.happens('An operator sends the refund to another account of the sender', {
        type: 'refund_retried',
        recipient: accountOfDaniel,
      }),
      step.reaches('REFUNDED'),
    ],
  },
];
