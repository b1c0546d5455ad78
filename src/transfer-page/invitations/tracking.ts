/**
 * What a recipient is told of an order: only what has left for them. Nothing of who paid, how much, or what happens
 * before; an order that is reviewed, refused or paid back is not there. Pure.
 */
import { createHash } from 'node:crypto';
import type { Order } from '../../orders/order/order.js';
import { publicState } from '../../orders/order/transitions.js';

export const trackingStages = ['sent', 'collect', 'arrived', 'delayed'] as const;
export type TrackingStage = (typeof trackingStages)[number];

export function trackingStageOf({ state, payee }: Pick<Order, 'state' | 'payee'>): TrackingStage | undefined {
  switch (publicState(state)) {
    case 'PAYOUT_SUBMITTED':
      return payee.method === 'cash_pickup' ? 'collect' : 'sent';
    case 'COMPLETED':
      return 'arrived';
    case 'PAYOUT_FAILED':
    case 'RETURNED':
      return 'delayed';
    default:
      return undefined;
  }
}

export interface Tracked {
  readonly order: Order;
  readonly stage: TrackingStage;
}

export function trackedOf(orders: readonly Order[]): Tracked[] {
  return orders.flatMap((order) => {
    const stage = trackingStageOf(order);
    return stage ? [{ order, stage }] : [];
  });
}

/** Differs when the page would show something else. A change that recipients are not told of changes nothing here. */
export function trackingVersion(orders: readonly Order[]): string {
  const shown = trackedOf(orders).map(({ order, stage }) => [order.orderId, stage, order.estimatedArrivalAt]);
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
}
