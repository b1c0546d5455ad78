/**
 * The payer's bank takes back one of several payments of an order under review: the rest stays. After the review the
 * order is one that was paid in part. A freeze and a review take the same way, so that nobody can tell them apart.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { compare, isZero, subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import { inBooks } from '../order/refund.js';
import { reverseConversion, reverseFreeze } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import type { ReviewService } from '../review/service.js';
import type { TakenBack } from './refund-clawback.js';

export interface HeldClawbackOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
}

/** Whether a person has stopped the order, which looks like a review to everybody else. */
export function isHeld({ state }: Pick<Order, 'state'>): boolean {
  return state === 'IN_REVIEW' || state === 'FROZEN';
}

/** Whether other payments of such an order stay, which is not being refunded and of which nothing is lost yet. */
export function leavesHeld(order: Order, { taken }: Pick<TakenBack, 'taken'>): boolean {
  const isLossless = isZero(order.amountReversed) && compare(taken, inBooks(order)) < 0;
  return isHeld(order) && !isBeingRefunded(underlyingState(order)) && isLossless;
}

/** Nothing is lost: nothing was paid out yet, so that all that was paid is here. */
export async function clawBackHeld(
  { ledger, reviews }: HeldClawbackOptions,
  tx: Transaction,
  by: By,
  locked: LockedOrder,
  { note, paymentId, taken, bank }: TakenBack & { readonly note: string },
): Promise<Order> {
  const { order } = locked;
  const { orderId, statusReason, memories } = order;
  const rest = subtract(inBooks(order), taken);
  const isFrozen = order.state === 'FROZEN';
  const journals = [
    ...(isFrozen ? await reverseFreeze(ledger, tx, order) : await reverseConversion(ledger, tx, order)),
    postings.clawback(paymentId, orderId, 'liability', { taken, bank }),
    // A release reverses the newest freeze, so what stays frozen is frozen anew.
    ...(isFrozen ? [postings.frozen(orderId, 'liability', rest)] : []),
  ];
  const change = {
    statusReason,
    amountReceived: subtract(order.amountReceived, taken),
    cancellableUntil: undefined,
    // What was refused goes back, and is never payable again.
    memories: underlyingState(order) === 'REJECTED' ? memories : { ...memories, review: 'AWAITING_PAYMENT' as const },
  };
  return reviews.applyWithNote(tx, by, locked, { event: 'record_clawback', note, change, journals });
}
