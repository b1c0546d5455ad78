/** The rules look at what was paid, merchant by merchant. An alert stops no money, so a few minutes do no harm. */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable } from '../../postgres/failure.js';
import type { Job } from '../../worker/worker.js';
import { listMonitoredMerchants } from './movement-store.js';
import type { MonitoringService } from './service.js';

export const monitoringJobName = 'cases.monitor';

export interface MonitoringJobOptions {
  readonly database: Database;
  readonly monitoring: MonitoringService;
  readonly log: Log;
}

export function monitoringJob({ database, monitoring, log }: MonitoringJobOptions): Job {
  return {
    name: monitoringJobName,
    everySeconds: 300,
    async run(signal) {
      for (const merchantId of await listMonitoredMerchants(database)) {
        if (signal.aborted) break;
        // What cannot be looked at for one merchant is looked at for all others.
        await monitoring.look(database, merchantId).catch((err: unknown) => {
          if (isDatabaseUnavailable(err)) throw err;
          log.error({ merchantId, err }, 'the payments of a merchant could not be monitored');
        });
      }
      return 0;
    },
  };
}
