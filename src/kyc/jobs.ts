/** What time does to cases: approvals run out, merchants are told before, and old links go. */
import type { Database } from '../postgres/database.js';
import { recordEvent } from '../webhooks/service.js';
import type { Job } from '../worker/worker.js';
import { sweepCapabilities } from './capability-store.js';
import { viewOfCase } from './case.js';
import { type By, moveCase } from './moving.js';
import { lockCasesDueToExpire, noteExpiring } from './queue-store.js';

const batchSize = 100;
/** The nearest first: who is told that a week is left need not be told of the month. */
const noticeDays = [7, 30] as const;

export function kycJobs(database: Database): Job[] {
  return [
    { name: 'kyc.expire', everySeconds: 60, run: () => expireDue(database) },
    { name: 'kyc.tell-expiring', everySeconds: 300, run: () => tellExpiring(database) },
    {
      name: 'kyc.sweep-capabilities',
      everySeconds: 600,
      run: () => database.transaction((tx) => sweepCapabilities(tx, 1000)),
    },
  ];
}

function expireDue(database: Database): Promise<number> {
  const by: By = { actor: { kind: 'system', name: 'expiry' } };
  return database.transaction(async (tx) => {
    const due = await lockCasesDueToExpire(tx, batchSize);
    for (const one of due) await moveCase(tx, by, one, 'expire');
    return due.length;
  });
}

/** Once each: the note that it was told commits with the event. */
function tellExpiring(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    let told = 0;
    for (const days of noticeDays) {
      const expiring = await noteExpiring(tx, days, batchSize);
      for (const one of expiring) {
        await recordEvent(tx, {
          merchantId: one.merchantId,
          channel: 'kyc',
          type: 'kyc.expiring',
          subject: one.caseId,
          object: viewOfCase(one),
          previousStatus: null,
        });
      }
      told += expiring.length;
    }
    return told;
  });
}
