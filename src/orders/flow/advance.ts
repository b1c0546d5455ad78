/**
 * Moves orders on: through the gate to their payout, to a review, or back to the payer. Each step is one transaction.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Examination, newReviewOf } from '../gate/examination.js';
import type { GatePass } from '../order/gate.js';
import type { Order } from '../order/order.js';
import { isOpenedByOperators, type Obstacle } from '../order/pending.js';
import { reasonOfCancellation } from '../order/review.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { pauseOrder } from './advance-store.js';
import type { GatedSteps } from './gated-steps.js';

export interface AdvanceOptions {
  readonly database: Database;
  readonly steps: GatedSteps;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
  readonly log: Log;
}

const byWorker: By = { actor: { kind: 'system', name: 'order worker' } };
/** How long an order waits before it is tried again. */
const pauseSeconds = 15;
const changedPauseSeconds = 1;
/** Longer where the order is woken: see `waiting.ts`. */
const routePauseSeconds = 60;

export class Advance {
  readonly #options: AdvanceOptions;

  constructor(options: AdvanceOptions) {
    this.#options = options;
  }

  /**
   * Moves the order as far as it goes now. Somebody who changed the order meanwhile wins. Throws what the database
   * throws, and when something that is sealed cannot be opened.
   */
  async advance(order: Order, examination: Examination): Promise<void> {
    try {
      await (isGoingBack(order) ? this.#refund(order) : this.#towardsPayout(order, examination));
    } catch (error) {
      const code = error instanceof RemesaError ? error.code : undefined;
      if (code === 'ledger_fault') await this.wait(order, 'ledger_fault');
      else if (code === 'order_transition_not_allowed') await this.#tryAgain(order);
      else throw error;
    }
  }

  /** A correction of the order waits for a second operator. */
  async waitForCorrection(order: Order): Promise<void> {
    await pauseOrder(this.#options.database, order, { obstacle: undefined, seconds: pauseSeconds });
  }

  #gatedStep(tx: Transaction, order: Order, pass: GatePass): Promise<Order> {
    const { steps } = this.#options;
    return order.state === 'PAYMENT_RECEIVED'
      ? steps.convert(tx, byWorker, order, pass)
      : steps.submitPayout(tx, byWorker, order, pass);
  }

  /** An order that was refused, or cancelled while nobody reviewed it. */
  async #refund(order: Order): Promise<void> {
    const { database, refunds } = this.#options;
    const statusReason = order.state === 'REJECTED' ? (order.statusReason ?? 'refused') : reasonOfCancellation(order);
    await database.transaction((tx) =>
      refunds.open(tx, byWorker, order, { event: 'refund', change: { statusReason } }),
    );
  }

  /** The gate is asked before each step, by facts of the same moment. */
  async #towardsPayout(claimed: Order, examination: Examination): Promise<void> {
    const order = await this.#throughGate(claimed, examination);
    if (order?.state === 'CONVERTED' && claimed.state !== 'CONVERTED') await this.#throughGate(order, examination);
  }

  /** Makes the next step, and returns the order after it; undefined when it has to wait. */
  async #throughGate(order: Order, examination: Examination): Promise<Order | undefined> {
    const { database, reviews, log } = this.#options;
    const examined = await examination.examine(order);
    const { decision } = examined;
    if (decision.outcome === 'wait') {
      await this.wait(order, decision.obstacle);
      return undefined;
    }
    if (!examined.findings.hasQuotedTerms)
      log.error({ orderId: order.orderId }, 'the terms of an order differ from its quote');
    return database.transaction((tx) =>
      decision.outcome === 'refer'
        ? reviews.refer(tx, byWorker, order, newReviewOf(order, examined))
        : this.#gatedStep(tx, order, decision.pass),
    );
  }

  /** The order is tried again later, or when whoever closed its route opens it. */
  async wait(order: Order, obstacle: Obstacle): Promise<void> {
    const seconds = isOpenedByOperators(obstacle) ? routePauseSeconds : pauseSeconds;
    await pauseOrder(this.#options.database, order, { obstacle, seconds });
  }

  /** It, its beneficiary or the lists have changed: the worker looks at it again soon. */
  async #tryAgain(order: Order): Promise<void> {
    await pauseOrder(this.#options.database, order, { obstacle: undefined, seconds: changedPauseSeconds });
  }
}

/** An order that was refused, or cancelled while nobody reviewed it. */
export function isGoingBack({ state }: Order): boolean {
  return state === 'REJECTED' || state === 'ACTION_REQUIRED';
}
