/** The rules look at what was paid, merchant by merchant. An alert stops no money, so a minute more does no harm. */
import type { MerchantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { forEachDue } from '../../worker/for-each-due.js';
import type { Job } from '../../worker/worker.js';
import { listMerchantsWithNew } from './movement-store.js';
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
    everySeconds: 30,
    async run(signal) {
      const seen = new Set<MerchantId>();
      const items = {
        // Each merchant once a run: what comes meanwhile is seen by the next.
        next: async (failed: readonly MerchantId[]) => {
          const due = await listMerchantsWithNew(database);
          return due.filter((merchantId) => !seen.has(merchantId) && !failed.includes(merchantId));
        },
        work: async (merchantId: MerchantId) => {
          seen.add(merchantId);
          return (await monitoring.look(database, merchantId)) > 0;
        },
        onFailure: (merchantId: MerchantId, err: unknown) =>
          log.error({ merchantId, err }, 'the payments of a merchant could not be monitored'),
      };
      await forEachDue(items, signal);
      return 0;
    },
  };
}
