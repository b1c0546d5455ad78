/**
 * Money reaches an order: part of it, the rest, more than it needs, or late and therefore at the rate of today. The
 * payments room has decided which, and has locked the order.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { JournalContent } from '../../ledger/journal.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, add, compare, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { senderOf } from '../order/copies/copies.js';
import { cancellationRightMinutes, numberOf, type Order } from '../order/order.js';
import { isPayable } from '../order/payable.js';
import type { Payouts } from '../order/ports.js';
import { isUnderReview } from '../order/review.js';
import type { OrderTransitions } from '../order/transition.js';
import { publicState } from '../order/transitions.js';
import type { RequoteOffer } from '../requote/requote.js';
import type { Requotes } from '../requote/service.js';

export interface ReceivingOptions {
  readonly users: UserService;
  readonly transitions: OrderTransitions;
  readonly requotes: Pick<Requotes, 'apply' | 'ask'>;
  /** The room that pays out is built after this one. */
  readonly payouts: () => Pick<Payouts, 'plan'>;
}

export interface ReceivedPayment {
  readonly paymentId: string;
  /** What the order takes: at most what is missing. */
  readonly amount: Amount;
  /** What came besides, and goes to suspense. Then `amount` is all that is missing. */
  readonly excess?: { readonly suspenseId: string; readonly amount: Amount } | undefined;
  /** For money that came late. `amount` is then all that is missing by the new terms. */
  readonly requote?: RequoteOffer | undefined;
}

export interface MatchedSuspense {
  readonly suspenseId: string;
  readonly amount: Amount;
  /** For money that came late. */
  readonly requote: RequoteOffer | undefined;
}

interface Booked {
  readonly amount: Amount;
  readonly journal: JournalContent;
  readonly requote: RequoteOffer | undefined;
  /** Absent for money from suspense, which no correction takes off. */
  readonly paymentId?: string;
}

export class Receiving {
  readonly #options: ReceivingOptions;

  constructor(options: ReceivingOptions) {
    this.#options = options;
  }

  /**
   * Books money that came for the order: a part, or all that is missing. Senders in the United States may cancel for a
   * while after the last part. Throws `order_transition_not_allowed`, and an error when it is more than is missing.
   */
  receive(tx: Transaction, by: By, order: Order, payment: ReceivedPayment): Promise<Order> {
    const { paymentId, amount, excess, requote } = payment;
    const { orderId: reference } = order;
    const journal = excess
      ? postings.paymentOver(
          paymentId,
          { reference, due: amount },
          { reference: excess.suspenseId, excess: excess.amount },
        )
      : postings.paymentReceived(paymentId, reference, amount);
    return this.#book(tx, by, order, { amount, journal, requote, paymentId });
  }

  /**
   * Books money in suspense for the order that it turned out to be for. Throws `order_transition_not_allowed` when the
   * order takes no money, and `payment_does_not_fit` for another currency and for more than is missing.
   */
  async match(tx: Transaction, by: By, order: Order, matched: MatchedSuspense): Promise<Order> {
    const { suspenseId, amount, requote } = matched;
    requireFit(order, amount);
    const journal = postings.suspenseMatched(suspenseId, order.orderId, amount);
    return this.#book(tx, by, order, { amount, journal, requote });
  }

  /** Tells that money came which the order does not take. Where it is now is the business of the payments room. */
  recordUnapplied(tx: Transaction, by: By, order: Order): Promise<Order> {
    return this.#options.transitions.applyTransition(tx, by, order, {
      event: 'record_unapplied_payment',
      change: { statusReason: order.statusReason },
    });
  }

  /** New terms first, then the money, then the question whether the sender accepts: each is a transition. */
  async #book(tx: Transaction, by: By, before: Order, booked: Booked): Promise<Order> {
    const { requotes, transitions } = this.#options;
    const { amount, journal, requote, paymentId } = booked;
    const order = requote ? await requotes.apply(tx, by, before, { offer: requote, paymentId }) : before;
    const rest = compare(amount, subtract(order.amountIn, order.amountReceived));
    if (rest > 0) throw new Error('the payment is more than is missing');
    const received = { amountReceived: add(order.amountReceived, amount) };
    if (rest < 0) {
      const change = { ...received, statusReason: order.statusReason };
      return transitions.applyTransition(tx, by, order, {
        event: 'record_payment',
        change,
        journals: [journal],
      });
    }
    const change = { ...received, ...(await this.#timesOf(tx, order)) };
    if (order.state !== 'AWAITING_PAYMENT') {
      const asked = requote?.needsAcceptance ? [...order.requirements, 'requote' as const] : order.requirements;
      return this.#completeInterrupted(tx, by, order, { change: { ...change, requirements: asked }, journal });
    }
    const paid = await transitions.applyTransition(tx, by, order, {
      event: 'complete_payment',
      change,
      journals: [journal],
    });
    return requote?.needsAcceptance ? requotes.ask(tx, by, paid) : paid;
  }

  /** The review or the question goes on: its end then leads to where a paid order goes on. */
  #completeInterrupted(
    tx: Transaction,
    by: By,
    order: Order,
    {
      change,
      journal,
    }: {
      readonly change: Partial<
        Pick<Order, 'amountReceived' | 'cancellableUntil' | 'estimatedArrivalAt' | 'requirements'>
      >;
      readonly journal: JournalContent;
    },
  ): Promise<Order> {
    const interruption = isUnderReview(order) ? 'review' : 'information';
    const memories = { ...order.memories, [interruption]: 'PAYMENT_RECEIVED' as const };
    return this.#options.transitions.applyTransition(tx, by, order, {
      event: 'record_payment',
      change: { ...change, memories, statusReason: order.statusReason },
      journals: [journal],
    });
  }

  /** Until when the sender may cancel although the order is paid, and when the money should arrive. */
  async #timesOf(tx: Transaction, order: Order): Promise<Pick<Order, 'cancellableUntil' | 'estimatedArrivalAt'>> {
    const { users, payouts } = this.#options;
    const [sender, now] = await Promise.all([senderOf(users, tx, order), readMerchantClock(tx, order.merchantId)]);
    if (!sender) throw new Error('the sender of an open order is not known');
    const minutes = cancellationRightMinutes(sender.country);
    const leavesAt = minutes === undefined ? now : new Date(now.getTime() + minutes * 60_000);
    const plan = payouts().plan({ ...order, fiatIn: order.amountIn.currency }, leavesAt);
    return {
      cancellableUntil: minutes === undefined ? undefined : leavesAt,
      estimatedArrivalAt: 'obstacle' in plan ? order.estimatedArrivalAt : plan.estimatedArrivalAt,
    };
  }
}

/** Throws `order_transition_not_allowed` and `payment_does_not_fit`. */
function requireFit(order: Order, matched: Amount): void {
  if (!isPayable(order)) throw takesNoMoney(order);
  const missing = subtract(order.amountIn, order.amountReceived);
  if (matched.currency === missing.currency && matched.minor <= missing.minor) return;
  const { currency } = missing;
  throw new RemesaError(
    'impossible',
    'payment_does_not_fit',
    `The order is missing ${numberOf(missing)} ${currency}, and this is ${numberOf(matched)} ${matched.currency}.`,
    { members: { amountMissing: numberOf(missing), currency } },
  );
}

export function takesNoMoney({ state }: Order): RemesaError {
  const orderStatus = publicState(state);
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    `An order that is ${orderStatus} does not take this money.`,
    { members: { orderStatus } },
  );
}
