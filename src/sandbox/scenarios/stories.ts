/** The stories that the sandbox can play. Data only: each is a list of steps. */
import { anaOfSpain, danielOfCalifornia, guadalupe, guadalupeForCash, wanjiku } from '../values/people.js';
import type { Scenario } from './scenario.js';
import * as step from './steps.js';

const toMexico: step.Transfer = { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: '100', beneficiary: guadalupe };
const approvedKyc = ['kyc.pending', 'kyc.submitted', 'kyc.approved'];
const paidEvents = ['order.awaiting_payment', 'order.payment_received'];
const payoutEvents = ['order.converted', 'order.payout_submitted'];
const completedEvents = [...paidEvents, ...payoutEvents, 'order.completed'];
const refundEvents = ['order.refund_pending', 'order.refunded'];

const placed = (transfer = toMexico) => [step.newSender(anaOfSpain), step.verified(), step.ordered(transfer)];
const paidInFull = step.paid('The money arrives');
const paidBySomebodyElse = step.paid('The money arrives from somebody with another name', {
  payerName: 'Wilhelmina Oakenshaw',
});

const usualStories: readonly Scenario[] = [
  {
    name: 'happy_path',
    description:
      'A new user is verified, sends 100 EUR to an account in Mexico and pays. The money is paid out.',
    teaches: 'The usual way of an order, and its events.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [...placed(), paidInFull, step.reaches('COMPLETED')],
  },
  {
    name: 'cash_pickup',
    description: 'The money waits as cash in Mexico until the recipient comes with the pick-up code.',
    teaches:
      'Where to read the pick-up code, and that the order is complete only when the cash was collected.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [
      ...placed({ ...toMexico, beneficiary: guadalupeForCash }),
      paidInFull,
      step.isReadyForPickup(),
      step.happens('The recipient collects the cash', { type: 'payout_paid' }),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'mobile_wallet',
    description: 'The money goes to a mobile wallet in Kenya.',
    teaches: 'A beneficiary without a bank.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [
      ...placed({ ...toMexico, fiatOut: 'KES', beneficiary: wanjiku }),
      paidInFull,
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'kyc_rejected_then_approved',
    description:
      'The photo of the document is blurry. The user tries again and is approved, then sends money.',
    teaches: 'A rejection that is not final: the user gets the form again.',
    events: {
      kyc: ['kyc.pending', 'kyc.submitted', 'kyc.in_review', 'kyc.rejected', ...approvedKyc],
      order: completedEvents,
    },
    endsAs: 'COMPLETED',
    steps: [
      step.newSender(anaOfSpain),
      step.rejected(),
      step.verified(),
      step.ordered(toMexico),
      paidInFull,
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'dead_receiver_heals',
    description:
      'The first five notifications about the order are lost, as if your receiver were down. When the order is complete, each is sent again under its old id. Register a url for the channel `order` first. It plays alone: other runs wait.',
    teaches:
      'What your receiver must take: events that come late, all at once. Their sequence tells the order.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    isExclusive: true,
    steps: [
      step.receiverDies(completedEvents.length),
      ...placed(),
      paidInFull,
      step.reaches('COMPLETED'),
      step.receiverHeals(completedEvents.length),
    ],
  },
];

const cancelledStories: readonly Scenario[] = [
  {
    name: 'cancelled_before_payment',
    description: 'The sender cancels before any money came.',
    teaches: 'A cancellation without a refund.',
    events: { kyc: approvedKyc, order: ['order.awaiting_payment', 'order.cancelled'] },
    endsAs: 'CANCELLED',
    steps: [...placed(), step.cancelled(), step.reaches('CANCELLED')],
  },
  {
    name: 'cancelled_after_payment',
    description: 'A sender in the United States pays, and cancels within the 30 minutes that the law gives.',
    teaches: 'The right to cancel: `cancellableUntil`, and a refund of everything, fee included.',
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
    description: 'Nobody pays, and the time for it runs out.',
    teaches: 'An order ends by itself. Its quote is used up: ask for a new one.',
    events: { kyc: approvedKyc, order: ['order.awaiting_payment', 'order.expired'] },
    endsAs: 'EXPIRED',
    steps: [
      ...placed(),
      step.happens('The time to pay runs out', { type: 'time_ran_out' }),
      step.reaches('EXPIRED'),
    ],
  },
  {
    name: 'unmatched_payment',
    description:
      'The sender pays without the reference, so nobody knows which order it is for. Then the sender pays again, with it.',
    teaches: 'Money without a reference waits for an operator and moves no order.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      step.paidWithoutReference('100', 'EUR'),
      step.reaches('AWAITING_PAYMENT'),
      paidInFull,
      step.reaches('COMPLETED'),
    ],
  },
];

const reviewedStories: readonly Scenario[] = [
  {
    name: 'compliance_hold_approved',
    description: 'Somebody with another name pays. A reviewer looks, and lets the order go on.',
    teaches: 'A review takes its time and its reason is not told. The rate is kept.',
    events: {
      kyc: approvedKyc,
      order: [...paidEvents, 'order.in_review', 'order.payment_received', ...payoutEvents, 'order.completed'],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      paidBySomebodyElse,
      step.reaches('IN_REVIEW'),
      step.happens('A reviewer approves', { type: 'review_approved' }),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'compliance_refused',
    description: 'Somebody with another name pays. A reviewer refuses the order, and the money goes back.',
    teaches: 'A refusal is told without its reason, and everything is refunded.',
    events: {
      kyc: approvedKyc,
      order: [...paidEvents, 'order.in_review', 'order.rejected', ...refundEvents],
    },
    endsAs: 'REFUNDED',
    steps: [
      ...placed(),
      paidBySomebodyElse,
      step.reaches('IN_REVIEW'),
      step.happens('A reviewer refuses', { type: 'review_refused' }),
      step.reaches('REFUNDED'),
    ],
  },
  {
    name: 'information_requested',
    description: 'A reviewer asks where the money comes from. The sender answers, and the order goes on.',
    teaches: '`requirements`, `actionRequiredBy` and `POST /orders/{id}/information`.',
    events: {
      kyc: approvedKyc,
      order: [
        ...paidEvents,
        ...['order.in_review', 'order.action_required', 'order.in_review', 'order.payment_received'],
        ...[...payoutEvents, 'order.completed'],
      ],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      paidBySomebodyElse,
      step.reaches('IN_REVIEW'),
      step.happens('A reviewer asks where the money comes from', {
        ...{ type: 'information_requested', items: ['source_of_funds'] },
      }),
      step.reaches('ACTION_REQUIRED'),
      step.answered('source_of_funds', 'My savings.'),
      step.reaches('IN_REVIEW'),
      step.happens('The reviewer approves', { type: 'review_approved' }),
      step.reaches('COMPLETED'),
    ],
  },
];

const failedStories: readonly Scenario[] = [
  {
    name: 'payout_failed_corrected',
    description:
      'The bank does not know the account. The sender is asked, corrects the beneficiary, and the payout is tried again.',
    teaches: '`PAYOUT_FAILED` with its reason, and how a beneficiary is corrected.',
    events: {
      kyc: approvedKyc,
      order: [
        ...paidEvents,
        ...[...payoutEvents, 'order.payout_failed', 'order.action_required', 'order.beneficiary_changed'],
        ...['order.payout_failed', 'order.payout_submitted', 'order.completed'],
      ],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed({ ...toMexico, beneficiary: () => guadalupe('Invalid') }),
      paidInFull,
      step.reaches('PAYOUT_FAILED'),
      step.happens('An operator asks the sender to check the account', {
        ...{ type: 'information_requested', items: ['beneficiary_details'] },
      }),
      step.corrected(guadalupe),
      step.answered('beneficiary_details', 'The last name was wrong.'),
      step.reaches('PAYOUT_FAILED'),
      step.happens('An operator tries the payout again', { type: 'payout_retried' }),
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'returned_after_completion',
    description:
      'The bank of the recipient sends the money back after it was paid. The sender cancels and gets it back.',
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
    description: 'The sender cancels and is refunded, but the bank of the sender sends the refund back.',
    teaches: '`REFUND_FAILED`: an operator must find out where the money can go.',
    events: {
      kyc: approvedKyc,
      order: [...paidEvents, ...refundEvents, 'order.refund_failed'],
    },
    endsAs: 'REFUND_FAILED',
    steps: [
      step.newSender(danielOfCalifornia),
      step.verified(),
      step.ordered({ ...toMexico, fiatIn: 'USD' }),
      paidInFull,
      step.reaches('PAYMENT_RECEIVED'),
      step.cancelled(),
      step.reaches('REFUNDED'),
      step.happens('The bank sends the refund back', { type: 'refund_returned' }),
      step.reaches('REFUND_FAILED'),
    ],
  },
];

export const scenarios: readonly Scenario[] = [
  ...usualStories,
  ...cancelledStories,
  ...reviewedStories,
  ...failedStories,
];
