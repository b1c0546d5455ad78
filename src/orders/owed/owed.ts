/** What we owe for an order, and on which account, by its state and its amounts. Pure. */
import { accountOf } from '../../ledger/account.js';
import type { Owed } from '../../ledger/verify/owed.js';
import { type Amount, subtract } from '../../money/amount.js';
import type { Order } from '../order.js';
import type { Memories, OrderState } from '../transitions.js';

export type OwedOrder = Pick<Order, 'state' | 'memories' | 'amountOut' | 'amountReceived' | 'amountRefunded'>;

/** The account that the order's money is on; `none` while we hold nothing. */
type Place = 'liability' | 'payout' | 'refund' | 'frozen' | 'none';
const places: readonly Place[] = ['liability', 'payout', 'refund'];

const placeIn: Readonly<Partial<Record<OrderState, Place>>> = {
  AWAITING_PAYMENT: 'liability',
  PAYMENT_RECEIVED: 'liability',
  CONVERTED: 'payout',
  PAYOUT_FAILED: 'payout',
  RETURNED: 'payout',
  PAYOUT_SUBMITTED: 'none',
  COMPLETED: 'none',
  REFUND_PENDING: 'refund',
  REFUND_FAILED: 'refund',
  REFUNDED: 'none',
  CANCELLED: 'none',
  EXPIRED: 'none',
  FROZEN: 'frozen',
};

/** In these states the money is where it was before, which the order remembers. */
const memoryOf: Readonly<Partial<Record<OrderState, keyof Memories>>> = {
  IN_REVIEW: 'review',
  REJECTED: 'review',
  ACTION_REQUIRED: 'information',
};

export function owedFor(order: OwedOrder): Owed[] {
  const place = placeOf(order.state, order.memories);
  if (place !== undefined) return owedAt(place, order, 'exactly');
  return places.flatMap((possible) => owedAt(possible, order, 'at most'));
}

/** Undefined when a later memory has replaced the one that says where the money is. */
function placeOf(state: OrderState, memories: Memories): Place | undefined {
  const seen = new Set<OrderState>();
  for (let at: OrderState | undefined = state; at !== undefined && !seen.has(at); ) {
    const place: Place | undefined = placeIn[at];
    if (place !== undefined) return place;
    seen.add(at);
    const memory: keyof Memories | undefined = memoryOf[at];
    at = memory && memories[memory];
  }
  return undefined;
}

function owedAt(place: Place, order: OwedOrder, bound: 'exactly' | 'at most'): Owed[] {
  const { amountOut, amountReceived, amountRefunded } = order;
  if (place === 'none') return [];
  const { currency, minor }: Amount =
    place === 'payout' ? amountOut : subtract(amountReceived, amountRefunded);
  return [{ account: accountOf(place, currency), least: bound === 'exactly' ? minor : 0n, most: minor }];
}
