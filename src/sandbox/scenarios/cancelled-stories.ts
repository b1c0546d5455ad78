/** Stories that end without a payout. Data only. */
import { danielOfCalifornia } from '../values/people.js';
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import { approvedKyc, paidEvents, paidInFull, placed, refundEvents, toMexico } from './story-parts.js';

export const cancelledStories: readonly Scenario[] = [
  {
    name: 'cancelled_before_payment',
    description: 'The sender cancels before paying.',
    teaches: 'A cancellation without a refund.',
    events: { kyc: approvedKyc, order: ['order.awaiting_payment', 'order.cancelled'] },
    endsAs: 'CANCELLED',
    steps: [...placed(), step.cancelled(), step.reaches('CANCELLED')],
  },
  {
    name: 'cancelled_after_payment',
    description: 'A sender in the United States pays, then cancels within the 30 minutes that the law gives.',
    teaches: 'The right to cancel (`cancellableUntil`): everything is refunded, the fee too.',
    events: { kyc: approvedKyc, order: [...paidEvents, ...refundEvents] },
    endsAs: 'REFUNDED',
    steps: [
      step.newSender(danielOfCalifornia),
      step.verified(),
      step.ordered({ ...toMexico, fiatIn: 'USD' }),
      paidInFull,
      step.reaches('PAYMENT_RECEIVED'),
      step.cancelled(),
      step.reaches('REFUNDED'),
    ],
  },
  {
    name: 'expired_unpaid',
    description: 'Nobody pays, and the time to pay runs out.',
    teaches: 'An unpaid order ends by itself. To try again, ask for a new quote.',
    events: { kyc: approvedKyc, order: ['order.awaiting_payment', 'order.expired'] },
    endsAs: 'EXPIRED',
    steps: [...placed(), step.happens('The time to pay runs out', { type: 'time_ran_out' }), step.reaches('EXPIRED')],
  },
];
