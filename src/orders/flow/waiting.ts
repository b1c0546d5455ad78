/** Wakes the orders that wait for a rail, a corridor or a merchant when operators resume it. */
import type { Database } from '../../postgres/database.js';
import { pausedObstacles } from '../order/pending.js';
import { advanceJob } from '../order/transition.js';
import { endPausesOf, listMerchantsWaitingFor } from './waiting-store.js';

/**
 * Call it once this process knows that the pause has ended; otherwise its worker would let them wait again. Which pause
 * each order waits for is not stored: those whose route is still closed wait again. Throws what the database throws.
 */
export async function wakeWaitingOrders(database: Database): Promise<void> {
  for (const merchant of await listMerchantsWaitingFor(database, pausedObstacles)) {
    await database.transaction(async (tx) => {
      await endPausesOf(tx, merchant, pausedObstacles);
      tx.wake(advanceJob);
    });
  }
}
