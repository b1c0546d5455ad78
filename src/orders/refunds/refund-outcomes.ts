/** What became of a refund: a bank has it, the payer has it, or it failed. The caller has locked the order. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, add, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order, RefundState, StatusReason } from '../order/order.js';
import { owedToPayer, withRefundState } from '../order/refund.js';
import type { OrderTransitions } from '../order/transition.js';

export class OrderRefundOutcomes {
  readonly #transitions: OrderTransitions;

  constructor(transitions: OrderTransitions) {
    this.#transitions = transitions;
  }

  /** A bank has the instruction to pay the money back. Throws `order_transition_not_allowed`. */
  async submitRefund(tx: Transaction, by: By, order: Order): Promise<Order> {
    const refunds = await refundsIn(tx, order, 'submitted');
    const change = { statusReason: order.statusReason, refunds };
    return this.#transitions.applyTransition(tx, by, order, { event: 'update_refund', change });
  }

  /** The payer has the money back. Throws `order_transition_not_allowed`. */
  async settleRefund(
    tx: Transaction,
    by: By,
    order: Order,
    { bank, paid }: { readonly bank: string; readonly paid: Amount },
  ): Promise<Order> {
    const refunds = await refundsIn(tx, order, 'paid');
    const amountRefunded = add(order.amountRefunded, paid);
    return this.#transitions.applyTransition(tx, by, order, {
      event: 'settle_refund',
      change: { statusReason: order.statusReason, amountRefunded, refunds },
      journals: [postings.refunded(order.orderId, bank, paid)],
    });
  }

  /** The payer's bank refused a refund that was not debited. Throws `order_transition_not_allowed`. */
  async failRefund(tx: Transaction, by: By, order: Order, reason: StatusReason): Promise<Order> {
    const change = { statusReason: reason, refunds: await refundsIn(tx, order, 'failed') };
    return this.#transitions.applyTransition(tx, by, order, { event: 'fail_refund', change });
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
    const refunds = await refundsIn(tx, order, 'failed');
    return this.#transitions.applyTransition(tx, by, order, {
      event: 'fail_refund',
      change: { statusReason: 'refund_rejected', amountRefunded, refunds },
      journals: [
        postings.movementIn(movement, bank, amount),
        postings.refundReturned(movement, order.orderId, amount, recovered),
      ],
    });
  }
}

async function refundsIn(tx: Transaction, { merchantId, refunds }: Order, state: RefundState) {
  return withRefundState(refunds, state, await readMerchantClock(tx, merchantId));
}
