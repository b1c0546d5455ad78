/**
 * The payer's bank takes back one of several payments of an order that is being refunded: the refund of that payer
 * shrinks or goes, and the others stay. Also, what is remembered of a payer whose refund was paid already.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order, Refund } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import { owedFor, owedToPayer, withRefunds } from '../order/refund.js';
import { reverseFreeze } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import { requireAllowed } from '../order/transition.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { refundUnderWay } from './refusals.js';

export interface RefundClawbackOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
}

export interface TakenBack {
  readonly paymentId: string;
  /** What the bank took. */
  readonly taken: Amount;
  /** The account that it took it from. */
  readonly bank: string;
}

/** The newest refund that pays this payment back; undefined when the order is not refunded, or it is not known. */
export function refundOf({ refunds }: Pick<Order, 'refunds'>, paymentId: string): Refund | undefined {
  const [only, another] = refunds;
  return refunds.findLast(({ paymentIds }) => paymentIds.includes(paymentId)) ?? (another ? undefined : only);
}

/**
 * The refund after the bank of its payer took so much back, and the part of it that we do not have any more. A refund
 * that was paid stays paid, and what bounces of it later is owed so much less.
 */
export function afterClawback(refund: Refund, taken: Amount, now: Date): { readonly refund: Refund; lost: Amount } {
  const owed = owedFor(refund);
  const [most, changed] = [smaller(owed, taken), { ...refund, updatedAt: now }];
  const lost = subtract(taken, most);
  if (refund.state === 'paid')
    return { refund: { ...changed, reversed: smaller(refund.amount, add(refund.reversed, taken)) }, lost };
  const left = subtract(owed, most);
  // A refund of nothing keeps the sum that it was for.
  if (isZero(left)) return { refund: { ...changed, state: 'cancelled' }, lost };
  return { refund: { ...changed, amount: left, reversed: amount(left.currency, 0n) }, lost };
}

/** Whether other payers are owed something after the bank has taken this. */
export function leavesOtherRefunds(order: Order, { paymentId, taken }: TakenBack): boolean {
  const refund = refundOf(order, paymentId);
  if (!refund || !isBeingRefunded(underlyingState(order))) return false;
  const after = afterClawback(refund, taken, refund.updatedAt);
  const amountReversed = add(order.amountReversed, taken);
  return !isZero(owedToPayer({ ...order, amountReversed, refunds: withRefunds(order.refunds, [after.refund]) }));
}

/**
 * Returns the order with what was lost. Throws `order_transition_not_allowed`, also while the refund of this payer may
 * have left.
 */
export async function clawBackRefund(
  { ledger, reviews, refunds, payouts }: RefundClawbackOptions,
  tx: Transaction,
  by: By,
  locked: LockedOrder,
  { note, ...clawback }: TakenBack & { readonly note: string },
): Promise<{ readonly order: Order; readonly lost: Amount }> {
  const { order } = locked;
  const { paymentId, taken, bank } = clawback;
  requireAllowed(by, order, 'record_clawback');
  const before = refundOf(order, paymentId);
  if (!before) throw new Error(`no refund of ${order.orderId} pays ${paymentId} back`);
  const isSent = before.state === 'submitted' || before.state === 'pending';
  // During a review its attempt was withdrawn already.
  if (isSent && isBeingRefunded(order.state) && !(await payouts().withdrawUnsent?.(tx, order, before)))
    throw refundUnderWay();
  const { refund, lost } = afterClawback(before, taken, await readMerchantClock(tx, order.merchantId));
  const refundsAfter = withRefunds(order.refunds, [refund]);
  // A release reverses the newest freeze, so what stays frozen is frozen anew.
  const isFrozen = order.state === 'FROZEN';
  const amountReversed = add(order.amountReversed, taken);
  const rest = owedToPayer({ ...order, amountReversed, refunds: refundsAfter });
  const journals = [
    ...(isFrozen ? await reverseFreeze(ledger, tx, order) : []),
    postings.clawback(paymentId, order.orderId, 'refund', { taken, bank, lost }),
    ...(isFrozen ? [postings.frozen(order.orderId, 'refund', rest)] : []),
  ];
  const changed = await reviews.applyWithNote(tx, by, locked, {
    event: 'record_clawback',
    note,
    change: {
      statusReason: order.statusReason,
      amountReversed,
      refunds: refundsAfter,
    },
    journals,
  });
  if (!isBeingRefunded(changed.state)) return { order: changed, lost };
  return { order: await refunds.resume(tx, by, changed, [refund]), lost };
}

function smaller(one: Amount, other: Amount): Amount {
  return one.minor < other.minor ? one : amount(one.currency, other.minor);
}
