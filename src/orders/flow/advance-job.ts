/** The job that moves orders on: several at a time, merchant by merchant, against one snapshot of the screening lists. */
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { inTurns } from '../../worker/in-turns.js';
import { Semaphore } from '../../worker/semaphore.js';
import type { Job } from '../../worker/worker.js';
import type { Examination, Gate } from '../gate/examination.js';
import type { Order } from '../order.js';
import type { PayoutObstacle } from '../ports.js';
import { advanceJob } from '../transition.js';
import { type Advance, isGoingBack } from './advance.js';
import { claimOrders, listMerchantsInLine, oldestInLineSeconds } from './advance-store.js';

export interface AdvanceJobOptions {
  readonly database: Database;
  readonly gate: Gate;
  readonly advance: Advance;
  readonly snapshot: () => ListsSnapshot;
  readonly log: Log;
}

const ordersRead = 1000;
/** Few of each merchant, so that a merchant with many orders does not keep the others waiting. */
const ofOneMerchant = 50;
/** While the orders of one merchant are claimed and read about, those of others make their steps. */
const merchantsAtOnce = 4;
/** Of all merchants together: half of the connections that a process has by default. */
export const ordersAtOnce = 8;
/** Longer than all steps of a claim take. After a crash its orders are free again after this time. */
const leaseSeconds = 30;

export function advanceOrdersJob(options: AdvanceJobOptions): Job {
  const { database } = options;
  return {
    name: advanceJob,
    everySeconds: 5,
    run: async (signal) => advanceOrders(options, await listMerchantsInLine(database, ordersRead), signal),
    oldestDueSeconds: () => oldestInLineSeconds(database),
  };
}

/**
 * Moves orders of these merchants on, and returns how many steps were made. An order that fails stays leased, so it does
 * not keep the others waiting.
 */
export function advanceOrders(
  options: AdvanceJobOptions,
  merchants: readonly MerchantId[],
  signal: AbortSignal,
): Promise<number> {
  return new AdvanceRun(options, signal).run(merchants);
}

class AdvanceRun {
  readonly #lists: ListsSnapshot;
  readonly #slots = new Semaphore(ordersAtOnce);

  constructor(
    readonly options: AdvanceJobOptions,
    readonly signal: AbortSignal,
  ) {
    this.#lists = options.snapshot();
  }

  async run(merchants: readonly MerchantId[]): Promise<number> {
    return sum(await inTurns(merchants, merchantsAtOnce, (merchant) => this.#advanceOrdersOf(merchant)));
  }

  async #advanceOrdersOf(merchant: MerchantId): Promise<number> {
    if (this.signal.aborted) return 0;
    const { database, gate } = this.options;
    const claim = { atMost: ofOneMerchant, seconds: leaseSeconds };
    const claimed = await database.transaction((tx) => claimOrders(tx, merchant, claim));
    const ready = await this.#withoutObstructed(merchant, claimed);
    if (ready.length === 0) return 0;
    const examination = await gate.gather(
      merchant,
      ready.filter((order) => !isGoingBack(order)),
      this.#lists,
    );
    return sum(await inTurns(ready, ordersAtOnce, (order) => this.#advanceOne(order, examination)));
  }

  /** An order that waits already is not examined again while its route is closed. */
  async #withoutObstructed(merchant: MerchantId, claimed: readonly Order[]): Promise<Order[]> {
    const { gate, advance } = this.options;
    const ready: Order[] = [];
    const waiting = new Map<PayoutObstacle, Order[]>();
    for (const order of claimed) {
      const obstacle = order.waitsFor && !isGoingBack(order) ? gate.obstacleOf(order) : undefined;
      if (obstacle) waiting.set(obstacle, [...(waiting.get(obstacle) ?? []), order]);
      else ready.push(order);
    }
    for (const [obstacle, orders] of waiting) await advance.wait(merchant, orders, obstacle);
    return ready;
  }

  async #advanceOne(order: Order, examination: Examination): Promise<number> {
    const release = await this.#slots.acquire();
    try {
      return this.signal.aborted ? 0 : await this.options.advance.advance(order, examination);
    } catch (err) {
      if (err instanceof RemesaError && err.kind === 'unavailable') throw err;
      this.options.log.error({ orderId: order.orderId, err }, 'order cannot be moved on');
      return 0;
    } finally {
      release();
    }
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
