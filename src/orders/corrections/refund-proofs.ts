/**
 * A late proof shows that a payer has the money of a refund that was withdrawn, refused or thought to have come back.
 * Money that left has left, whatever the gate says about it now: the books follow the bank.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order, Refund, RefundId } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import { hasFailed, isSettled, owedFor, owedToPayer, withRefunds } from '../order/refund.js';
import { reverseFreeze } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import { changedMeanwhile, requireAllowed } from '../order/transition.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { refundUnderWay } from './refusals.js';

export interface RefundProofOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
}

export interface ProvedRefund {
  readonly refundId: RefundId;
  readonly paid: Amount;
  /** The account that the bank debited. */
  readonly bank: string;
  readonly note: string;
}

export class OrderRefundProofs {
  readonly #options: RefundProofOptions;

  constructor(options: RefundProofOptions) {
    this.#options = options;
  }

  /**
   * The refund is paid. Its next attempt is withdrawn, if nobody was instructed to pay it; what was paid beyond what
   * this payer is owed now is a loss. A review or a freeze goes on while other payers are owed something. Throws
   * `order_transition_not_allowed`, also when this payer is owed nothing.
   */
  async prove(tx: Transaction, by: By, locked: LockedOrder, proof: ProvedRefund): Promise<Order> {
    const { ledger, reviews, refunds, payouts } = this.#options;
    const { order } = locked;
    const { paid, bank, note } = proof;
    const before = refundIn(order, proof.refundId);
    const owed = owedFor(before);
    requireAllowed(by, order, 'prove_refund');
    if (!isBeingRefunded(underlyingState(order)) || isZero(owed)) throw changedMeanwhile(order);
    if (!(await payouts().withdrawUnsent?.(tx, order, before))) throw refundUnderWay();
    const settled = owed.minor < paid.minor ? owed : paid;
    const lost = subtract(paid, settled);
    const updatedAt = await readMerchantClock(tx, order.merchantId);
    // As if the bank of the payer had taken the difference back after the refund was paid.
    const refund: Refund = { ...before, amount: paid, reversed: lost, state: 'paid', updatedAt };
    const after = withRefunds(order.refunds, [refund]);
    const isLast = isSettled(after);
    const isFrozen = order.state === 'FROZEN';
    const rest = owedToPayer({ ...order, refunds: after });
    const proved = await reviews.applyWithNote(tx, by, locked, {
      event: isLast ? 'prove_refund' : 'prove_refund_part',
      note,
      change: {
        statusReason: (isLast ? before.reason : undefined) ?? order.statusReason,
        amountRefunded: add(order.amountRefunded, paid),
        refunds: after,
        ...(isLast && { requirements: [], hasUnreadAnswers: false }),
      },
      journals: [
        ...(isFrozen ? await reverseFreeze(ledger, tx, order) : []),
        postings.refunded(order.orderId, bank, settled),
        ...(isZero(lost) ? [] : [postings.refundOverpaid(order.orderId, bank, lost)]),
        // A release reverses the newest freeze, so what stays frozen is frozen anew.
        ...(isFrozen && !isLast ? [postings.frozen(order.orderId, 'refund', rest)] : []),
      ],
    });
    // The one that had failed does not wait any more.
    const goesOn = proved.state === 'REFUND_FAILED' && !hasFailed(proved.refunds);
    return goesOn ? refunds.resume(tx, by, proved, []) : proved;
  }

  /**
   * The payer has the money twice, or although nothing was owed. Throws `order_transition_not_allowed` while something
   * is owed to this payer: then the refund is proved.
   */
  async recordOverpaid(tx: Transaction, by: By, locked: LockedOrder, proof: ProvedRefund): Promise<Order> {
    const { order } = locked;
    const { paid, bank, note, refundId } = proof;
    if (!isZero(owedFor(refundIn(order, refundId)))) throw changedMeanwhile(order);
    const journals = [postings.refundOverpaid(order.orderId, bank, paid)];
    const change = { statusReason: order.statusReason };
    const move = { event: 'record_overpaid_refund', note, change, journals } as const;
    return this.#options.reviews.applyWithNote(tx, by, locked, move);
  }
}

function refundIn({ orderId, refunds }: Order, refundId: RefundId): Refund {
  const found = refunds.find((refund) => refund.refundId === refundId);
  if (!found) throw new Error(`the order ${orderId} has no refund ${refundId}`);
  return found;
}
