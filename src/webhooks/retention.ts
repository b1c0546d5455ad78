/** Retention: the objects of events are deleted after 30 days, everything else after 90. */
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { deleteOldWithdrawals } from './delivery/permit-store.js';
import * as store from './retention-store.js';

const objectDays = 30;
const eventDays = 90;

export function eventRetentionJob(database: Database): Job {
  return {
    name: 'webhooks.end-retention',
    everySeconds: 3600,
    async run() {
      const objects = await database.transaction((tx) => store.forgetObjects(tx, objectDays));
      const answers = await database.transaction((tx) => store.forgetAnswers(tx, objectDays));
      const events = await database.transaction((tx) => store.deleteEvents(tx, eventDays));
      await database.transaction((tx) => store.deleteDeadWorkers(tx));
      await database.transaction((tx) => deleteOldWithdrawals(tx));
      return objects + answers + events;
    },
  };
}
