/**
 * The verbs by which operators correct what was recorded wrongly, and record what a bank took back. The rooms that own
 * payments and payouts call them, with an order that they have locked. Journals are undone by reversals that name them.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import { journalsOfDebit, type PayoutDebit } from '../flow/payout-outcomes.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import { inBooks, owedToPayer, withRefunds, withRefundsCancelled } from '../order/refund.js';
import {
  restoreConverted,
  reverseConversion,
  reverseDebit,
  reverseFailure,
  reversePayment,
} from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import { type OrderJournal, requireAllowed } from '../order/transition.js';
import { stateAfter } from '../order/transitions.js';
import type { Refunds } from '../refunds/refunds.js';
import type { Requotes } from '../requote/service.js';
import type { ReviewService } from '../review/service.js';
import { clawBackFrozen, leavesFrozen } from './frozen-clawback.js';
import { afterClawback, clawBackRefund, leavesOtherRefunds, refundOf } from './refund-clawback.js';
import { notTakenOff, severalPayments } from './refusals.js';
import { requireProvable, requireWaitsAgain } from './requirements.js';

/** A payment of the order that is put in suspense under this id. */
export interface TakenOff {
  readonly paymentId: string;
  readonly suspenseId: string;
  readonly amount: Amount;
}

export interface Clawback {
  readonly paymentId: string;
  /** What the bank took. */
  readonly taken: Amount;
  /** The account that it took it from. */
  readonly bank: string;
  /** The other payments of the order, which belong to nobody once it has ended. */
  readonly others: readonly TakenOff[];
}

/** What shows that a payout was made. */
export interface PayoutProof {
  readonly rail: string;
  readonly failedAt: number | undefined;
  readonly debit: PayoutDebit | undefined;
  readonly note: string;
}

export interface CorrectedOrder {
  readonly order: Order;
  /** What was paid out already and is lost. */
  readonly lost: Amount;
  /** The other payments, which are in suspense now. */
  readonly suspended: readonly TakenOff[];
}

export interface OrderCorrectionOptions {
  readonly ledger: LedgerService;
  readonly requotes: Pick<Requotes, 'restore'>;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
}

/** A payment that the order has no more. */
interface Unpaid extends Omit<TakenOff, 'suspenseId'> {
  readonly note: string;
  readonly journals: readonly OrderJournal[];
}

export class OrderCorrections {
  readonly #options: OrderCorrectionOptions;

  constructor(options: OrderCorrectionOptions) {
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

  /** The beneficiary has the money twice, or the payer has it back too. Throws `order_transition_not_allowed`. */
  recordPaidTwice(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    paid: { readonly rail: string; readonly debit: PayoutDebit; readonly note: string },
  ): Promise<Order> {
    const { order } = locked;
    const { rail, debit, note } = paid;
    const { orderId, amountOut, statusReason } = order;
    const journals = [postings.paidTwice(orderId, rail, amountOut), ...journalsOfDebit(order, debit)];
    const change = { statusReason };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'record_paid_twice', note, change, journals });
  }

  /**
   * A payment was recorded for the wrong order: its money is in suspense, and this order waits for its payment again,
   * at the terms of before if this payment was late. Throws `order_transition_not_allowed`, also while the sender is
   * asked about anything but new terms, and `payment_not_reversible` when it did not come as one payment for this
   * order.
   */
  async takeOffPayment(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, ...payment }: TakenOff & { readonly note: string },
  ): Promise<Order> {
    requireWaitsAgain(by, locked.order);
    const journals = await this.#takeOff(tx, locked.order, payment);
    return this.#waitAgain(tx, by, locked, { ...payment, note, journals });
  }

  /**
   * A payment was recorded that never arrived like this: this order waits for its payment again, as after
   * `takeOffPayment`. The caller books what became of the movement. Throws `order_transition_not_allowed`.
   */
  async voidPayment(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, ...payment }: Omit<TakenOff, 'suspenseId'> & { readonly note: string },
  ): Promise<Order> {
    requireWaitsAgain(by, locked.order);
    const { paymentId, amount: voided } = payment;
    const journals = [postings.paymentVoided(paymentId, locked.order.orderId, 'liability', voided)];
    return this.#waitAgain(tx, by, locked, { ...payment, note, journals });
  }

  /**
   * The payer's bank took a payment back. Before anybody was instructed to pay out, the order ends, or the refund of
   * that payer shrinks; later the order stays as it is, and the money is lost. Throws `order_transition_not_allowed`,
   * also while the refund of that payer is on its way, and `payment_not_reversible` where the other payments cannot be
   * given back.
   */
  async clawBack(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, ...clawback }: Clawback & { readonly note: string },
  ): Promise<CorrectedOrder> {
    const { order } = locked;
    const amountReversed = add(order.amountReversed, clawback.taken);
    const stopped = await this.#stopPayout(tx, order);
    if (!stopped) return this.#recordLoss(tx, by, locked, { ...clawback, note });
    if (leavesOtherRefunds(order, clawback)) {
      const kept = await clawBackRefund(this.#options, tx, by, locked, { ...clawback, note });
      return { ...kept, suspended: [] };
    }
    if (leavesFrozen(order, clawback)) {
      const kept = await clawBackFrozen(this.#options, tx, by, locked, { ...clawback, note });
      return { order: kept, lost: amount(clawback.taken.currency, 0n), suspended: [] };
    }
    requireAllowed(by, order, 'reverse_payment');
    if (stopped.length === 0) await this.#options.reviews.withdrawUnsent(tx, order);
    const { journals, lost, suspended } = await this.#journalsOf(tx, order, clawback);
    const refunds = withRefundsCancelled(order.refunds, await readMerchantClock(tx, order.merchantId));
    // What is in suspense is not this order's any more: another order may take it.
    const amountReceived = suspended.reduce((left, other) => subtract(left, other.amount), order.amountReceived);
    const change = { statusReason: 'payment_reversed', amountReceived, amountReversed, refunds } as const;
    const ended = await this.#options.reviews.applyWithNote(tx, by, locked, {
      event: 'reverse_payment',
      note,
      change,
      journals: [...stopped, ...journals],
    });
    return { order: ended, lost, suspended };
  }

  /** Withdraws a payout that nobody was instructed to make. Undefined when the money was paid out, or may have been. */
  async #stopPayout(tx: Transaction, order: Order): Promise<readonly OrderJournal[] | undefined> {
    const { orderId, state, amountOut } = order;
    if (stateAfter(state, 'record_loss') === undefined) return [];
    const withdrawn =
      state === 'PAYOUT_SUBMITTED' ? await this.#options.payouts().withdrawUnsent?.(tx, order) : undefined;
    return withdrawn?.rail === undefined ? undefined : [postings.payoutWithdrawn(orderId, withdrawn.rail, amountOut)];
  }

  /** The money was paid out or back. */
  async #recordLoss(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, paymentId, taken, bank }: Clawback & { readonly note: string },
  ): Promise<CorrectedOrder> {
    const { order } = locked;
    const refund = refundOf(order, paymentId);
    const now = await readMerchantClock(tx, order.merchantId);
    const refunds = refund ? withRefunds(order.refunds, [afterClawback(refund, taken, now).refund]) : order.refunds;
    const amountReversed = add(order.amountReversed, taken);
    const change = { statusReason: order.statusReason, amountReversed, refunds };
    const journals = [postings.clawback(paymentId, order.orderId, 'writeoff', { taken, bank })];
    const move = { event: 'record_loss', note, change, journals } as const;
    const kept = await this.#options.reviews.applyWithNote(tx, by, locked, move);
    return { order: kept, lost: taken, suspended: [] };
  }

  async #waitAgain(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { paymentId, amount: taken, note, journals }: Unpaid,
  ): Promise<Order> {
    const { order } = locked;
    const change = {
      amountReceived: subtract(order.amountReceived, taken),
      cancellableUntil: undefined,
      ...(order.state === 'ACTION_REQUIRED' ? { requirements: [], actionRequiredBy: undefined, memories: {} } : {}),
    };
    const { reviews, requotes } = this.#options;
    const move = { event: 'take_off_payment', note, change, journals } as const;
    const waiting = await reviews.applyWithNote(tx, by, locked, move);
    return requotes.restore(tx, by, waiting, paymentId);
  }

  /** Takes the payment from where its money is, and puts the rest in suspense. */
  async #journalsOf(tx: Transaction, order: Order, { paymentId, taken, bank, others }: Clawback) {
    const { orderId, state } = order;
    const isRefund = isBeingRefunded(underlyingState(order));
    const from = state === 'FROZEN' ? 'frozen' : isRefund ? 'refund' : 'liability';
    const held = from === 'frozen' && !isRefund ? inBooks(order) : owedToPayer(order);
    const lost = amount(taken.currency, taken.minor > held.minor ? taken.minor - held.minor : 0n);
    const rest = amount(taken.currency, taken.minor > held.minor ? 0n : held.minor - taken.minor);
    // Those of a refund have their own part of it, which was paid back.
    const suspended = isRefund ? [] : others;
    const inSuspense = suspended.reduce((sum, other) => add(sum, other.amount), amount(rest.currency, 0n));
    // What is frozen must not move, and what is refunded is no longer one payment.
    if (inSuspense.minor !== rest.minor || (rest.minor > 0n && from !== 'liability')) throw severalPayments();
    const reversed = await reverseConversion(this.#options.ledger, tx, order);
    // Of another payment that was taken back when it was paid out already: the money of the payout is here again.
    const recovered = subtract(inBooks(order), owedToPayer(order));
    const journals: OrderJournal[] = [
      ...reversed,
      ...(from === 'liability' && !isZero(recovered) ? [postings.lossRecovered(orderId, recovered)] : []),
      postings.clawback(paymentId, orderId, from, { taken, bank, lost }),
    ];
    for (const other of suspended) journals.push(...(await this.#takeOff(tx, order, other)));
    return { journals, lost, suspended };
  }

  async #takeOff(tx: Transaction, order: Order, payment: TakenOff): Promise<OrderJournal[]> {
    const { paymentId, suspenseId, amount: money } = payment;
    const reversed = await reversePayment(this.#options.ledger, tx, order, paymentId);
    if (!reversed) throw notTakenOff();
    return [reversed, postings.paymentUnassigned(paymentId, suspenseId, money)];
  }
}
