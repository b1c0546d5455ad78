/** Gives an order that was paid late the rate of today, and asks the sender where that is much worse. */
import type { By } from '../../caller.js';
import { storedPublicId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import { addTakenQuote, findQuotes, type QuoteBoard, quoteRefused, termsNow } from '../../rates/service.js';
import type { Order } from '../order/order.js';
import { changedMeanwhile, type OrderTransitions, requireAllowed } from '../order/transition.js';
import {
  offerOf,
  type RequoteOffer,
  type RequoteRefusal,
  refusalOf,
  requoteOf,
  restorationOf,
  termsBefore,
} from './requote.js';
import { saveRequote, saveRestoration } from './requote-store.js';

/** An offer, and the late payment that was the reason for it; money in suspense names none. */
export interface AppliedOffer {
  readonly offer: RequoteOffer;
  readonly paymentId: string | undefined;
}

export interface RequoteOptions {
  readonly board: QuoteBoard;
  readonly transitions: OrderTransitions;
}

/** People need time to read the question and to answer it, however short a corridor guarantees its rates. */
const acceptWithinMs = 24 * 3_600_000;

export class Requotes {
  readonly #options: RequoteOptions;

  constructor(options: RequoteOptions) {
    this.#options = options;
  }

  /** The terms of today for an order of this amount. Reads memory only. */
  offer(order: Order, amountIn: Amount): RequoteOffer | RequoteRefusal {
    const terms = this.#terms(order, amountIn);
    return 'refusal' in terms ? refusalOf(terms) : offerOf(order, terms);
  }

  /** The same. Throws `corridor_unavailable`, `rates_unavailable`, `amount_out_of_range` or `payout_below_minimum`. */
  require(order: Order, amountIn: Amount): RequoteOffer {
    const terms = this.#terms(order, amountIn);
    if ('refusal' in terms) throw quoteRefused(terms, amountIn.currency, order.amountOut.currency);
    return offerOf(order, terms);
  }

  /**
   * The order has the offered terms from now on, because of this late payment or of money in suspense. Throws
   * `order_transition_not_allowed`.
   */
  async apply(tx: Transaction, by: By, order: Order, { offer, paymentId }: AppliedOffer): Promise<Order> {
    const { transitions } = this.#options;
    requireAllowed(by, order, 'requote');
    const [now] = await Promise.all([
      readMerchantClock(tx, order.merchantId),
      addTakenQuote(tx, offer.terms, order.orderId),
    ]);
    const saved = await saveRequote(tx, order, offer.terms, requoteOf(order, offer, { at: now, paymentId }));
    if (!saved) throw changedMeanwhile(order);
    await transitions.record(tx, by, { ...saved, event: 'requote', before: order });
    return saved.order;
  }

  /**
   * The late payment that was the reason for the last requote has been taken off: the order has its terms of before
   * again. The same order comes back where the payment was not the reason. Throws `order_transition_not_allowed`.
   */
  async restore(tx: Transaction, by: By, order: Order, paymentId: string): Promise<Order> {
    const before = termsBefore(order, paymentId);
    if (!before) return order;
    requireAllowed(by, order, 'requote');
    const { merchantId } = order;
    const code = storedPublicId('rt', before.rateCode);
    const [now, quotes] = await Promise.all([readMerchantClock(tx, merchantId), findQuotes(tx, merchantId, [code])]);
    const quote = quotes.get(code);
    if (!quote) throw new Error('the quote of an order is gone');
    const saved = await saveRestoration(tx, order, quote, restorationOf(order, before, now));
    if (!saved) throw changedMeanwhile(order);
    await this.#options.transitions.record(tx, by, { ...saved, event: 'requote', before: order });
    return saved.order;
  }

  /** The paid order waits until the sender has accepted its new terms. Throws `order_transition_not_allowed`. */
  async ask(tx: Transaction, by: By, order: Order): Promise<Order> {
    const now = await readMerchantClock(tx, order.merchantId);
    const actionRequiredBy = new Date(now.getTime() + acceptWithinMs);
    return this.#options.transitions.applyTransition(tx, by, order, {
      event: 'request_information',
      change: { requirements: ['requote'], actionRequiredBy },
    });
  }

  #terms({ merchantId, userId, amountOut }: Order, amountIn: Amount) {
    return termsNow(this.#options.board, { merchantId, userId, amountIn, fiatOut: amountOut.currency });
  }
}
