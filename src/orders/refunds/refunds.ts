/**
 * Decides that money goes back to the payer: all of it, or less what banks charged for a payout to a wrong beneficiary.
 */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import type { Payouts, RefundRecipient } from '../order/ports.js';
import { inBooks, owedToPayer, withRefund, withRefundState } from '../order/refund.js';
import { reverseConversion } from '../order/reversals.js';
import type { NewReview } from '../order/review.js';
import type { OrderChange, OrderJournal, OrderTransitions } from '../order/transition.js';
import { stateAfter } from '../order/transitions.js';
import { businessDaysAfter, refundBusinessDays } from './due-dates.js';
import type { RefundGuard } from './guard.js';

export interface RefundOptions {
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly payouts: () => Payouts;
  /** The gate is above. */
  readonly guard: RefundGuard;
}

export interface RefundMove {
  readonly event: 'cancel_and_refund' | 'expire_and_refund' | 'refund' | 'refuse_requote';
  readonly change?: OrderChange;
  /** What stays with us for the charges of banks. Absent: nothing. Less than what we hold. */
  readonly kept?: Amount;
}

export class Refunds {
  readonly #options: RefundOptions;

  constructor(options: RefundOptions) {
    this.#options = options;
  }

  /**
   * Reverses the conversion if there was one, and opens the refund in the same transaction. An order whose payment was
   * clawed back after its payout has nothing to pay back: it ends as CANCELLED. One that does not pass the gate is
   * under review afterwards, which every caller must expect. The caller has locked the order. Throws `ledger_fault` and
   * `order_transition_not_allowed`.
   */
  async open(tx: Transaction, by: By, order: Order, move: RefundMove): Promise<Order> {
    const { ledger, transitions, payouts } = this.#options;
    const found = await this.#examine(tx, order);
    if (found && isReferable(order)) return this.#refer(tx, by, order, found);
    const [reversed, now] = await Promise.all([
      this.#unwind(tx, order),
      readMerchantClock(tx, order.merchantId),
      ledger.requireSound(tx, order.merchantId),
    ]);
    const held = owedToPayer(order);
    if (isZero(held)) return this.#endWithoutRefund(tx, by, order, reversed);
    const { event, change = {}, kept = amount(held.currency, 0n) } = move;
    const due = subtract(held, kept);
    const refunded = await transitions.applyTransition(tx, by, order, {
      event,
      change: {
        ...change,
        refundDueBy: businessDaysAfter(now, refundBusinessDays),
        amountKept: add(order.amountKept, kept),
        refunds: withRefund(order, { amount: due, reason: change.statusReason }, now),
      },
      journals: [...reversed, postings.refundDue(order.orderId, held, { amount: kept, as: 'charges' })],
    });
    await payouts().openRefund(tx, refunded, due);
    return found ? this.#refer(tx, by, refunded, found) : refunded;
  }

  /**
   * Tries a refund again that failed, to the account that paid or to another one. An order whose payment was clawed
   * back meanwhile has nothing to pay back: it ends as CANCELLED. One that does not pass the gate is under review
   * afterwards. Throws `ledger_fault` and `order_transition_not_allowed`.
   */
  async retry(tx: Transaction, by: By, order: Order, recipient: RefundRecipient | undefined): Promise<Order> {
    const { ledger, transitions, payouts } = this.#options;
    const { merchantId, refunds } = order;
    const found = await this.#examine(tx, order, recipient);
    if (found) return this.#refer(tx, by, order, found);
    const [now] = await Promise.all([readMerchantClock(tx, merchantId), ledger.requireSound(tx, merchantId)]);
    if (isZero(owedToPayer(order))) return this.#endWithoutRefund(tx, by, order, []);
    const pending = await transitions.applyTransition(tx, by, order, {
      event: 'retry_refund',
      change: {
        statusReason: refunds.at(-1)?.reason,
        refundDueBy: businessDaysAfter(now, refundBusinessDays),
        refunds: withRefundState(refunds, 'pending', now),
      },
    });
    await payouts().openRefund(tx, pending, owedToPayer(order), recipient);
    return pending;
  }

  /**
   * Goes on with a refund that was withdrawn when a review of the order began. An order that does not pass the gate is
   * under review again afterwards. Throws `ledger_fault`.
   */
  async reopen(tx: Transaction, by: By, order: Order): Promise<Order> {
    const { ledger, payouts } = this.#options;
    const found = await this.#examine(tx, order);
    await ledger.requireSound(tx, order.merchantId);
    await payouts().openRefund(tx, order, owedToPayer(order));
    return found ? this.#refer(tx, by, order, found) : order;
  }

  /** Why a person must look at the order first. Nothing is asked about an order that has nothing to pay back. */
  async #examine(tx: Transaction, order: Order, recipient?: RefundRecipient): Promise<NewReview | undefined> {
    return isZero(owedToPayer(order)) ? undefined : this.#options.guard.examine(tx, order, recipient);
  }

  /** The gate is the actor, whoever wanted the money to go back: merchants and users never learn why. */
  #refer(tx: Transaction, { requestId }: By, order: Order, found: NewReview): Promise<Order> {
    const by: By = { actor: { kind: 'system', name: 'gate' }, ...(requestId === undefined ? {} : { requestId }) };
    return this.#options.guard.refer(tx, by, order, found);
  }

  /** Gives converted money back to `liability`, and from there what the bank has clawed back since. */
  async #unwind(tx: Transaction, order: Order): Promise<OrderJournal[]> {
    const reversed = await reverseConversion(this.#options.ledger, tx, order);
    const recovered = subtract(inBooks(order), owedToPayer(order));
    return isZero(recovered) ? reversed : [...reversed, postings.lossRecovered(order.orderId, recovered)];
  }

  #endWithoutRefund(tx: Transaction, by: By, order: Order, journals: readonly OrderJournal[]): Promise<Order> {
    const change = { statusReason: 'payment_reversed' } as const;
    return this.#options.transitions.applyTransition(tx, by, order, {
      event: 'reverse_payment',
      change,
      journals,
    });
  }
}

/**
 * An order whose review has just been approved cannot be put under review again at once. It is when its refund is
 * decided, before anybody can send it.
 */
function isReferable({ state }: Order): boolean {
  return stateAfter(state, 'refer') !== undefined;
}
