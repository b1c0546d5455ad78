/**
 * Numbers committed events and queues their deliveries. Because this happens after the commit, and in one process at a
 * time, no transaction waits for the number of another, and the numbers have no gap.
 */
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import type { EndpointRef } from './endpoint.js';
import { eventsAtOnce, numberNextBatch, oldestUnnumberedSeconds } from './numbering-store.js';

export const numberJobName = 'webhooks.number';
/** Tells the other processes that deliveries were queued. */
export const moreQueued = 'webhooks.more-queued';

export function numberJob(
  database: Database,
  /** Called after the commit with the endpoints that deliveries were queued for. */
  onQueued: (endpoints: readonly EndpointRef[]) => void,
): Job {
  return {
    name: numberJobName,
    everySeconds: 2,
    oldestDueSeconds: () => oldestUnnumberedSeconds(database),
    async run() {
      const { events, queued } = await numberNextBatch(database);
      if (queued.length > 0) {
        onQueued(queued);
        database.onWake(new Set([moreQueued]));
      }
      // A batch that is not full took everything. The next commit wakes the job, so there is no need to look again.
      return events < eventsAtOnce ? 0 : events;
    },
  };
}
