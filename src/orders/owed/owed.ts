/** What we owe for an order, and on which account, by its state and its amounts. Pure. */
import { accountOf } from '../../ledger/account.js';
import type { OwedSet } from '../../ledger/verify/owed.js';
import type { Amount } from '../../money/amount.js';
import type { Order } from '../order/order.js';
import { inBooks, owedToPayer } from '../order/refund.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import type { Memories, OrderState } from '../order/transitions.js';

export type OwedOrder = Pick<
  Order,
  | ('state' | 'memories' | 'amountOut' | 'refunds')
  | ('amountReceived' | 'amountRefunded' | 'amountKept' | 'amountReversed')
>;

/** The account that the order's money is on; `none` while we hold nothing. */
type Place = 'liability' | 'payout' | 'refund' | 'frozen' | 'none';

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

export function owedFor(order: OwedOrder): OwedSet[] {
  return placesOf(order).map((place) => owedAt(place, order));
}

/** Where the money can be. It is in one of these places. */
function placesOf({ state, memories }: OwedOrder): readonly Place[] {
  const known = placeIn[state];
  if (known !== undefined) return [known];
  const before = placeBefore(state, memories);
  // A later memory has replaced the one that says where the money is.
  if (before === undefined) return ['liability', 'payout', 'refund'];
  // A freeze that has ended meanwhile has reversed the conversion.
  return before === 'payout' ? ['payout', 'liability'] : [before];
}

function placeBefore(state: OrderState, memories: Memories): Place | undefined {
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

function owedAt(place: Place, order: OwedOrder): OwedSet {
  if (place === 'none') return [];
  const held = heldAt(place, order);
  return [{ account: accountOf(place, held.currency), least: held.minor, most: held.minor }];
}

function heldAt(place: Exclude<Place, 'none'>, order: OwedOrder): Amount {
  if (place === 'payout') return order.amountOut;
  const isRefund = place === 'refund' || (place === 'frozen' && isBeingRefunded(underlyingState(order)));
  return isRefund ? owedToPayer(order) : inBooks(order);
}
