/** What an order waits for, as merchants and users see it. A freeze looks exactly like a review. Pure. */
import { type OrderState, type PublicState, publicState } from './transitions.js';

export const pendingReasons = [
  'payment',
  'cancellation_period',
  'review',
  'information',
  'payout_route',
  'service_delay',
  'payout',
  'refund',
] as const;
export type PendingReason = (typeof pendingReasons)[number];

/** Why the worker waits although nothing is known to be wrong with the order. */
export type Obstacle =
  | 'no_rail'
  | 'rail_paused'
  | 'corridor_paused'
  | 'merchant_paused'
  | 'screening_lists'
  | 'ledger_fault';

/** Operators paused it, and resume it. */
export const pausedObstacles: readonly Obstacle[] = ['rail_paused', 'corridor_paused', 'merchant_paused'];

export function isOpenedByOperators(obstacle: Obstacle): boolean {
  return pausedObstacles.includes(obstacle);
}

const byState: Readonly<Partial<Record<PublicState, PendingReason>>> = {
  AWAITING_PAYMENT: 'payment',
  IN_REVIEW: 'review',
  ACTION_REQUIRED: 'information',
  PAYOUT_SUBMITTED: 'payout',
  REJECTED: 'refund',
  REFUND_PENDING: 'refund',
};

const byObstacle: Readonly<Record<Obstacle, PendingReason>> = {
  no_rail: 'payout_route',
  rail_paused: 'payout_route',
  corridor_paused: 'payout_route',
  merchant_paused: 'payout_route',
  screening_lists: 'service_delay',
  ledger_fault: 'service_delay',
};

/** Undefined when the order waits for nothing: it is finished, moves on at once, or an operator must act. */
export function pendingReasonOf({
  state,
  waitsFor,
  cancellableUntil,
}: {
  readonly state: OrderState;
  readonly waitsFor: Obstacle | undefined;
  readonly cancellableUntil: Date | undefined;
}): PendingReason | undefined {
  if (state === 'PAYMENT_RECEIVED' && waitsFor === undefined && cancellableUntil !== undefined) {
    return 'cancellation_period';
  }
  return byState[publicState(state)] ?? (waitsFor && byObstacle[waitsFor]);
}
