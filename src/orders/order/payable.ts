/** Whether an order takes money, and how much. Pure. */
import { type Amount, amount, compare, subtract } from '../../money/amount.js';
import type { Order } from './order.js';
import { underlyingState } from './review.js';

type Payable = Pick<Order, 'state' | 'memories' | 'amountIn' | 'amountReceived' | 'cancellationRequestedAt'>;

/**
 * An order takes money while it waits for it, also while the sender is asked for information. An order in review takes
 * none, and neither does one that is being cancelled.
 */
export function isPayable(order: Payable): boolean {
  const { state, cancellationRequestedAt } = order;
  if (state !== 'AWAITING_PAYMENT' && state !== 'ACTION_REQUIRED') return false;
  return waitsForMoney(order) && cancellationRequestedAt === undefined;
}

/** What is missing until the order is paid; nothing once it does not wait for money. */
export function missingOf(order: Payable): Amount {
  const { amountIn, amountReceived } = order;
  return waitsForMoney(order) ? subtract(amountIn, amountReceived) : amount(amountIn.currency, 0n);
}

export function isPaid({ amountIn, amountReceived }: Pick<Order, 'amountIn' | 'amountReceived'>): boolean {
  return compare(amountReceived, amountIn) >= 0;
}

/** Whatever interrupts it: a freeze and a review look the same. */
function waitsForMoney(order: Payable): boolean {
  return underlyingState(order) === 'AWAITING_PAYMENT' && !isPaid(order);
}
