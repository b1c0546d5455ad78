/**
 * The verbs by which operators correct what was recorded wrongly about payments, and record what a bank took back. The
 * room of payments calls them, with an order that it has locked. Journals are undone by reversals that name them.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { LockedOrder } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import { inBooks, owedToPayer, withRefunds, withRefundsCancelled } from '../order/refund.js';
import { reverseConversion, reverseFreeze, reversePayment } from '../order/reversals.js';
import { isBeingRefunded, underlyingState } from '../order/review.js';
import { type OrderJournal, requireAllowed } from '../order/transition.js';
import { stateAfter } from '../order/transitions.js';
import type { Refunds } from '../refunds/refunds.js';
import type { Requotes } from '../requote/service.js';
import type { ReviewService } from '../review/service.js';
import { clawBackHeld, isHeld, leavesHeld } from './held-clawback.js';
import { afterClawback, clawBackRefund, leavesOtherRefunds, refundOf } from './refund-clawback.js';
import { notTakenOff, severalPayments } from './refusals.js';
import { requireWaitsAgain } from './requirements.js';

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
    if (leavesHeld(order, clawback)) {
      const kept = await clawBackHeld(this.#options, tx, by, locked, { ...clawback, note });
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
    const { orderId } = order;
    const isRefund = isBeingRefunded(underlyingState(order));
    const { from, isReleased } = takenFrom(order);
    const released = isReleased ? await reverseFreeze(this.#options.ledger, tx, order) : [];
    const held = from === 'frozen' && !isRefund ? inBooks(order) : owedToPayer(order);
    const lost = amount(taken.currency, taken.minor > held.minor ? taken.minor - held.minor : 0n);
    const rest = amount(taken.currency, taken.minor > held.minor ? 0n : held.minor - taken.minor);
    // Those of a refund have their own part of it, which was paid back.
    const suspended = isRefund ? [] : others;
    const inSuspense = suspended.reduce((sum, other) => add(sum, other.amount), amount(rest.currency, 0n));
    // What a person has stopped must not move, and what is refunded is no longer one payment.
    const staysTogether = isHeld(order) || from !== 'liability';
    if (inSuspense.minor !== rest.minor || (rest.minor > 0n && staysTogether)) throw severalPayments();
    const reversed = await reverseConversion(this.#options.ledger, tx, order);
    // Of another payment that was taken back when it was paid out already: the money of the payout is here again.
    const recovered = subtract(inBooks(order), owedToPayer(order));
    const journals: OrderJournal[] = [
      ...released,
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

/** The account that a clawback takes the money from. What was lost before is recovered from where payments are. */
function takenFrom(order: Order): { readonly from: 'liability' | 'refund' | 'frozen'; readonly isReleased: boolean } {
  const isRefund = isBeingRefunded(underlyingState(order));
  if (order.state !== 'FROZEN') return { from: isRefund ? 'refund' : 'liability', isReleased: false };
  const isReleased = !isRefund && !isZero(order.amountReversed);
  return { from: isReleased ? 'liability' : 'frozen', isReleased };
}
