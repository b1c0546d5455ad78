/** The job that moves orders on, merchant by merchant, against one snapshot of the screening lists. */
import type { FindPending } from '../../http/four-eyes.js';
import type { MerchantId } from '../../ids.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { doEach, mapAtMost } from '../../worker/claim.js';
import { Semaphore } from '../../worker/semaphore.js';
import type { Job } from '../../worker/worker.js';
import { ordersBeingCorrected } from '../gate/corrected.js';
import type { Examination, Gate } from '../gate/examination.js';
import type { Order } from '../order/order.js';
import { advanceJob } from '../order/transition.js';
import { type Advance, isGoingBack } from './advance.js';
import { claimOrders, listMerchantsWithDueOrders, oldestDueSeconds } from './advance-store.js';

export interface AdvanceJobOptions {
  readonly database: Database;
  readonly gate: Gate;
  readonly advance: Advance;
  readonly findPending: FindPending;
  readonly snapshot: () => ListsSnapshot;
  readonly log: Log;
}

const ordersRead = 1000;
/**
 * The facts about the orders of a claim are read once. Few of each merchant, so that a merchant with many orders does
 * not keep the others waiting. The lease is longer than all their steps take.
 */
const claim = { atMost: 40, leaseSeconds: 30 };
/** While the orders of one merchant are claimed and read about, those of others make their steps. */
const merchantsAtOnce = 4;
/** Orders that make a step at the same time, of all merchants. */
const ordersAtOnce = 4;

export function advanceOrdersJob(options: AdvanceJobOptions): Job {
  const { database } = options;
  return {
    name: advanceJob,
    everySeconds: 5,
    run: async (signal) => advanceOrders(options, await listMerchantsWithDueOrders(database, ordersRead), signal),
    oldestDueSeconds: () => oldestDueSeconds(database),
  };
}

/** Claims orders of each of these merchants and moves them on. Returns how many orders were claimed. */
export async function advanceOrders(
  options: AdvanceJobOptions,
  merchants: readonly MerchantId[],
  signal: AbortSignal,
): Promise<number> {
  const run = new AdvanceRun(options, signal);
  const counts = await mapAtMost(merchants, merchantsAtOnce, (merchant) => run.advanceOrdersOf(merchant));
  return counts.reduce((total, count) => total + count, 0);
}

class AdvanceRun {
  readonly #options: AdvanceJobOptions;
  readonly #lists: ListsSnapshot;
  readonly #slots = new Semaphore(ordersAtOnce);

  constructor(
    options: AdvanceJobOptions,
    readonly signal: AbortSignal,
  ) {
    this.#options = options;
    this.#lists = options.snapshot();
  }

  async advanceOrdersOf(merchant: MerchantId): Promise<number> {
    if (this.signal.aborted) return 0;
    const { database, gate, log } = this.#options;
    const claimed = await claimOrders(database, merchant, claim);
    const ready = await this.#withoutObstructed(await this.#withoutCorrected(claimed));
    if (ready.length === 0) return claimed.length;
    const examined = ready.filter((order) => !isGoingBack(order));
    const examination = await gate.gather(merchant, examined, this.#lists);
    for (const done of await doEach(ready, (order) => this.#advance(order, examination))) {
      if ('error' in done) log.error({ orderId: done.row.orderId, err: done.error }, 'order cannot be moved on');
    }
    return claimed.length;
  }

  async #withoutCorrected(claimed: readonly Order[]): Promise<readonly Order[]> {
    const { database, advance, findPending } = this.#options;
    const corrected = await ordersBeingCorrected(findPending, database, claimed);
    const [waiting, others] = [true, false].map((isCorrected) =>
      claimed.filter(({ orderId }) => corrected.has(orderId) === isCorrected),
    ) as [Order[], Order[]];
    for (const order of waiting) await advance.waitForCorrection(order);
    return others;
  }

  /** An order that waits already is not examined again while its route is closed. */
  async #withoutObstructed(claimed: readonly Order[]): Promise<Order[]> {
    const { gate, advance } = this.#options;
    const ready: Order[] = [];
    for (const order of claimed) {
      const obstacle = order.waitsFor && !isGoingBack(order) ? gate.obstacleOf(order) : undefined;
      if (obstacle) await advance.wait(order, obstacle);
      else ready.push(order);
    }
    return ready;
  }

  async #advance(order: Order, examination: Examination): Promise<void> {
    const release = await this.#slots.acquire();
    try {
      if (!this.signal.aborted) await this.#options.advance.advance(order, examination);
    } finally {
      release();
    }
  }
}
