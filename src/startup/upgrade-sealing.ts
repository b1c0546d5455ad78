/**
 * Converts a database from sealing format 1 to format 2 in batches, before any request is served. After an interruption
 * the next start continues. When it has finished, no other code can open format 1.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { sealingFormat } from '../keys/sealing.js';
import type { KeyVault } from '../keys/vault.js';
import { upgradeCasesBatch } from '../kyc/case-upgrade.js';
import type { Database } from '../postgres/database.js';
import { tryLockInstance } from '../postgres/instance.js';
import { findInstanceKeys } from '../postgres/instance-keys.js';
import type { Transaction } from '../postgres/statement.js';
import { upgradeUsersBatch } from '../users/sealing-upgrade.js';
import { openRetainedKey } from '../users/service.js';

interface BatchResult {
  readonly done: number;
  readonly unreadable: number;
}
type Batch = (tx: Transaction) => Promise<BatchResult>;

const retryAfterMs = 200;

export async function upgradeSealing(
  database: Database,
  vault: KeyVault,
  say: (message: string) => void,
): Promise<void> {
  if ((await findInstanceKeys(database)).sealing === sealingFormat) return;
  say('Converting encrypted personal data to the new format. This happens only once.');
  const users = await runBatches(database, say, 'users', (tx) => upgradeUsersBatch(tx, vault));
  const cases = await runBatches(database, say, 'cases', (tx) =>
    upgradeCasesBatch(tx, (...whose) => openRetainedKey(vault, ...whose)),
  );
  await database.transaction((tx) => vault.finishSealingUpgrade(tx));
  say(`Converted the data of ${users.done} users and ${cases.done} cases.`);
  const unreadable = users.unreadable + cases.unreadable;
  if (unreadable > 0) say(`${unreadable} sealed values were unreadable before and remain so.`);
}

async function runBatches(
  database: Database,
  say: (message: string) => void,
  noun: string,
  batch: Batch,
): Promise<BatchResult> {
  let total = { done: 0, unreadable: 0 };
  for (;;) {
    const { done, unreadable } = await runBatchAlone(database, batch);
    if (done === 0) return total;
    total = { done: total.done + done, unreadable: total.unreadable + unreadable };
    say(`${total.done} ${noun} …`);
  }
}

/**
 * Waits while another node runs a batch, however long that takes. It waits outside of a transaction, because waiting for
 * a lock fails after two seconds.
 */
async function runBatchAlone(database: Database, batch: Batch): Promise<BatchResult> {
  for (;;) {
    const result = await database.transaction(async (tx) =>
      (await tryLockInstance(tx)) ? batch(tx) : undefined,
    );
    if (result) return result;
    await pause(retryAfterMs);
  }
}
