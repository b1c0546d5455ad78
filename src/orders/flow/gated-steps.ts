/** The two steps that need to have passed the gate: converting the money, and paying it out. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { Transaction } from '../../postgres/statement.js';
import type { GatePass } from '../order/gate.js';
import type { Order } from '../order/order.js';
import type { Payouts } from '../order/ports.js';
import type { OrderTransitions } from '../order/transition.js';

export class GatedSteps {
  readonly #transitions: OrderTransitions;
  readonly #payouts: () => Payouts;

  constructor(transitions: OrderTransitions, payouts: () => Payouts) {
    this.#transitions = transitions;
    this.#payouts = payouts;
  }

  /** Throws `order_transition_not_allowed` when the order, its beneficiary or the lists have changed since the gate. */
  convert(tx: Transaction, by: By, order: Order, pass: GatePass): Promise<Order> {
    return this.#transitions.applyGated(tx, by, order, {
      event: 'convert',
      pass,
      journals: [postings.converted(order.orderId, order)],
    });
  }

  /** Writes the attempt too; the rail is asked after the commit. Throws as `convert` does. */
  async submitPayout(tx: Transaction, by: By, order: Order, pass: GatePass): Promise<Order> {
    const { rail, estimatedArrivalAt } = pass.plan;
    const submitted = await this.#transitions.applyGated(tx, by, order, {
      event: 'submit_payout',
      pass,
      change: { estimatedArrivalAt },
      journals: [postings.payoutSubmitted(order.orderId, rail, order.amountOut)],
    });
    await this.#payouts().openPayout(tx, submitted, pass.plan, pass.people);
    return submitted;
  }
}
