/** The two steps that need to have passed the gate: converting the money, and paying it out. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { Transaction } from '../../postgres/statement.js';
import type { GatePass } from '../gate/gate.js';
import type { Order } from '../order.js';
import type { Payouts } from '../ports.js';
import { changedMeanwhile, type OrderTransitions } from '../transition.js';

/** An order with its pass. */
export interface PassedOrder {
  readonly order: Order;
  readonly pass: GatePass;
}

/**
 * Orders that make a step together are of one merchant and in one state. What is returned are those that made it: an order
 * is left out when it, its beneficiary or the lists have changed since the gate.
 */
export class GatedSteps {
  constructor(
    readonly transitions: OrderTransitions,
    readonly payouts: () => Payouts,
  ) {}

  convert(tx: Transaction, by: By, passed: readonly PassedOrder[]): Promise<Order[]> {
    return this.transitions.applyGated(tx, by, {
      event: 'convert',
      steps: passed.map(({ order, pass }) => ({
        ...{ before: order, pass },
        journals: [postings.converted(order.orderId, order)],
      })),
    });
  }

  /** Writes the attempts too; the rail is asked after the commit. */
  submitPayouts(tx: Transaction, by: By, passed: readonly PassedOrder[]): Promise<Order[]> {
    return this.transitions.applyGated(tx, by, {
      event: 'submit_payout',
      steps: passed.map(({ order, pass }) => ({
        ...{ before: order, pass },
        change: { estimatedArrivalAt: pass.plan.estimatedArrivalAt },
        journals: [postings.payoutSubmitted(order.orderId, pass.plan.rail, order.amountOut)],
      })),
      alongside: (moved) =>
        this.payouts().openPayouts(
          tx,
          moved.map(({ order, step: { pass } }) => ({ order, plan: pass.plan, people: pass.people })),
        ),
    });
  }
}

/** Throws `order_transition_not_allowed` when the step was not made. */
export function requireMade(order: Order, [made]: readonly Order[]): Order {
  if (!made) throw changedMeanwhile(order);
  return made;
}
