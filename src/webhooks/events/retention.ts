/**
 * Retention: the objects of events and the answers of receivers are deleted after 30 days, deliveries and attempts after 90.
 * Events are not shown after 90 days either; the changes that they tell of are never deleted.
 */
import { forgetObjects, listOldObjects, type OldObjects } from '../../changes/service.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Job } from '../../worker/worker.js';
import * as store from './retention-store.js';

const objectDays = 30;
const deliveryDays = 90;

export function eventRetentionJob(database: Database): Job {
  return {
    name: 'webhooks.end-retention',
    everySeconds: 3600,
    async run(signal) {
      const objects = await endEach(database, await listOldObjects(database, objectDays), endObjects, signal);
      const answers = await store.listAnswersOlderThan(database, objectDays);
      const ended = objects + (await endEach(database, answers, store.endAnswers, signal));
      const deliveries = await store.listDeliveriesOlderThan(database, deliveryDays);
      return ended + (await endEach(database, deliveries, store.endDeliveries, signal));
    },
  };
}

async function endObjects(tx: Transaction, old: OldObjects): Promise<number> {
  await store.dropPendingDeliveries(tx, old);
  return forgetObjects(tx, old);
}

/** One transaction per merchant. Returns how many rows were changed. */
async function endEach<Old>(
  database: Database,
  batches: readonly Old[],
  end: (tx: Transaction, old: Old) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0;
  for (const batch of batches) {
    if (signal.aborted) break;
    changed += await database.transaction((tx) => end(tx, batch));
  }
  return changed;
}
