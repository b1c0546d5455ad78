/** The jobs that verify ledgers: new journals every few minutes, and each whole history once a day. */
import type { TenantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Job } from '../../worker/worker.js';
import * as progress from './progress-store.js';
import { type VerifyContext, verifyLedger } from './verify.js';

export const verifyJob = 'ledger.verify';
const merchantsAtOnce = 100;
const fullyEveryHours = 24;

export function verifyJobs(context: VerifyContext, log: Log): Job[] {
  const verify = async (merchants: readonly TenantId[], isFull: boolean, signal: AbortSignal) => {
    for (const merchantId of merchants) {
      if (signal.aborted) return;
      const { faults } = await verifyLedger(context, merchantId, { isFull });
      if (faults.length > 0) log.error({ merchantId, faults }, 'the ledger has a fault');
    }
  };
  return [
    {
      name: verifyJob,
      everySeconds: 300,
      async run(signal) {
        for (let after = -1; ; ) {
          const merchants = await progress.listMerchantsToVerify(context.database, after, merchantsAtOnce);
          await verify(merchants, false, signal);
          const last = merchants.at(-1);
          if (last === undefined || signal.aborted) return 0;
          after = last;
        }
      },
    },
    {
      name: 'ledger.verify-in-full',
      everySeconds: 3600,
      async run(signal) {
        const { database } = context;
        const due = await progress.listMerchantsToVerifyInFull(database, fullyEveryHours, merchantsAtOnce);
        await verify(due, true, signal);
        return 0;
      },
    },
  ];
}
