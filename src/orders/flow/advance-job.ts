/** The job that moves orders on: in groups, merchant by merchant, against one snapshot of the screening lists. */
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
import type { OrderState } from '../transitions.js';
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
const ordersOfClaim = 40;
const claimsOfOneMerchant = 5;
/** While the orders of one merchant are claimed and read about, those of others make their steps. */
const merchantsAtOnce = 4;
/** Orders that make a step in one transaction. */
export const ordersTogether = 10;
/** Such transactions at a time, of all merchants. */
export const groupsAtOnce = 4;
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

interface Claim {
  /** There may be more. */
  readonly isFull: boolean;
  readonly orders: readonly Order[];
  /** Undefined when there is nothing to do. */
  readonly examination: Examination | undefined;
}

class AdvanceRun {
  readonly #lists: ListsSnapshot;
  readonly #slots = new Semaphore(groupsAtOnce);

  constructor(
    readonly options: AdvanceJobOptions,
    readonly signal: AbortSignal,
  ) {
    this.#lists = options.snapshot();
  }

  async run(merchants: readonly MerchantId[]): Promise<number> {
    return sum(await inTurns(merchants, merchantsAtOnce, (merchant) => this.#advanceOrdersOf(merchant)));
  }

  /**
   * The next orders are claimed and read about while those before make their steps. At most two claims make steps at the same
   * time, so that no slot is empty while the last group of a claim ends.
   */
  async #advanceOrdersOf(merchant: MerchantId): Promise<number> {
    const claims: Promise<number>[] = [];
    try {
      while (claims.length < claimsOfOneMerchant && !this.signal.aborted) {
        const claim = await this.#claim(merchant);
        await claims.at(-2);
        const steps = this.#advanceClaim(claim);
        // A failure is thrown above or below, once what is under way has ended.
        steps.catch(() => {});
        claims.push(steps);
        if (!claim.isFull) break;
      }
      return sum(await Promise.all(claims));
    } finally {
      await Promise.allSettled(claims);
    }
  }

  async #claim(merchant: MerchantId): Promise<Claim> {
    const { database, gate } = this.options;
    const claim = { atMost: ordersOfClaim, seconds: leaseSeconds };
    const claimed = await database.transaction((tx) => claimOrders(tx, merchant, claim));
    const isFull = claimed.length >= ordersOfClaim;
    const ready = await this.#withoutObstructed(merchant, claimed);
    if (ready.length === 0) return { isFull, orders: [], examination: undefined };
    const examined = ready.filter((order) => !isGoingBack(order));
    return { isFull, orders: ready, examination: await gate.gather(merchant, examined, this.#lists) };
  }

  async #advanceClaim({ orders, examination }: Claim): Promise<number> {
    if (!examination) return 0;
    const groups = groupsOf(orders);
    return sum(await inTurns(groups, groupsAtOnce, (group) => this.#advanceGroup(group, examination)));
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

  async #advanceGroup(group: readonly Order[], examination: Examination): Promise<number> {
    const release = await this.#slots.acquire();
    try {
      if (this.signal.aborted) return 0;
      const { steps, left } = await this.options.advance.advanceTogether(group, examination);
      let total = steps;
      for (const order of left) total += await this.#advanceOne(order, examination);
      return total;
    } finally {
      release();
    }
  }

  async #advanceOne(order: Order, examination: Examination): Promise<number> {
    try {
      return this.signal.aborted ? 0 : await this.options.advance.advance(order, examination);
    } catch (err) {
      if (err instanceof RemesaError && err.kind === 'unavailable') throw err;
      this.options.log.error({ orderId: order.orderId, err }, 'order cannot be moved on');
      return 0;
    }
  }
}

/** Of one state each, because they make the same step. */
function groupsOf(orders: readonly Order[]): Order[][] {
  const groups: Order[][] = [];
  const open = new Map<OrderState, Order[]>();
  for (const order of orders) {
    const group = open.get(order.state) ?? [];
    if (group.length === 0) groups.push(group);
    group.push(order);
    open.set(order.state, group.length < ordersTogether ? group : []);
  }
  return groups;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
