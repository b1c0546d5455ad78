/** Records audit entries, and declares the job that chains them afterwards. */
import type { TenantId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import type { AuditRecord } from './audit.js';
import { AuditChaining, type AuditContext } from './chain/chaining.js';
import * as store from './store.js';

const chainJob = 'audit.chain';

/**
 * Writes an entry in the transaction of the change, so that neither exists without the other. The entry belongs to the
 * merchant whose rows the transaction writes, or to the instance.
 */
export async function recordAudit(tx: Transaction, merchantId: TenantId, record: AuditRecord): Promise<void> {
  await store.addEntry(tx, merchantId, record);
  tx.wake(chainJob);
}

export function auditChainJob(context: AuditContext): Job {
  const chaining = new AuditChaining(context);
  return {
    name: chainJob,
    everySeconds: 5,
    oldestDueSeconds: () => store.oldestUnchainedSeconds(context.database),
    run: (signal) => chaining.run(signal),
  };
}
