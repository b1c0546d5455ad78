/** Stories without money that goes astray. Data only. */
import { anaOfSpain, guadalupeForCash, wanjiku } from '../values/people.js';
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import { approvedKyc, completedEvents, paidInFull, placed, toMexico } from './story-parts.js';

export const usualStories: readonly Scenario[] = [
  {
    name: 'happy_path',
    description:
      'A new user is verified, orders a transfer of 100 EUR to an account in Mexico, and pays. The money is paid out.',
    teaches: 'The states and the events of an order that goes well.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [...placed(), paidInFull, step.reaches('COMPLETED')],
  },
  {
    name: 'cash_pickup',
    description: 'The money waits as cash in Mexico until the recipient collects it with the pick-up code.',
    teaches: '`GET /orders/{id}/pickup-code`, and that the order is `COMPLETED` only when the cash was collected.',
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
    teaches: 'A beneficiary without a bank account.',
    events: { kyc: approvedKyc, order: completedEvents },
    endsAs: 'COMPLETED',
    steps: [...placed({ ...toMexico, fiatOut: 'KES', beneficiary: wanjiku }), paidInFull, step.reaches('COMPLETED')],
  },
  {
    name: 'kyc_rejected_then_approved',
    description:
      'The photo of the document is blurry, so a reviewer rejects it. The user tries again, is approved, and sends money.',
    teaches: 'A rejection that is not final: send the user to the form again.',
    events: {
      kyc: ['kyc.pending', 'kyc.submitted', 'kyc.in_review', 'kyc.rejected', ...approvedKyc],
      order: completedEvents,
    },
    endsAs: 'COMPLETED',
    steps: [
      step.newSender(anaOfSpain),
      step.rejected('LEVEL_2'),
      step.verified('LEVEL_2'),
      step.ordered(toMexico),
      paidInFull,
      step.reaches('COMPLETED'),
    ],
  },
  {
    name: 'dead_receiver_heals',
    description:
      'Your receiver is down: the first five notifications about the order are lost. When the order is complete, they are sent again under their old ids. Register a url for the channel `order` first. Your other runs wait while this story plays.',
    teaches: 'Events can come late and all at once. `sequence` tells their order.',
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
