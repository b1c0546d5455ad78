/**
 * The verbs for money that moved: a payment came, a payout was paid, failed or came back, a refund was paid or failed. The
 * rooms that move money call them with an order that they have locked; each verb is one transition.
 */
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { By } from '../../caller.js';
import type { MerchantId, UserId } from '../../ids.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, add, subtract } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { beneficiaryOf, senderOf } from '../order/copies/copies.js';
import type { Sender } from '../order/copies/sealed.js';
import type { Order, OrderRef, RefundState, StatusReason } from '../order/order.js';
import { missingOf } from '../order/payable.js';
import { owedToPayer, withRefundState } from '../order/refund.js';
import * as store from '../order/store.js';
import { listOrdersMissing, listUnpaidOf } from '../payin/payable-store.js';
import { listOrdersByPayinReferences } from '../payin/payin-reference-store.js';
import type { RequoteOffer, RequoteRefusal } from '../requote/requote.js';
import { type MatchedSuspense, type ReceivedPayment, Receiving, type ReceivingOptions } from './receiving.js';

export type MovementOptions = ReceivingOptions;

/**
 * Where the returned money is now: it arrived as a movement, or the rail has it. With a bank account, the movement is booked
 * here; otherwise it has been booked.
 */
export type ReturnedTo = { readonly movement: string; readonly bank?: string | undefined } | { readonly rail: string };

/** Which account paid a payout of a rail, and what its bank charged. */
export interface PayoutDebit {
  readonly rail: string;
  readonly bank: string;
  readonly charge: Amount;
}

export class MovementService {
  readonly #receiving: Receiving;

  constructor(readonly options: MovementOptions) {
    this.#receiving = new Receiving(options);
  }

  /** The orders that these pay-in references belong to, in no particular order. */
  listByReferences(database: Queryable, merchantId: MerchantId, payinReferences: readonly string[]): Promise<Order[]> {
    return listOrdersByPayinReferences(database, merchantId, payinReferences);
  }

  /** Orders that wait for exactly this amount, the oldest first; at most so many. */
  listMissing(database: Queryable, merchantId: MerchantId, missing: Amount, atMost: number): Promise<Order[]> {
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

  /** Whom a payout goes to. Undefined after the user's retained key was destroyed. */
  beneficiary(database: Queryable, order: Order): Promise<Details | undefined> {
    return beneficiaryOf(this.options.users, database, order);
  }

  /** Who sent the money. Undefined after the user's retained key was destroyed. */
  sender(database: Queryable, order: Order): Promise<Sender | undefined> {
    return senderOf(this.options.users, database, order);
  }

  /** What is missing until the order is paid; nothing once it does not wait for money. */
  missing(order: Order): Amount {
    return missingOf(order);
  }

  /** The terms of today for an order of this amount, or why there are none. */
  offerRequote(order: Order, amountIn: Amount): RequoteOffer | RequoteRefusal {
    return this.options.requotes.offer(order, amountIn);
  }

  /**
   * Books money that came for the order: a part, or all that is missing. Senders in the United States may cancel for a while
   * after the last part. Throws `order_transition_not_allowed`, and an error when it is more than is missing.
   */
  receivePayment(tx: Transaction, by: By, order: Order, payment: ReceivedPayment): Promise<Order> {
    return this.#receiving.receive(tx, by, order, payment);
  }

  /** Tells that money came which the order does not take. Where it is now is the business of the payments room. */
  recordUnapplied(tx: Transaction, by: By, order: Order): Promise<Order> {
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'record_unapplied_payment',
      change: { statusReason: order.statusReason },
    });
  }

  /**
   * Books money in suspense for the order that it turned out to be for. Throws `order_transition_not_allowed` when the order
   * takes no money, `payment_does_not_fit` for another currency and for more than is missing, and for late money what
   * quotes throw.
   */
  matchSuspense(tx: Transaction, by: By, order: Order, matched: MatchedSuspense): Promise<Order> {
    return this.#receiving.match(tx, by, order, matched);
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
      change: {
        statusReason: reason,
        payoutCharges: charge ? add(order.payoutCharges, charge) : order.payoutCharges,
      },
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
      change: { statusReason: reason, payoutCharges: add(order.payoutCharges, charge) },
      journals: [...arrived, postings.payoutReturned(orderId, to, amountOut, charge)],
    });
  }

  /** A bank has the instruction to pay the money back. Throws `order_transition_not_allowed`. */
  async submitRefund(tx: Transaction, by: By, order: Order): Promise<Order> {
    const refunds = await this.#refunds(tx, order, 'submitted');
    const change = { statusReason: order.statusReason, refunds };
    return this.options.transitions.applyTransition(tx, by, order, { event: 'update_refund', change });
  }

  /** The payer has the money back. Throws `order_transition_not_allowed`. */
  async settleRefund(
    tx: Transaction,
    by: By,
    order: Order,
    { bank, paid }: { readonly bank: string; readonly paid: Amount },
  ): Promise<Order> {
    const refunds = await this.#refunds(tx, order, 'paid');
    const amountRefunded = add(order.amountRefunded, paid);
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'settle_refund',
      change: { statusReason: order.statusReason, amountRefunded, refunds },
      journals: [postings.refunded(order.orderId, bank, paid)],
    });
  }

  /** The payer's bank refused a refund that was not debited. Throws `order_transition_not_allowed`. */
  async failRefund(tx: Transaction, by: By, order: Order, reason: StatusReason): Promise<Order> {
    const change = { statusReason: reason, refunds: await this.#refunds(tx, order, 'failed') };
    return this.options.transitions.applyTransition(tx, by, order, { event: 'fail_refund', change });
  }

  /** A refund that was paid bounced, and the money is on our account again. Throws `order_transition_not_allowed`. */
  async returnRefund(
    tx: Transaction,
    by: By,
    order: Order,
    returned: { readonly movement: string; readonly bank: string; readonly amount: Amount },
  ): Promise<Order> {
    const { movement, bank, amount } = returned;
    const amountRefunded = subtract(order.amountRefunded, amount);
    // Nobody is owed what the payer's bank has taken back meanwhile.
    const recovered = subtract(amount, owedToPayer({ ...order, amountRefunded }));
    const refunds = await this.#refunds(tx, order, 'failed');
    return this.options.transitions.applyTransition(tx, by, order, {
      event: 'fail_refund',
      change: { statusReason: 'refund_rejected', amountRefunded, refunds },
      journals: [
        postings.movementIn(movement, bank, amount),
        postings.refundReturned(movement, order.orderId, amount, recovered),
      ],
    });
  }

  async #refunds(tx: Transaction, { merchantId, refunds }: Order, state: RefundState) {
    return withRefundState(refunds, state, await store.merchantTime(tx, merchantId));
  }
}
