/** The jobs of monitoring. An alert stops no money, so a few minutes do no harm. */
import { mapAtMost } from '../../worker/claim.js';
import type { Job } from '../../worker/worker.js';
import { type LookingOptions, lookAtMerchant } from './looking.js';
import { listMonitoredMerchants } from './progress-store.js';
import { makeReplays, replayJobName } from './replaying.js';

export const monitoringJobName = 'cases.monitor';
/** A merchant with much to look at delays no other for long. */
const merchantsAtOnce = 2;

export function monitoringJobs(options: LookingOptions): Job[] {
  return [
    {
      name: monitoringJobName,
      everySeconds: 300,
      async run(signal) {
        const merchants = await listMonitoredMerchants(options.database);
        await mapAtMost(merchants, merchantsAtOnce, (merchantId) => lookAtMerchant(options, merchantId, signal));
        return 0;
      },
    },
    { name: replayJobName, everySeconds: 60, run: (signal) => makeReplays(options, signal) },
  ];
}
