/**
 * Gives committed events their numbers and puts them on their way. After the commit and in one place at a time, so that
 * nobody's transaction waits for another's number and the numbers still have no gap.
 */
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import type { EndpointRef } from './endpoint.js';
import { eventsAtOnce, numberNextBatch, oldestUnnumberedSeconds } from './numbering-store.js';

export const numberJobName = 'webhooks.number';
/** Tells the processes that deliver now that there may be more for them. */
export const moreQueued = 'webhooks.more-queued';

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
      const { events, queued } = await numberNextBatch(database);
      if (queued.length > 0) {
        onQueued(queued);
        database.onWake(new Set([moreQueued]));
      }
      // Less than was asked for is all there was: whoever commits more wakes it. To look again would only be in the way.
      return events < eventsAtOnce ? 0 : events;
    },
  };
}
