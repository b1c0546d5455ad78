/**
 * The payer's bank takes back one of several payments of an order that is frozen: the rest stays frozen. Once released,
 * the order is one that was paid in part.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { compare, isZero, subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import { inBooks } from '../order/refund.js';
import { reverseFreeze } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import type { ReviewService } from '../review/service.js';
import type { TakenBack } from './refund-clawback.js';

export interface FrozenClawbackOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
}

/** Whether other payments of a frozen order stay, which is not being refunded and of which nothing is lost yet. */
export function leavesFrozen(order: Order, { taken }: Pick<TakenBack, 'taken'>): boolean {
  const isLossless = isZero(order.amountReversed) && compare(taken, inBooks(order)) < 0;
  return order.state === 'FROZEN' && !isBeingRefunded(underlyingState(order)) && isLossless;
}

/** Nothing is lost: a freeze has reversed the conversion, so that all that was paid is here. */
export async function clawBackFrozen(
  { ledger, reviews }: FrozenClawbackOptions,
  tx: Transaction,
  by: By,
  locked: LockedOrder,
  { note, paymentId, taken, bank }: TakenBack & { readonly note: string },
): Promise<Order> {
  const { order } = locked;
  const { orderId, statusReason, memories } = order;
  const rest = subtract(inBooks(order), taken);
  // A release reverses the newest freeze, so what stays frozen is frozen anew.
  const journals = [
    ...(await reverseFreeze(ledger, tx, order)),
    postings.clawback(paymentId, orderId, 'liability', { taken, bank }),
    postings.frozen(orderId, 'liability', rest),
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
