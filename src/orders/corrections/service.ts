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
import type { PayoutDebit } from '../flow/payout-outcomes.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import { inBooks, owedToPayer, withRefunds } from '../order/refund.js';
import { reverseConversion, reverseDebit, reverseFailure, reversePayment } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import { type OrderJournal, requireAllowed } from '../order/transition.js';
import { stateAfter } from '../order/transitions.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { afterClawback, clawBackRefund, leavesOtherRefunds, refundOf } from './refund-clawback.js';
import { notTakenOff, severalPayments } from './refusals.js';

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

export interface CorrectedOrder {
  readonly order: Order;
  /** What was paid out already and is lost. */
  readonly lost: Amount;
  /** The other payments, which are in suspense now. */
  readonly suspended: readonly TakenOff[];
}

export interface OrderCorrectionOptions {
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
}

export class OrderCorrections {
  readonly #options: OrderCorrectionOptions;

  constructor(options: OrderCorrectionOptions) {
    this.#options = options;
  }

  /** The order was marked as paid by mistake: it is on its way again. Throws `order_transition_not_allowed`. */
  async correctCompletion(tx: Transaction, by: By, locked: LockedOrder, note: string): Promise<Order> {
    requireAllowed(by, locked.order, 'correct_completion');
    const journals = await reverseDebit(this.#options.ledger, tx, locked.order);
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'correct_completion', note, journals });
  }

  /**
   * A late proof shows that a payout was paid which was thought to have failed or come back. `debit` when it is known
   * which bank account paid it; a debit that was booked before is not booked again. Throws
   * `order_transition_not_allowed`.
   */
  async provePayout(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    proof: {
      readonly rail: string;
      readonly attemptId: string;
      readonly debit: PayoutDebit | undefined;
      readonly note: string;
    },
  ): Promise<Order> {
    const { order } = locked;
    const { debit, note } = proof;
    requireAllowed(by, order, 'prove_payout');
    const undone = await reverseFailure(this.#options.ledger, tx, order, proof);
    const journals = [...undone.journals, ...debitOf(order, undone.isDebited ? undefined : debit)];
    const change = { payoutCharges: subtract(order.payoutCharges, undone.charge) };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'prove_payout', note, change, journals });
  }

  /** The beneficiary has the money twice, or the payer has it back too. Throws `order_transition_not_allowed`. */
  recordPaidTwice(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    paid: { readonly rail: string; readonly debit: PayoutDebit | undefined; readonly note: string },
  ): Promise<Order> {
    const { order } = locked;
    const { rail, debit, note } = paid;
    const { orderId, amountOut, statusReason } = order;
    const journals = [postings.paidTwice(orderId, rail, amountOut), ...debitOf(order, debit)];
    const change = { statusReason };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'record_paid_twice', note, change, journals });
  }

  /**
   * A payment was recorded for the wrong order: its money is in suspense, and this order waits for its payment again.
   * Throws `order_transition_not_allowed`, and `payment_not_reversible` when it did not come as one payment for this
   * order.
   */
  async takeOffPayment(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, ...payment }: TakenOff & { readonly note: string },
  ): Promise<Order> {
    const { order } = locked;
    requireAllowed(by, order, 'take_off_payment');
    const journals = await this.#takeOff(tx, order, payment);
    const change = {
      amountReceived: subtract(order.amountReceived, payment.amount),
      cancellableUntil: undefined,
    };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'take_off_payment', note, change, journals });
  }

  /**
   * A payment was recorded that never arrived like this: this order waits for its payment again. The caller books what
   * became of the movement. Throws `order_transition_not_allowed`.
   */
  voidPayment(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { paymentId, amount: voided, note }: Omit<TakenOff, 'suspenseId'> & { readonly note: string },
  ): Promise<Order> {
    const { order } = locked;
    const change = { amountReceived: subtract(order.amountReceived, voided), cancellableUntil: undefined };
    const journals = [postings.paymentVoided(paymentId, order.orderId, 'liability', voided)];
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'take_off_payment', note, change, journals });
  }

  /**
   * The payer's bank took a payment back. Before the payout was submitted, the order ends, or the refund of that payer
   * shrinks; later the order stays as it is, and the money is lost. Throws `order_transition_not_allowed`, also while
   * the refund of that payer is on its way, and `payment_not_reversible` where the other payments cannot be given back.
   */
  async clawBack(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, ...clawback }: Clawback & { readonly note: string },
  ): Promise<CorrectedOrder> {
    const { order } = locked;
    const { paymentId, taken, bank } = clawback;
    const amountReversed = add(order.amountReversed, taken);
    if (stateAfter(order.state, 'record_loss') !== undefined) {
      const refund = refundOf(order, paymentId);
      const now = await readMerchantClock(tx, order.merchantId);
      const refunds = refund ? withRefunds(order.refunds, [afterClawback(refund, taken, now).refund]) : order.refunds;
      const change = { statusReason: order.statusReason, amountReversed, refunds };
      const journals = [postings.clawback(paymentId, order.orderId, 'writeoff', { taken, bank })];
      const kept = await this.#options.reviews.applyWithNote(tx, by, locked, {
        event: 'record_loss',
        note,
        change,
        journals,
      });
      return { order: kept, lost: taken, suspended: [] };
    }
    if (leavesOtherRefunds(order, clawback)) {
      const kept = await clawBackRefund(this.#options, tx, by, locked, { ...clawback, note });
      return { ...kept, suspended: [] };
    }
    requireAllowed(by, order, 'reverse_payment');
    await this.#options.reviews.withdrawRefund(tx, order);
    const { journals, lost, suspended } = await this.#journalsOf(tx, order, clawback);
    const now = await readMerchantClock(tx, order.merchantId);
    const open = order.refunds.filter(({ state }) => state !== 'paid' && state !== 'cancelled');
    const refunds = withRefunds(
      order.refunds,
      open.map((refund) => ({ ...refund, state: 'cancelled', updatedAt: now })),
    );
    // What is in suspense is not this order's any more: another order may take it.
    const amountReceived = suspended.reduce((left, other) => subtract(left, other.amount), order.amountReceived);
    const change = { statusReason: 'payment_reversed', amountReceived, amountReversed, refunds } as const;
    const ended = await this.#options.reviews.applyWithNote(tx, by, locked, {
      event: 'reverse_payment',
      note,
      change,
      journals,
    });
    return { order: ended, lost, suspended };
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

function debitOf({ orderId, amountOut }: Order, debit: PayoutDebit | undefined): OrderJournal[] {
  return debit ? [postings.payoutDebited(orderId, debit, amountOut, debit.charge)] : [];
}
