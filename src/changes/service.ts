/** The verbs of the log: record a change, read the history of a subject, and keep events from being numbered. */
import type { By } from '../caller.js';
import type { TenantId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import { lockChain } from './chain/chain-store.js';
import { numberJobName } from './chain/numbering.js';
import type { NewChange } from './change.js';
import { addChange } from './store.js';
import { refuseAltered } from './untouched.js';

export {
  countChained,
  findChainEnd,
  listChainedOf,
  listUnnumberedJournalIds,
  oldestUnnumberedSeconds,
} from './chain/chain-store.js';
export { findNewestChange } from './newest-store.js';
export { forgetObjects, listOldObjects, type OldObjects } from './object-store.js';
export { hasPosted, listHistories, listHistory } from './store.js';
export { findAltered, requireUntouched } from './untouched.js';

/**
 * Writes a change in the transaction that makes it, so that neither exists without the other. Everybody is told from
 * this row: operators by the audit log, the merchant by an event, whoever asks by the history of the subject. It is
 * numbered after the commit. Throws `ledger_fault` when somebody else has changed the row since its newest change.
 */
export async function recordChange(tx: Transaction, by: By, change: NewChange): Promise<void> {
  if (!(await addChange(tx, by, change))) throw refuseAltered(tx, change.merchantId, change.subject);
  tx.wake(numberJobName);
}

/** Waits for numbering that is under way, and lets the merchant's next events wait until the transaction has ended. */
export async function holdNumbering(tx: Transaction, merchantId: TenantId): Promise<void> {
  await lockChain(tx, merchantId);
  tx.wake(numberJobName);
}
