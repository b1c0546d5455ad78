/** Wraps keys with a new master key. */
import { recordAudit } from '../../audit/service.js';
import { instanceTenant } from '../../ids.js';
import type { KeyVault } from '../../keys/vault.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { type MerchantSweep, sweepByMerchant } from '../../worker/by-merchant.js';
import {
  hasGroupKeysOfVersionBefore,
  listMerchantsWithOldGroupKeys,
  lockGroupKeysOfVersionBefore,
  saveRewrappedGroupKeys,
} from './group-key-store.js';
import {
  hasKeysOfVersionBefore,
  listMerchantsWithOldKeys,
  lockKeysOfVersionBefore,
  saveRewrappedKeys,
} from './key-upkeep-store.js';
import { groupKeyBinding, keyBindingOf, openGroupKey, openUserKey } from './user-key.js';

const batchSize = 200;

/**
 * Wraps every key that the master key wraps with the new one, merchant by merchant and batch by batch. After an interruption
 * it continues where it stopped.
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
    await recordAudit(tx, instanceTenant, { actor, action: 'master_key.exchanged', subject });
    return newVersion;
  });
  const sweeps = [groupKeysSweep(vault, version), userKeysSweep(vault, version)];
  const untilDone = new AbortController().signal;
  let done = 0;
  for (;;) {
    let count = 0;
    for (const sweep of sweeps) count += await sweepByMerchant(database, sweep, untilDone);
    done += count;
    if (count > 0) {
      onProgress(done);
      continue;
    }
    const isFinished = await database.transaction((tx) =>
      vault.finishKeyChange(tx, (within) => isAnyKeyOlder(within, version)),
    );
    if (isFinished) return done;
  }
}

async function isAnyKeyOlder(tx: Transaction, version: number): Promise<boolean> {
  return (await hasGroupKeysOfVersionBefore(tx, version)) || (await hasKeysOfVersionBefore(tx, version));
}

function groupKeysSweep(vault: KeyVault, version: number): MerchantSweep {
  return {
    due: listMerchantsWithOldGroupKeys,
    values: [version, batchSize],
    async sweep(tx, merchant) {
      const keys = await lockGroupKeysOfVersionBefore(tx, merchant, version, batchSize);
      const rewrapped = keys.map((key) => ({
        ...key,
        ...vault.wrapAs(version, openGroupKey(vault, merchant, key), groupKeyBinding(merchant, key)),
      }));
      await saveRewrappedGroupKeys(tx, merchant, version, rewrapped);
      return rewrapped.length;
    },
  };
}

/** Keys from before there were groups. */
function userKeysSweep(vault: KeyVault, version: number): MerchantSweep {
  return {
    due: listMerchantsWithOldKeys,
    values: [version, batchSize],
    async sweep(tx, merchant) {
      const keys = await lockKeysOfVersionBefore(tx, merchant, version, batchSize);
      const rewrapped = keys.map((key) => {
        const { wrapped } = vault.wrapAs(
          version,
          openUserKey(vault, key, key),
          keyBindingOf(key, key.purpose),
        );
        return { ...key, wrapped, by: { version } };
      });
      await saveRewrappedKeys(tx, merchant, rewrapped);
      return rewrapped.length;
    },
  };
}
