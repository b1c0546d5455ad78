/** Whether the state of an order allows a correction. */
import type { By } from '../../caller.js';
import { isZero } from '../../money/amount.js';
import type { Order } from '../order/order.js';
import { isRequoteOpen } from '../order/requirement.js';
import { isBeingRefunded, isUnderReview, underlyingState } from '../order/review.js';
import { changedMeanwhile, requireAllowed } from '../order/transition.js';
import type { OrderState } from '../order/transitions.js';
import { isAsked } from './refusals.js';

/** The order can wait for a payment again. Throws `order_transition_not_allowed`. */
export function requireWaitsAgain(by: By, order: Order): void {
  requireAllowed(by, order, 'take_off_payment');
  if (order.state === 'ACTION_REQUIRED' && !isAskedAboutTermsOnly(order)) throw isAsked(order);
}

/** Outside a review, and about nothing else. */
function isAskedAboutTermsOnly(order: Order): boolean {
  return !isUnderReview(order) && isRequoteOpen(order) && order.requirements.length === 1;
}

/** Where the order's money is, if a payout of it may have been made after all. */
const provable: readonly (OrderState | undefined)[] = [
  ...(['CONVERTED', 'PAYOUT_SUBMITTED', 'PAYOUT_FAILED', 'RETURNED'] as const),
  ...(['REFUND_PENDING', 'REFUND_FAILED'] as const),
];

/**
 * Throws `order_transition_not_allowed`. A refund is not undone of which a payer has a part, or which the bank has
 * partly taken back.
 */
export function requireProvable(by: By, order: Order): void {
  requireAllowed(by, order, 'prove_payout');
  const underlying = underlyingState(order);
  const isLost = isBeingRefunded(underlying) && !(isZero(order.amountReversed) && isZero(order.amountRefunded));
  if (!provable.includes(underlying) || isLost) throw changedMeanwhile(order);
}
