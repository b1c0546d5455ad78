/** Moves orders on: through the gate to their payout, to a review, or back to the payer. Each step is one transaction. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { doTogether } from '../../worker/together.js';
import { type Examination, newReviewOf } from '../gate/examination.js';
import type { GatePass } from '../gate/gate.js';
import type { Order } from '../order.js';
import { isOpenedByOperators, type Obstacle } from '../pending.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { lockOrder } from '../store.js';
import { pauseOrders } from './advance-store.js';
import type { GatedSteps } from './gated-steps.js';

export interface AdvanceOptions {
  readonly database: Database;
  readonly steps: GatedSteps;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
}

const byWorker: By = { actor: { kind: 'system', name: 'order worker' } };
/** How long an order waits before it is tried again. */
const pauseSeconds = 15;
/** Longer where the order is woken: see `waiting.ts`. */
const routePauseSeconds = 60;

export class Advance {
  constructor(readonly options: AdvanceOptions) {}

  /**
   * Moves the order as far as it goes now, and returns how many steps were made. Somebody who changed the order meanwhile
   * wins. Throws what the database throws, and when something that is sealed cannot be opened.
   */
  async advance(order: Order, examination: Examination): Promise<number> {
    try {
      if (isGoingBack(order)) return await this.#refund(order);
      return await this.#towardsPayout(order, examination);
    } catch (error) {
      const code = error instanceof RemesaError ? error.code : undefined;
      if (code === 'ledger_fault') return this.wait(order.merchantId, [order], 'ledger_fault');
      if (code === 'order_transition_not_allowed') return this.#tryAgain(order);
      throw error;
    }
  }

  /**
   * Moves orders of one merchant as far as they go together, each step of all of them in one transaction. What is left are
   * those that do not pass the gate, and those whose step failed, also by itself: `advance` finds out what to do with them.
   */
  async advanceTogether(
    orders: readonly Order[],
    examination: Examination,
  ): Promise<{ steps: number; left: Order[] }> {
    const first = await this.#stepTogether(orders, examination);
    const converted = first.moved.filter(({ state }) => state === 'CONVERTED');
    const second = await this.#stepTogether(converted, examination);
    return { steps: first.moved.length + second.moved.length, left: [...first.left, ...second.left] };
  }

  async #stepTogether(
    orders: readonly Order[],
    examination: Examination,
  ): Promise<{ moved: Order[]; left: Order[] }> {
    const passed = (await Promise.all(orders.map((order) => passedOf(order, examination)))).flat();
    const done = await doTogether(this.options.database, passed, {
      work: (tx, { order, pass }) => this.#gatedStep(tx, order, pass),
      subjects: ({ order }) => [order.orderId],
    });
    const moved = done.flatMap((each) => ('result' in each ? [each.result] : []));
    const movedIds = new Set(moved.map(({ orderId }) => orderId));
    return { moved, left: orders.filter(({ orderId }) => !movedIds.has(orderId)) };
  }

  #gatedStep(tx: Transaction, order: Order, pass: GatePass): Promise<Order> {
    const { steps } = this.options;
    return order.state === 'PAYMENT_RECEIVED'
      ? steps.convert(tx, byWorker, order, pass)
      : steps.submitPayout(tx, byWorker, order, pass);
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

  /** The gate is asked before each step, by facts of the same moment. */
  async #towardsPayout(claimed: Order, examination: Examination): Promise<number> {
    const first = await this.#throughGate(claimed, examination);
    if (first?.state !== 'CONVERTED' || claimed.state === 'CONVERTED') return first ? 1 : 0;
    return (await this.#throughGate(first, examination)) ? 2 : 1;
  }

  /** Makes the next step, and returns the order after it; undefined when it has to wait. */
  async #throughGate(order: Order, examination: Examination): Promise<Order | undefined> {
    const { reviews } = this.options;
    const examined = await examination.examine(order);
    const { decision } = examined;
    if (decision.outcome === 'wait') {
      await this.wait(order.merchantId, [order], decision.obstacle);
      return undefined;
    }
    return this.#step((tx) =>
      decision.outcome === 'refer'
        ? reviews.refer(tx, byWorker, order, newReviewOf(order, examined))
        : this.#gatedStep(tx, order, decision.pass),
    );
  }

  /** These orders of a merchant are tried again later, or when whoever closed their route opens it. */
  async wait(merchantId: MerchantId, orders: readonly Order[], obstacle: Obstacle): Promise<0> {
    const seconds = isOpenedByOperators(obstacle) ? routePauseSeconds : pauseSeconds;
    await this.#step((tx) => pauseOrders(tx, merchantId, orders, { obstacle, seconds }));
    return 0;
  }

  /** Somebody changed it: the worker looks at it again at once. */
  async #tryAgain(order: Order): Promise<0> {
    const now = { obstacle: undefined, seconds: 0 };
    await this.#step((tx) => pauseOrders(tx, order.merchantId, [order], now));
    return 0;
  }

  #step<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.options.database.transaction(work);
  }
}

/** None for an order that does not pass, or that cannot be examined: `advance` finds out why. */
async function passedOf(order: Order, examination: Examination): Promise<{ order: Order; pass: GatePass }[]> {
  if (isGoingBack(order)) return [];
  const examined = await examination.examine(order).catch(() => undefined);
  return examined?.decision.outcome === 'pass' ? [{ order, pass: examined.decision.pass }] : [];
}

/** An order that was refused, or cancelled while nobody reviewed it. */
export function isGoingBack({ state }: Order): boolean {
  return state === 'REJECTED' || state === 'ACTION_REQUIRED';
}
