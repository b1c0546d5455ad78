/** Decides what becomes of a payment. Pure: nothing is guessed, and whatever is not exact goes to suspense with a reason. */
import { compare, isZero, subtract } from '../money/amount.js';
import type { Order } from '../orders/order.js';
import { isUnderReview } from '../orders/review/review.js';
import type { Movement, SuspenseReason } from './payment.js';

/** What the text of a payment leads to. */
export type Candidate =
  | { readonly order: Order }
  | {
      readonly reason: 'no_reference' | 'unknown_reference' | 'several_references' | 'mistyped_reference';
      /** The only order whose reference differs in one character. */
      readonly suggested?: Order;
    };

export type Decision =
  | { readonly kind: 'exact'; readonly order: Order }
  | {
      readonly kind: 'suspense';
      readonly reason: SuspenseReason;
      /** The order that the payment seems to be for. */
      readonly order: Order | undefined;
    };

export function decide(payment: Pick<Movement, 'amount' | 'bookedAt'>, candidate: Candidate): Decision {
  if ('reason' in candidate) {
    return { kind: 'suspense', reason: candidate.reason, order: candidate.suggested };
  }
  const { order } = candidate;
  const reason = obstacle(payment, order);
  return reason ? { kind: 'suspense', reason, order } : { kind: 'exact', order };
}

/** Why the order does not take the payment; undefined when it does. */
function obstacle(
  { amount, bookedAt }: Pick<Movement, 'amount' | 'bookedAt'>,
  order: Order,
): SuspenseReason | undefined {
  if (order.state === 'CANCELLED') return 'order_cancelled';
  if (order.state === 'EXPIRED') return 'order_expired';
  const isRightCurrency = amount.currency === order.amountIn.currency;
  if (!isPayable(order)) {
    const isPaidAgain = isRightCurrency && isPaid(order) && compare(amount, order.amountIn) === 0;
    return isPaidAgain ? 'duplicate' : 'order_not_payable';
  }
  if (!isRightCurrency) return 'wrong_currency';
  if (bookedAt > order.rateGuaranteedUntil) return 'late';
  const difference = compare(amount, subtract(order.amountIn, order.amountReceived));
  if (difference === 0) return undefined;
  return difference < 0 ? 'short' : 'over';
}

/** A payment never ends a review: an order that waits for information that its reviewer needs takes none either. */
function isPayable(order: Order): boolean {
  if (isPaid(order) || isUnderReview(order)) return false;
  return (
    order.state === 'AWAITING_PAYMENT' || (order.state === 'ACTION_REQUIRED' && isZero(order.amountReceived))
  );
}

function isPaid({ amountIn, amountReceived }: Order): boolean {
  return compare(amountReceived, amountIn) >= 0;
}
