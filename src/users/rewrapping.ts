/** Wraps the keys of users with a new master key. */
import { setTimeout } from 'node:timers/promises';
import { recordChange } from '../changes/service.js';
import { instanceTenant } from '../ids.js';
import type { KeyVault } from '../keys/vault.js';
import type { Database } from '../postgres/database.js';
import { claimKeysBefore, findMerchantWithKeysBefore, saveUserKey } from './key-store.js';
import { rewrapUserKey } from './user-keys.js';

const batchSize = 200;
const retryAfterMs = 100;

/**
 * Makes the new master key the active one, wraps every key of a user with it, batch by batch, and removes the previous
 * version. After an interruption it continues where it stopped. Returns how many keys it wrapped. Throws `BrokenSeal` when a
 * key was changed: the previous version then stays until the key is repaired.
 */
export async function rewrapKeys(
  database: Database,
  vault: KeyVault,
  onProgress: (done: number) => void,
): Promise<number> {
  const version = await database.transaction(async (tx) => {
    const newVersion = await vault.activateNewKey(tx);
    const actor = { kind: 'system', name: 'command line' } as const;
    const subject = `master_key:${newVersion}`;
    await recordChange(tx, { actor }, { merchantId: instanceTenant, action: 'master_key.exchanged', subject });
    return newVersion;
  });
  let done = 0;
  for (;;) {
    const count = await rewrapBatch(database, vault, version);
    if (count === undefined && (await vault.forgetKeysBefore(database, version))) return done;
    if (count) {
      done += count;
      onProgress(done);
    } else {
      // A transaction still holds a key of the previous version.
      await setTimeout(retryAfterMs);
    }
  }
}

/** Returns how many keys of one merchant were wrapped, and undefined when none of any merchant is left. */
async function rewrapBatch(database: Database, vault: KeyVault, version: number): Promise<number | undefined> {
  const merchant = await findMerchantWithKeysBefore(database, version);
  if (merchant === undefined) return undefined;
  return database.transaction(async (tx) => {
    const keys = await claimKeysBefore(tx, merchant, version, batchSize);
    const rewrapped = keys.map((key) => rewrapUserKey(vault, version, key));
    await Promise.all(rewrapped.map((key) => saveUserKey(tx, key)));
    return keys.length;
  });
}
