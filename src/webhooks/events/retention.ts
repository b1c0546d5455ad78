/** Retention: the objects of events are deleted after 30 days, everything else after 90. */
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import * as store from './retention-store.js';

const objectDays = 30;
const eventDays = 90;

export function eventRetentionJob(database: Database): Job {
  return {
    name: 'webhooks.end-retention',
    everySeconds: 3600,
    async run(signal) {
      const objects = await end(database, store.objects, objectDays, signal);
      const answers = await end(database, store.answers, objectDays, signal);
      return objects + answers + (await end(database, store.events, eventDays, signal));
    },
  };
}

/** One transaction per merchant. Returns how many rows were changed. */
async function end(database: Database, retention: store.Retention, days: number, signal: AbortSignal): Promise<number> {
  let changed = 0;
  for (const batch of await store.listOld(database, retention, days)) {
    if (signal.aborted) break;
    changed += await database.transaction((tx) => store.endOld(tx, retention, batch));
  }
  return changed;
}
