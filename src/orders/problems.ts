/** The error codes of orders, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problem-catalogue.js';
import { limitProblems } from './limits/problems.js';

export const orderProblems: ProblemCatalogue = {
  ...limitProblems,
  order_not_found: {
    kind: 'not_found',
    title: 'No such order',
    remedy: 'Check the id. It is `ord_…`, or `ext-` and your own id. The order may belong to someone else.',
  },
  order_not_cancellable: {
    kind: 'conflict',
    title: 'The order can no longer be cancelled',
    remedy:
      'Its `status` is final, or the payout is on its way. `cancellable` in the order says what is possible.',
    exampleMembers: { orderStatus: 'COMPLETED' },
  },
  order_transition_not_allowed: {
    kind: 'conflict',
    title: 'The status of the order does not allow this',
    remedy: 'Read the order again. `GET /meta/order-states` lists what is possible in each status.',
    exampleMembers: { orderStatus: 'COMPLETED' },
  },
  external_id_conflict: {
    kind: 'conflict',
    title: 'You have an order with this external id',
    remedy: 'Get it with `GET /orders/ext-{externalOrderId}`, or choose another id.',
    exampleMembers: { externalOrderId: 'invoice-1001' },
  },
  payout_unavailable: {
    kind: 'impossible',
    title: 'The beneficiary cannot be paid through this corridor',
    remedy:
      'Choose a beneficiary with this `currency` and one of these `payoutMethods`. With an empty list, nobody pays out this way now: ask the operator.',
    exampleMembers: { currency: 'MXN', payoutMethods: ['bank_account'] },
  },
};
