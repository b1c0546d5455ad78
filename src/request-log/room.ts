/** Builds the request log: what merchants see of their last requests. */

import { sweepByMerchant } from '../worker/by-merchant.js';
import type { Job } from '../worker/worker.js';
import { RequestLog, type RequestLogOptions } from './request-log.js';
import { requestLogRoutes } from './routes.js';
import { requestSweep } from './store.js';

/** Without the log, nothing is recorded, and what was recorded before is swept as it grows old. */
export function requestLogRoom({ isOn, ...options }: RequestLogOptions & { readonly isOn: boolean }) {
  const requestLog = isOn ? new RequestLog(options) : undefined;
  const { database } = options;
  const sweep: Job = {
    name: 'request-log.sweep',
    everySeconds: 60,
    run: (signal) => sweepByMerchant(database, requestSweep, signal),
  };
  return {
    recorder: requestLog,
    routes: requestLogRoutes(requestLog),
    jobs: [sweep],
    close: async () => requestLog?.write(),
  };
}
