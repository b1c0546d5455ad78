/** Records what customers were owed at the end of each day. A shortage is a task until a day ends without it. */
import type { Database } from '../../postgres/database.js';
import type { TaskSource } from '../../tasks/task.js';
import type { Job } from '../../worker/worker.js';
import type { SafeguardingService } from './service.js';
import { listShortTasks } from './store.js';

export const safeguardingTaskSources: readonly TaskSource[] = [{ kind: 'safeguarding_short', list: listShortTasks }];

export function recordSafeguardingJob(database: Database, safeguarding: SafeguardingService): Job {
  return {
    name: 'operations.record-safeguarding',
    everySeconds: 600,
    async run(signal) {
      await safeguarding.record(database, signal);
      return 0;
    },
  };
}
