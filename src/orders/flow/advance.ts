/** Moves one order on: through the gate to its payout, to a review, or back to the payer. Each step is one transaction. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Gate, newReviewOf, type ScreenedPeople } from '../gate/examination.js';
import type { Order } from '../order.js';
import type { Obstacle } from '../pending.js';
import type { ReviewService } from '../review/service.js';
import { lockOrder } from '../store.js';
import { pauseOrder } from './advance-store.js';
import type { GatedSteps } from './gated-steps.js';
import type { Refunds } from './refunds.js';

export interface AdvanceOptions {
  readonly database: Database;
  readonly gate: Gate;
  readonly steps: GatedSteps;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
}

const byWorker: By = { actor: { kind: 'system', name: 'order worker' } };
/** How long an order waits before it is tried again. */
const pauseSeconds = 15;

export class Advance {
  constructor(readonly options: AdvanceOptions) {}

  /**
   * Moves the order as far as it goes now, and returns how many steps were made. Somebody who changed the order meanwhile
   * wins. Throws what the database throws.
   */
  async advance(order: Order, snapshot: ListsSnapshot): Promise<number> {
    try {
      if (order.state === 'REJECTED' || order.state === 'ACTION_REQUIRED') return await this.#refund(order);
      return await this.#towardsPayout(order, snapshot);
    } catch (error) {
      const code = error instanceof RemesaError ? error.code : undefined;
      if (code === 'ledger_fault') return this.#pause(order, 'ledger_fault');
      if (code === 'order_transition_not_allowed') return this.#pause(order, undefined, 0);
      throw error;
    }
  }

  /** An order that was refused, or cancelled while nobody reviewed it. */
  async #refund(claimed: Order): Promise<number> {
    return this.#step(async (tx) => {
      const order = await lockOrder(tx, claimed);
      if (order?.version !== claimed.version) return 0;
      const { statusReason } = order;
      const change = {
        statusReason: statusReason ?? (order.state === 'REJECTED' ? 'refused' : 'cancelled_by_sender'),
      };
      await this.options.refunds.open(tx, byWorker, order, { event: 'refund', change });
      return 1;
    });
  }

  async #towardsPayout(claimed: Order, snapshot: ListsSnapshot): Promise<number> {
    const { gate } = this.options;
    const obstacle = claimed.waitsFor && (await gate.obstacleOf(claimed));
    if (obstacle) return this.#pause(claimed, obstacle);
    const people = await gate.screen(claimed, snapshot);
    const first = await this.#throughGate(claimed, people);
    if (first?.state !== 'CONVERTED' || claimed.state === 'CONVERTED') return first ? 1 : 0;
    return (await this.#throughGate(first, people)) ? 2 : 1;
  }

  /** Makes the next step, and returns the order after it; undefined when it has to wait. */
  async #throughGate(order: Order, people: ScreenedPeople): Promise<Order | undefined> {
    const { gate, steps, reviews } = this.options;
    const examined = await gate.examine(order, people);
    const { decision } = examined;
    if (decision.outcome === 'wait') {
      await this.#pause(order, decision.obstacle);
      return undefined;
    }
    return this.#step((tx) => {
      if (decision.outcome === 'refer')
        return reviews.refer(tx, byWorker, order, newReviewOf(order, examined));
      return order.state === 'PAYMENT_RECEIVED'
        ? steps.convert(tx, byWorker, order, decision.pass)
        : steps.submitPayout(tx, byWorker, order, decision.pass);
    });
  }

  async #pause(order: Order, obstacle: Obstacle | undefined, seconds = pauseSeconds): Promise<0> {
    await this.#step((tx) => pauseOrder(tx, order, { obstacle, seconds }));
    return 0;
  }

  #step<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.options.database.transaction(work);
  }
}
