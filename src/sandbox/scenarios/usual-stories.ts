/** Stories without money that goes astray. Data only. */
import { anaOfSpain, guadalupeForCash, wanjiku } from '../values/people.js';
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import { approvedKyc, completedEvents, paidInFull, placed, toMexico } from './story-parts.js';

export const usualStories: readonly Scenario[] = [
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
