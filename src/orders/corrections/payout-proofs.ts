/**
 * What operators prove about payouts after all: not made, made, or made twice. The room of payouts calls it, with an
 * order that it has locked. Journals are undone by reversals that name them.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import { journalsOfDebit, type PayoutDebit } from '../flow/payout-outcomes.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import { withRefundsCancelled } from '../order/refund.js';
import { restoreConverted, reverseDebit, reverseFailure } from '../order/reversals.js';
import { isBeingRefunded, isConverted, underlyingState } from '../order/review.js';
import { changedMeanwhile, requireAllowed } from '../order/transition.js';
import type { ReviewService } from '../review/service.js';
import { requireProvable } from './requirements.js';

export interface PayoutProofOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
}

/** What shows that a payout was made. */
export interface PayoutProof {
  readonly rail: string;
  readonly failedAt: number | undefined;
  readonly debit: PayoutDebit | undefined;
  readonly note: string;
}

export class OrderPayoutProofs {
  readonly #options: PayoutProofOptions;

  constructor(options: PayoutProofOptions) {
    this.#options = options;
  }

  /**
   * The order was marked as paid by mistake: it is on its way again. `versions` are those of the order with which the
   * payment was recorded. Throws `order_transition_not_allowed`.
   */
  async correctCompletion(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, versions }: { readonly note: string; readonly versions: readonly number[] },
  ): Promise<Order> {
    requireAllowed(by, locked.order, 'correct_completion');
    const journals = await reverseDebit(this.#options.ledger, tx, locked.order, versions);
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'correct_completion', note, journals });
  }

  /**
   * A late proof shows that a payout was paid which was thought to have failed, come back or been withdrawn. A payout
   * or refund that was decided since is withdrawn, if nobody was instructed to make it. `failedAt` is the version of
   * the order with which the failure was booked; `debit` is undefined when it was booked before. Throws
   * `order_transition_not_allowed`.
   */
  async provePayout(tx: Transaction, by: By, locked: LockedOrder, proof: PayoutProof): Promise<Order> {
    const { ledger, reviews } = this.#options;
    const { order } = locked;
    const { rail, failedAt, debit, note } = proof;
    requireProvable(by, order);
    const withdrawn = await reviews.withdrawUnsent(tx, order);
    const restored = await restoreConverted(ledger, tx, order);
    const undone = await reverseFailure(ledger, tx, order, { rail, version: failedAt });
    const isRefunded = isBeingRefunded(underlyingState(order));
    const now = await readMerchantClock(tx, order.merchantId);
    const change = {
      payoutCharges: subtract(order.payoutCharges, undone.charge),
      amountKept: subtract(order.amountKept, restored.kept),
      // The beneficiary has the money: what the sender was asked is not asked any more.
      requirements: [],
      hasUnreadAnswers: false,
      ...(isRefunded && { refunds: withRefundsCancelled(order.refunds, now) }),
    };
    const booked = debit ? journalsOfDebit(order, debit) : [];
    const journals = [...withdrawn, ...restored.journals, ...undone.journals, ...booked];
    return reviews.applyWithNote(tx, by, locked, { event: 'prove_payout', note, change, journals });
  }

  /**
   * The beneficiary has the money twice, or the payer has it back too. Throws `order_transition_not_allowed` while the
   * money is converted and not paid out: then the payout is proved.
   */
  async recordPaidTwice(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    paid: { readonly rail: string; readonly debit: PayoutDebit; readonly note: string },
  ): Promise<Order> {
    const { order } = locked;
    const { rail, debit, note } = paid;
    if (isConverted(underlyingState(order))) throw changedMeanwhile(order);
    const { orderId, amountOut, statusReason } = order;
    const journals = [postings.paidTwice(orderId, rail, amountOut), ...journalsOfDebit(order, debit)];
    const change = { statusReason };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'record_paid_twice', note, change, journals });
  }
}
