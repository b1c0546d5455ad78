/**
 * Decides that money goes back to those who paid: all of it, or less what banks charged for a payout to a wrong
 * beneficiary. Each payer has a refund of its own.
 */
import type { By } from '../../caller.js';
import { invalidField, RemesaError } from '../../errors.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order, Refund } from '../order/order.js';
import type { Payers, Payouts, RefundRecipient } from '../order/ports.js';
import { hasFailed, inBooks, newRefund, owedToPayer, triedAgain, withRefunds } from '../order/refund.js';
import { reverseConversion } from '../order/reversals.js';
import type { NewReview } from '../order/review.js';
import type { OrderChange, OrderJournal, OrderTransitions } from '../order/transition.js';
import { publicState, stateAfter } from '../order/transitions.js';
import { divideRefund } from './division.js';
import { businessDaysAfter, refundBusinessDays } from './due-dates.js';
import type { RefundGuard } from './guard.js';

export interface RefundOptions {
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly payouts: () => Payouts;
  /** The gate is above. */
  readonly guard: RefundGuard;
  readonly payers: Payers;
}

export interface RefundMove {
  readonly event: 'cancel_and_refund' | 'expire_and_refund' | 'refund' | 'refuse_requote';
  readonly change?: OrderChange;
  /** What stays with us for the charges of banks. Absent: nothing. Less than what we hold. */
  readonly kept?: Amount;
}

export interface RetriedRefund {
  /** The refund that is tried again. Absent: all that failed. */
  readonly refundId: string | undefined;
  /** Absent: the account that paid. */
  readonly recipient: RefundRecipient | undefined;
}

export class Refunds {
  readonly #options: RefundOptions;

  constructor(options: RefundOptions) {
    this.#options = options;
  }

  /**
   * Reverses the conversion if there was one, and opens a refund for each payer in the same transaction. An order whose
   * payment was clawed back after its payout has nothing to pay back: it ends as CANCELLED. One that does not pass the
   * gate is under review afterwards, which every caller must expect. The caller has locked the order. Throws
   * `ledger_fault` and `order_transition_not_allowed`.
   */
  async open(tx: Transaction, by: By, order: Order, move: RefundMove): Promise<Order> {
    const { ledger, transitions, payers } = this.#options;
    const found = await this.#examine(tx, order);
    if (found && isReferable(order)) return this.#refer(tx, by, order, found);
    const [reversed, now, parts] = await Promise.all([
      this.#unwind(tx, order),
      readMerchantClock(tx, order.merchantId),
      payers.partsOf(tx, order),
      ledger.requireSound(tx, order.merchantId),
    ]);
    const held = owedToPayer(order);
    if (isZero(held)) return this.#endWithoutRefund(tx, by, order, reversed);
    const { event, change = {}, kept = amount(held.currency, 0n) } = move;
    const { statusReason: reason } = change;
    const opened = divideRefund(subtract(held, kept), parts).map((part) => newRefund(order, { ...part, reason }, now));
    const refunded = await transitions.applyTransition(tx, by, order, {
      event,
      change: {
        ...change,
        refundDueBy: businessDaysAfter(now, refundBusinessDays),
        amountKept: add(order.amountKept, kept),
        refunds: [...order.refunds, ...opened],
      },
      journals: [...reversed, postings.refundDue(order.orderId, held, { amount: kept, as: 'charges' })],
    });
    await this.#send(tx, refunded, opened);
    return found ? this.#refer(tx, by, refunded, found) : refunded;
  }

  /**
   * Tries refunds again that failed, to the accounts that paid or to another one. What a bank has clawed back meanwhile
   * is not paid; if nothing is left, the order ends as CANCELLED. One that does not pass the gate is under review
   * afterwards. Throws `ledger_fault`, `order_transition_not_allowed` also when the refund has not failed, and
   * `invalid_fields` when one recipient is named for several refunds.
   */
  async retry(
    tx: Transaction,
    by: By,
    order: Order,
    { refundId, recipient }: Partial<RetriedRefund> = {},
  ): Promise<Order> {
    const { ledger, transitions } = this.#options;
    const [now] = await Promise.all([
      readMerchantClock(tx, order.merchantId),
      ledger.requireSound(tx, order.merchantId),
    ]);
    if (isZero(owedToPayer(order))) return this.#endWithoutRefund(tx, by, order, []);
    const chosen = chosenOf(order, { refundId, recipient });
    const found = await this.#examine(tx, order, recipient ? [recipient] : []);
    if (found) return this.#refer(tx, by, order, found);
    const again = chosen.map((refund) => triedAgain(refund, now));
    const refunds = withRefunds(order.refunds, again);
    const pending = await transitions.applyTransition(tx, by, order, {
      event: hasFailed(refunds) ? 'update_refund' : 'retry_refund',
      change: {
        statusReason: hasFailed(refunds) ? order.statusReason : again.at(-1)?.reason,
        refundDueBy: businessDaysAfter(now, refundBusinessDays),
        refunds,
      },
    });
    await this.#send(tx, pending, again, recipient);
    return pending;
  }

  /**
   * Opens refunds again that were withdrawn, because a review has ended or less is owed to one payer. An order that
   * does not pass the gate is under review again afterwards. Throws `ledger_fault`.
   */
  async resume(tx: Transaction, by: By, order: Order, withdrawn: readonly Refund[] = order.refunds): Promise<Order> {
    const { ledger, transitions } = this.#options;
    await ledger.requireSound(tx, order.merchantId);
    // The one that had failed is not owed any more.
    const isTriedAgain = order.state === 'REFUND_FAILED' && !hasFailed(order.refunds);
    const change = { statusReason: order.refunds.at(-1)?.reason };
    const resumed = isTriedAgain
      ? await transitions.applyTransition(tx, by, order, { event: 'retry_refund', change })
      : order;
    const sent = withdrawn.filter(({ state }) => state === 'pending');
    const found =
      sent.length > 0 ? await this.#examine(tx, resumed, await this.#recipients(tx, resumed, sent)) : undefined;
    if (found) return this.#refer(tx, by, resumed, found);
    await this.#send(tx, resumed, sent);
    return resumed;
  }

  /** Why a person must look at the order first. Nothing is asked about an order that has nothing to pay back. */
  async #examine(
    tx: Transaction,
    order: Order,
    recipients?: readonly RefundRecipient[],
  ): Promise<NewReview | undefined> {
    return isZero(owedToPayer(order)) ? undefined : this.#options.guard.examine(tx, order, recipients);
  }

  /** The accounts that withdrawn refunds go to when they are opened again. */
  async #recipients(tx: Transaction, order: Order, refunds: readonly Refund[]): Promise<RefundRecipient[]> {
    const payouts = this.#options.payouts();
    const recipients: RefundRecipient[] = [];
    for (const refund of refunds) {
      const recipient = await payouts.withdrawnRecipient?.(tx, order, refund);
      if (recipient) recipients.push(recipient);
    }
    return recipients;
  }

  /** The gate is the actor, whoever wanted the money to go back: merchants and users never learn why. */
  #refer(tx: Transaction, { requestId }: By, order: Order, found: NewReview): Promise<Order> {
    const by: By = { actor: { kind: 'system', name: 'gate' }, ...(requestId === undefined ? {} : { requestId }) };
    return this.#options.guard.refer(tx, by, order, found);
  }

  /** One after the other, because each counts the attempts before it. */
  async #send(
    tx: Transaction,
    order: Order,
    refunds: readonly Refund[],
    recipient?: RefundRecipient | undefined,
  ): Promise<void> {
    for (const refund of refunds) {
      if (refund.state === 'pending') await this.#options.payouts().openRefund(tx, order, refund, recipient);
    }
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

/** The refunds that are tried again. */
function chosenOf({ refunds, state: orderState }: Order, { refundId, recipient }: RetriedRefund): readonly Refund[] {
  const failed = refunds.filter(({ state }) => state === 'failed');
  const chosen = refundId === undefined ? failed : failed.filter((refund) => refund.refundId === refundId);
  if (chosen.length === 0) {
    const message = 'No such refund of this order has failed.';
    const members = { orderStatus: publicState(orderState) };
    throw new RemesaError('conflict', 'order_transition_not_allowed', message, { members });
  }
  if (recipient && chosen.length > 1)
    throw invalidField('refundId', 'required', 'is required with a recipient, because several refunds have failed');
  return chosen;
}
