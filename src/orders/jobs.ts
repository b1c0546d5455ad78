/** The job that expires unpaid orders. */
import type { By } from '../caller.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { doOneByOne } from '../worker/one-by-one.js';
import type { Job } from '../worker/worker.js';
import { type ExpiredOrder, listExpiredOf, listMerchantsWithExpired } from './expiry-store.js';
import type { OrderService } from './service.js';

/** Few of each merchant at a time, so that a merchant with many expired orders does not keep the others waiting. */
const ordersAtOnce = 20;
const ordersRead = 1000;
const byExpiry: By = { actor: { kind: 'system', name: 'order expiry' } };

export function orderJobs(database: Database, orders: OrderService, log: Log): Job[] {
  const items = {
    next: (skipped: readonly ExpiredOrder[]) => nextExpired(database, skipped),
    work: (expired: ExpiredOrder) => database.transaction((tx) => orders.expire(tx, byExpiry, expired)),
    onFailure: ({ orderId }: ExpiredOrder, err: unknown) =>
      log.error({ orderId, err }, 'order cannot be expired'),
  };
  return [{ name: 'orders.expire', everySeconds: 60, run: (signal) => doOneByOne(items, signal) }];
}

async function nextExpired(
  database: Database,
  skipped: readonly ExpiredOrder[],
): Promise<readonly ExpiredOrder[]> {
  const merchants = await listMerchantsWithExpired(database, ordersRead);
  const lists = merchants.map((merchant) => {
    const except = skipped.filter(({ merchantId }) => merchantId === merchant).map(({ orderId }) => orderId);
    return listExpiredOf(database, merchant, except, ordersAtOnce);
  });
  return (await Promise.all(lists)).flat();
}
