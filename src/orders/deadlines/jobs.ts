/** The job that expires unpaid orders. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { forEachDue } from '../../worker/for-each-due.js';
import type { Job } from '../../worker/worker.js';
import type { Expiry } from './expiry.js';
import { type ExpiredOrder, listExpiredOf, listMerchantsWithExpired } from './expiry-store.js';

/** Few of each merchant at a time, so that a merchant with many expired orders does not keep the others waiting. */
const ordersAtOnce = 20;
const ordersRead = 1000;
const byExpiry: By = { actor: { kind: 'system', name: 'order expiry' } };

export interface ExpiryJobOptions {
  readonly database: Database;
  readonly expiry: Expiry;
  readonly log: Log;
}

export function orderJobs({ database, expiry, log }: ExpiryJobOptions): Job[] {
  const merchants = () => listMerchantsWithExpired(database, ordersRead);
  const run = (signal: AbortSignal) => expireOrders({ database, expiry, log }, merchants, signal);
  return [{ name: 'orders.expire', everySeconds: 60, run }];
}

/** Expires what is due of these merchants, and returns how many orders that were. */
export function expireOrders(
  { database, expiry, log }: ExpiryJobOptions,
  merchants: () => Promise<readonly MerchantId[]>,
  signal: AbortSignal,
): Promise<number> {
  const items = {
    next: async (skipped: readonly ExpiredOrder[]) => nextExpired(database, await merchants(), skipped),
    work: (expired: ExpiredOrder) =>
      database.transaction((tx) => expiry.expire(tx, byExpiry, expired)).catch(waitForLedger),
    onFailure: ({ orderId }: ExpiredOrder, err: unknown) => log.error({ orderId, err }, 'order cannot be expired'),
  };
  return forEachDue(items, signal);
}

/** Money that must go back waits while the ledger of its merchant has a fault. That keeps no other order waiting. */
function waitForLedger(error: unknown): false {
  if (error instanceof RemesaError && error.code === 'ledger_fault') return false;
  throw error;
}

async function nextExpired(
  database: Database,
  merchants: readonly MerchantId[],
  skipped: readonly ExpiredOrder[],
): Promise<readonly ExpiredOrder[]> {
  const lists = merchants.map((merchant) => {
    const except = skipped.filter(({ merchantId }) => merchantId === merchant).map(({ orderId }) => orderId);
    return listExpiredOf(database, merchant, except, ordersAtOnce);
  });
  return (await Promise.all(lists)).flat();
}
