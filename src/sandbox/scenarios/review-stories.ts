/** Stories in which a person looks at the order. Data only. */
import type { Scenario } from './scenario.js';
import * as step from './steps.js';
import { approvedKyc, paidBySomebodyElse, paidEvents, payoutEvents, placed, refundEvents } from './story-parts.js';

export const reviewStories: readonly Scenario[] = [
  {
    name: 'compliance_hold_approved',
    description: 'Someone other than the user pays. A reviewer looks at the order and approves it.',
    teaches: '`IN_REVIEW` comes without a reason and can take days. The order keeps its rate.',
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
    description: 'Someone other than the user pays. A reviewer refuses the order, and the money goes back.',
    teaches: 'A refusal comes without its reason. Everything is refunded.',
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
    description:
      'Someone other than the user pays. A reviewer asks where the money comes from, the sender answers, and the reviewer approves.',
    teaches: '`requirements`, `actionRequiredBy` and `POST /orders/{id}/information`.',
    events: {
      kyc: approvedKyc,
      order: [
        ...paidEvents,
        'order.in_review',
        'order.action_required',
        'order.in_review',
        'order.payment_received',
        ...payoutEvents,
        'order.completed',
      ],
    },
    endsAs: 'COMPLETED',
    steps: [
      ...placed(),
      paidBySomebodyElse,
      step.reaches('IN_REVIEW'),
      step.happens('A reviewer asks where the money comes from', {
        type: 'information_requested',
        items: ['source_of_funds'],
      }),
      step.reaches('ACTION_REQUIRED'),
      step.answered('source_of_funds', 'My savings.'),
      step.reaches('IN_REVIEW'),
      step.happens('The reviewer approves', { type: 'review_approved' }),
      step.reaches('COMPLETED'),
    ],
  },
];
