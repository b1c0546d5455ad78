/** Decides that money goes back to the payer: whatever the reason, the whole amount that was paid. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { subtract } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order } from '../order.js';
import type { Payouts } from '../ports.js';
import { merchantTime } from '../store.js';
import type { OrderChange, OrderTransitions } from '../transition.js';
import { businessDaysAfter, refundBusinessDays } from './due-dates.js';
import { reverseConversion } from './reversals.js';

export interface RefundOptions {
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly payouts: () => Payouts;
}

export interface RefundMove {
  readonly event: 'cancel_and_refund' | 'expire_and_refund' | 'refund' | 'refuse_requote';
  readonly change?: OrderChange;
}

export class Refunds {
  constructor(readonly options: RefundOptions) {}

  /**
   * Reverses the conversion if there was one, and opens the refund in the same transaction. The caller has locked the
   * order. Throws `ledger_fault` and `order_transition_not_allowed`.
   */
  async open(tx: Transaction, by: By, order: Order, { event, change = {} }: RefundMove): Promise<Order> {
    const { ledger, transitions, payouts } = this.options;
    const [reversed, now] = await Promise.all([
      reverseConversion(ledger, tx, order),
      merchantTime(tx, order.merchantId),
      ledger.requireSound(tx, order.merchantId),
    ]);
    const due = subtract(order.amountReceived, order.amountRefunded);
    return transitions.applyTransition(tx, by, order, {
      event,
      change: { ...change, refundDueBy: businessDaysAfter(now, refundBusinessDays) },
      journals: [...reversed, postings.refundDue(order.orderId, due)],
      alongside: (refunded) => payouts().openRefund(tx, refunded, due),
    });
  }
}
