/** Moves orders on: through the gate to their payout, to a review, or back to the payer. Each step is one transaction. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Examination, newReviewOf } from '../gate/examination.js';
import type { GatePass } from '../order/gate.js';
import type { Order } from '../order/order.js';
import { isOpenedByOperators, type Obstacle } from '../order/pending.js';
import { lockOrder } from '../order/store.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { pauseOrder } from './advance-store.js';
import type { GatedSteps } from './gated-steps.js';

export interface AdvanceOptions {
  readonly database: Database;
  readonly steps: GatedSteps;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  /** Called when a ledger has a fault, until it is recorded. */
  readonly onTampered: (merchantId: TenantId) => Promise<void>;
}

const byWorker: By = { actor: { kind: 'system', name: 'order worker' } };
/** How long an order waits before it is tried again. */
const pauseSeconds = 15;
const changedPauseSeconds = 1;
/** Longer where the order is woken: see `waiting.ts`. */
const routePauseSeconds = 60;

export class Advance {
  constructor(readonly options: AdvanceOptions) {}

  /**
   * Moves the order as far as it goes now. Somebody who changed the order meanwhile wins. Throws what the database throws,
   * and when something that is sealed cannot be opened.
   */
  async advance(order: Order, examination: Examination): Promise<void> {
    try {
      await (isGoingBack(order) ? this.#refund(order) : this.#towardsPayout(order, examination));
    } catch (error) {
      const code = error instanceof RemesaError ? error.code : undefined;
      if (code === 'ledger_fault') await this.#waitForLedger(order);
      else if (code === 'order_transition_not_allowed') await this.#tryAgain(order);
      else throw error;
    }
  }

  #gatedStep(tx: Transaction, order: Order, pass: GatePass): Promise<Order> {
    const { steps } = this.options;
    return order.state === 'PAYMENT_RECEIVED'
      ? steps.convert(tx, byWorker, order, pass)
      : steps.submitPayout(tx, byWorker, order, pass);
  }

  /** An order that was refused, or cancelled while nobody reviewed it. */
  async #refund(claimed: Order): Promise<void> {
    await this.options.database.transaction(async (tx) => {
      const order = await lockOrder(tx, claimed);
      if (order?.version !== claimed.version) return;
      const { statusReason } = order;
      const change = {
        statusReason: statusReason ?? (order.state === 'REJECTED' ? 'refused' : 'cancelled_by_sender'),
      };
      await this.options.refunds.open(tx, byWorker, order, { event: 'refund', change });
    });
  }

  /** The gate is asked before each step, by facts of the same moment. */
  async #towardsPayout(claimed: Order, examination: Examination): Promise<void> {
    const order = await this.#throughGate(claimed, examination);
    if (order?.state === 'CONVERTED' && claimed.state !== 'CONVERTED') await this.#throughGate(order, examination);
  }

  /** Makes the next step, and returns the order after it; undefined when it has to wait. */
  async #throughGate(order: Order, examination: Examination): Promise<Order | undefined> {
    const { database, reviews } = this.options;
    const examined = await examination.examine(order);
    const { decision } = examined;
    if (decision.outcome === 'wait') {
      await this.wait(order, decision.obstacle);
      return undefined;
    }
    return database.transaction((tx) =>
      decision.outcome === 'refer'
        ? reviews.refer(tx, byWorker, order, newReviewOf(order, examined))
        : this.#gatedStep(tx, order, decision.pass),
    );
  }

  /** The order is tried again later, or when whoever closed its route opens it. */
  async wait(order: Order, obstacle: Obstacle): Promise<void> {
    const seconds = isOpenedByOperators(obstacle) ? routePauseSeconds : pauseSeconds;
    await pauseOrder(this.options.database, order, { obstacle, seconds });
  }

  /** Also when the row of the order is not what its changes left behind: then the fault is recorded. */
  async #waitForLedger(order: Order): Promise<void> {
    await this.wait(order, 'ledger_fault');
    await this.options.onTampered(order.merchantId);
  }

  /** It, its beneficiary or the lists have changed: the worker looks at it again soon. */
  async #tryAgain(order: Order): Promise<void> {
    await pauseOrder(this.options.database, order, { obstacle: undefined, seconds: changedPauseSeconds });
  }
}

/** An order that was refused, or cancelled while nobody reviewed it. */
export function isGoingBack({ state }: Order): boolean {
  return state === 'REJECTED' || state === 'ACTION_REQUIRED';
}
