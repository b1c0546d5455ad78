/**
 * The verbs for money that moved: a payment came, a payout was paid, failed or came back, a refund was paid or failed. The
 * rooms that move money call them with an order that they have locked; each verb is one transition.
 */
import type { Details } from '../beneficiaries/beneficiary.js';
import type { By } from '../caller.js';
import type { MerchantId, UserId } from '../ids.js';
import * as postings from '../ledger/postings.js';
import { type Amount, add, compare, subtract } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { beneficiaryOf, senderOf } from './copies.js';
import { cancellationRightMinutes, type Order, type OrderRef, type StatusReason } from './order.js';
import { listOrdersMissing, listUnpaidOf } from './payable-store.js';
import { listOrdersByPayinReferences } from './payin-reference-store.js';
import type { Sender } from './sealed.js';
import * as store from './store.js';
import type { OrderTransitions } from './transition.js';

export interface MovementOptions {
  readonly users: UserService;
  readonly transitions: OrderTransitions;
}

export interface ReceivedPayment {
  readonly paymentId: string;
  readonly amount: Amount;
}

/**
 * Where the returned money is now: it arrived as a movement, or the rail has it. With a bank account, the movement is booked
 * here; otherwise it has been booked.
 */
export type ReturnedTo =
  | { readonly movement: string; readonly bank?: string | undefined }
  | { readonly rail: string };

/** Which account paid a payout of a rail, and what its bank charged. */
export interface PayoutDebit {
  readonly rail: string;
  readonly bank: string;
  readonly charge: Amount;
}

export class MovementService {
  constructor(readonly options: MovementOptions) {}

  /** The orders that these pay-in references belong to, in no particular order. */
  listByReferences(
    database: Queryable,
    merchantId: MerchantId,
    payinReferences: readonly string[],
  ): Promise<Order[]> {
    return listOrdersByPayinReferences(database, merchantId, payinReferences);
  }

  /** Orders that wait for exactly this amount, the oldest first; at most so many. */
  listMissing(
    database: Queryable,
    merchantId: MerchantId,
    missing: Amount,
    atMost: number,
  ): Promise<Order[]> {
    return listOrdersMissing(database, merchantId, missing, atMost);
  }

  /** Unpaid orders of these users in this currency, the oldest first; at most so many. */
  listUnpaidOf(
    database: Queryable,
    merchantId: MerchantId,
    wanted: { readonly users: readonly UserId[]; readonly currency: CurrencyCode },
    atMost: number,
  ): Promise<Order[]> {
    return listUnpaidOf(database, merchantId, wanted, atMost);
  }

  find(database: Queryable, order: OrderRef): Promise<Order | undefined> {
    return store.findOrder(database, order);
  }

  /** Locks the order, so that it stays as it is until the transaction ends. */
  lock(tx: Transaction, order: OrderRef): Promise<Order | undefined> {
    return store.lockOrder(tx, order);
  }

  /** Whom a payout goes to. Undefined after the user's retained key was destroyed. */
  beneficiary(database: Queryable, order: Order): Promise<Details | undefined> {
    return beneficiaryOf(this.options.users, database, order);
  }

  /** Who sent the money. Undefined after the user's retained key was destroyed. */
  sender(database: Queryable, order: Order): Promise<Sender | undefined> {
    return senderOf(this.options.users, database, order);
  }

  /** What is missing until the order is paid. */
  missing({ amountIn, amountReceived }: Order): Amount {
    return subtract(amountIn, amountReceived);
  }

  /**
   * Books the payment of everything that is missing. Senders in the United States may cancel for a while after it. Throws
   * `order_transition_not_allowed`, and an error when the amount is another.
   */
  async receivePayment(tx: Transaction, by: By, order: Order, payment: ReceivedPayment): Promise<Order> {
    if (compare(payment.amount, this.missing(order)) !== 0) throw new Error('the payment is not exact');
    const cancellableUntil = await this.#cancellableUntil(tx, order);
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'complete_payment',
      change: { amountReceived: add(order.amountReceived, payment.amount), cancellableUntil },
      journals: [postings.paymentReceived(payment.paymentId, order.orderId, payment.amount)],
    });
  }

  /**
   * An operator found out that money in suspense is for this order. Throws `order_transition_not_allowed`, and an error for
   * another currency or more than is missing.
   */
  async matchSuspense(
    tx: Transaction,
    by: By,
    order: Order,
    { suspenseId, amount }: { readonly suspenseId: string; readonly amount: Amount; readonly bookedAt: Date },
  ): Promise<Order> {
    const isAll = compare(amount, this.missing(order)) === 0;
    if (compare(amount, this.missing(order)) > 0) throw new Error('the order does not need so much');
    const cancellableUntil = isAll ? await this.#cancellableUntil(tx, order) : undefined;
    return this.options.transitions.applyTransition(tx, by, order, {
      event: isAll ? 'complete_payment' : 'record_payment',
      change: { amountReceived: add(order.amountReceived, amount), ...(isAll ? { cancellableUntil } : {}) },
      journals: [postings.suspenseMatched(suspenseId, order.orderId, amount)],
    });
  }

  /**
   * The beneficiary has the money. `debit` when it is known which bank account paid it. Throws
   * `order_transition_not_allowed`.
   */
  completePayout(tx: Transaction, by: By, order: Order, debit?: PayoutDebit): Promise<Order> {
    const { orderId, amountOut } = order;
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'complete',
      journals: debit ? [postings.payoutDebited(orderId, debit, amountOut, debit.charge)] : [],
    });
  }

  /**
   * The rail refused, recalled or sent back a payout that the beneficiary never had. `charge` was kept by a bank. Throws
   * `order_transition_not_allowed`.
   */
  failPayout(
    tx: Transaction,
    by: By,
    order: Order,
    failed: { readonly rail: string; readonly reason: StatusReason; readonly charge?: Amount },
  ): Promise<Order> {
    const { rail, reason, charge } = failed;
    const { orderId, amountOut } = order;
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'fail_payout',
      change: { statusReason: reason },
      journals: [
        postings.payoutFailed(orderId, rail, amountOut),
        ...(charge && charge.minor > 0n ? [postings.payoutCharged(orderId, rail, charge)] : []),
      ],
    });
  }

  /** The money came back after it was paid. `charge` was kept by a bank. Throws `order_transition_not_allowed`. */
  returnPayout(
    tx: Transaction,
    by: By,
    order: Order,
    returned: { readonly to: ReturnedTo; readonly charge: Amount; readonly reason: StatusReason },
  ): Promise<Order> {
    const { to, charge, reason } = returned;
    const { orderId, amountOut } = order;
    const arrived =
      'bank' in to && to.bank !== undefined
        ? [postings.movementIn(to.movement, to.bank, subtract(amountOut, charge))]
        : [];
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'return',
      change: { statusReason: reason },
      journals: [...arrived, postings.payoutReturned(orderId, to, amountOut, charge)],
    });
  }

  /** The payer has the money back. Throws `order_transition_not_allowed`. */
  settleRefund(
    tx: Transaction,
    by: By,
    order: Order,
    { bank, paid }: { readonly bank: string; readonly paid: Amount },
  ): Promise<Order> {
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'settle_refund',
      change: { statusReason: order.statusReason, amountRefunded: add(order.amountRefunded, paid) },
      journals: [postings.refunded(order.orderId, bank, paid)],
    });
  }

  /** The payer's bank refused a refund that was not debited. Throws `order_transition_not_allowed`. */
  failRefund(tx: Transaction, by: By, order: Order, reason: StatusReason): Promise<Order> {
    const change = { statusReason: reason };
    return this.options.transitions.applyTransition(tx, by, order, { event: 'fail_refund', change });
  }

  /** A refund that was paid bounced, and the money is on our account again. Throws `order_transition_not_allowed`. */
  returnRefund(
    tx: Transaction,
    by: By,
    order: Order,
    returned: { readonly movement: string; readonly bank: string; readonly amount: Amount },
  ): Promise<Order> {
    const { movement, bank, amount } = returned;
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'fail_refund',
      change: { statusReason: 'refund_rejected', amountRefunded: subtract(order.amountRefunded, amount) },
      journals: [
        postings.movementIn(movement, bank, amount),
        postings.refundReturned(movement, order.orderId, amount),
      ],
    });
  }

  /** Until when the sender may cancel although the order is paid; undefined without such a right. */
  async #cancellableUntil(tx: Transaction, order: Order): Promise<Date | undefined> {
    const sender = await senderOf(this.options.users, tx, order);
    if (!sender) throw new Error('the sender of an open order is not known');
    const minutes = cancellationRightMinutes(sender.country);
    if (minutes === undefined) return undefined;
    const now = await store.merchantTime(tx, order.merchantId);
    return new Date(now.getTime() + minutes * 60_000);
  }
}
