/** What became of a refund: a bank has it, the payer has it, or it failed. The caller has locked the order. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, add, compare, subtract } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order, Refund, RefundId, RefundState, StatusReason } from '../order/order.js';
import { isSettled, owedFor, withRefundState } from '../order/refund.js';
import type { OrderTransitions } from '../order/transition.js';

export class OrderRefundOutcomes {
  readonly #transitions: OrderTransitions;

  constructor(transitions: OrderTransitions) {
    this.#transitions = transitions;
  }

  /**
   * A bank has the instruction to pay the money back. A rail may say so twice. Throws `order_transition_not_allowed`.
   */
  async submitRefund(tx: Transaction, by: By, order: Order, refundId: RefundId): Promise<Order> {
    if (refundIn(order, refundId).state !== 'pending') return order;
    const refunds = await refundsIn(tx, order, refundId, 'submitted');
    const change = { statusReason: order.statusReason, refunds };
    return this.#transitions.applyTransition(tx, by, order, { event: 'update_refund', change });
  }

  /** The payer has the money back. The order is refunded once all have. Throws `order_transition_not_allowed`. */
  async settleRefund(
    tx: Transaction,
    by: By,
    order: Order,
    { refundId, bank, paid }: { readonly refundId: RefundId; readonly bank: string; readonly paid: Amount },
  ): Promise<Order> {
    const refunds = await refundsIn(tx, order, refundId, 'paid');
    const amountRefunded = add(order.amountRefunded, paid);
    return this.#transitions.applyTransition(tx, by, order, {
      event: isSettled(refunds) ? 'settle_refund' : 'update_refund',
      change: { statusReason: order.statusReason, amountRefunded, refunds },
      journals: [postings.refunded(order.orderId, bank, paid)],
    });
  }

  /** The payer's bank refused a refund that was not debited. Throws `order_transition_not_allowed`. */
  async failRefund(
    tx: Transaction,
    by: By,
    order: Order,
    { refundId, reason }: { readonly refundId: RefundId; readonly reason: StatusReason },
  ): Promise<Order> {
    const change = { statusReason: reason, refunds: await refundsIn(tx, order, refundId, 'failed') };
    return this.#transitions.applyTransition(tx, by, order, { event: 'fail_refund', change });
  }

  /** A refund that was paid bounced, and the money is on our account again. Throws `order_transition_not_allowed`. */
  async returnRefund(
    tx: Transaction,
    by: By,
    order: Order,
    returned: {
      readonly refundId: RefundId;
      readonly movement: string;
      readonly bank: string;
      readonly amount: Amount;
    },
  ): Promise<Order> {
    const { refundId, movement, bank, amount } = returned;
    const refunds = await refundsIn(tx, order, refundId, 'failed');
    // Nobody is owed what the payer's bank has taken back meanwhile.
    const owed = owedFor(refundIn({ refunds }, refundId));
    const recovered = compare(owed, amount) < 0 ? subtract(amount, owed) : subtract(amount, amount);
    const amountRefunded = subtract(order.amountRefunded, amount);
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

function refundIn({ refunds }: Pick<Order, 'refunds'>, refundId: RefundId): Refund {
  const found = refunds.find((refund) => refund.refundId === refundId);
  if (!found) throw new Error(`the order has no refund ${refundId}`);
  return found;
}

async function refundsIn(tx: Transaction, order: Order, refundId: RefundId, state: RefundState) {
  const { merchantId, refunds } = order;
  refundIn(order, refundId);
  return withRefundState(refunds, refundId, state, await readMerchantClock(tx, merchantId));
}
