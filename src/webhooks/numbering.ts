/**
 * Gives committed events their numbers and puts them on their way. After the commit and in one place at a time, so that
 * nobody's transaction waits for another's number and the numbers still have no gap.
 */
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import type { EndpointRef } from './endpoint.js';
import { lockNumbering, numberNextBatch, oldestUnnumberedSeconds } from './numbering-store.js';

export const numberJobName = 'webhooks.number';
/** Tells the processes that deliver now that there may be more for them. */
export const moreQueued = 'webhooks.more-queued';

const nothing = { events: 0, queued: [] } as const;

export function numberJob(
  database: Database,
  /** Hears, after the commit, where something is to be sent. */
  onQueued: (endpoints: readonly EndpointRef[]) => void,
): Job {
  return {
    name: numberJobName,
    everySeconds: 2,
    oldestDueSeconds: () => oldestUnnumberedSeconds(database),
    async run() {
      const { events, queued } = await database.transaction(async (tx) => {
        if (!(await lockNumbering(tx))) return nothing;
        const batch = await numberNextBatch(tx);
        if (batch.queued.length > 0) tx.wake(moreQueued);
        return batch;
      });
      if (queued.length > 0) onQueued(queued);
      return events;
    },
  };
}
