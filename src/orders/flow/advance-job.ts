/** The job that moves orders on: several at a time, merchant by merchant, against one snapshot of the screening lists. */
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import type { Order } from '../order.js';
import { advanceJob } from '../transition.js';
import type { Advance } from './advance.js';
import { claimOrders, listMerchantsInLine, oldestInLineSeconds } from './advance-store.js';

export interface AdvanceJobOptions {
  readonly database: Database;
  readonly advance: Advance;
  readonly snapshot: () => ListsSnapshot;
  readonly log: Log;
}

const ordersRead = 1000;
/** Few of each merchant, so that a merchant with many orders does not keep the others waiting. */
const ofOneMerchant = 50;
/** Measured: see decision 53. */
export const ordersAtOnce = 6;
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
export async function advanceOrders(
  { database, advance, snapshot, log }: AdvanceJobOptions,
  merchants: readonly MerchantId[],
  signal: AbortSignal,
): Promise<number> {
  const lists = snapshot();
  let steps = 0;
  for (const merchant of merchants) {
    const claim = { atMost: ofOneMerchant, seconds: leaseSeconds };
    const waiting = await database.transaction((tx) => claimOrders(tx, merchant, claim));
    const lane = async () => {
      for (let order = waiting.shift(); order && !signal.aborted; order = waiting.shift()) {
        steps += await advanceOne(advance, lists, order, log);
      }
    };
    await Promise.all(Array.from({ length: ordersAtOnce }, lane));
    if (signal.aborted) break;
  }
  return steps;
}

async function advanceOne(advance: Advance, lists: ListsSnapshot, order: Order, log: Log): Promise<number> {
  try {
    return await advance.advance(order, lists);
  } catch (err) {
    if (err instanceof RemesaError && err.kind === 'unavailable') throw err;
    log.error({ orderId: order.orderId, err }, 'order cannot be moved on');
    return 0;
  }
}
