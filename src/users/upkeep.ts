/** Maintenance of users: ends retentions, shreds destroyed keys, and wraps keys with a new master key. */
import { recordAudit } from '../audit/service.js';
import { instanceTenant, type MerchantId } from '../ids.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Agenda } from '../worker/agenda.js';
import { type MerchantSweep, sweepByMerchant } from '../worker/by-merchant.js';
import { doOneByOne } from '../worker/one-by-one.js';
import type { Job } from '../worker/worker.js';
import { keyBindingOf, openUserKey } from './personal-data.js';
import { destroyUserKeys } from './store.js';
import * as upkeep from './upkeep-store.js';
import type { RetentionEnded } from './user.js';

const batchSize = 200;

export interface RetentionOptions {
  readonly database: Database;
  readonly retentionEnded: RetentionEnded;
  readonly log: Log;
}

export function retentionJob(database: Database, retentionEnded: RetentionEnded, log: Log): Job {
  return {
    name: 'users.end-retention',
    everySeconds: 3600,
    run: (signal) => endRetentions({ database, retentionEnded, log }, signal),
  };
}

/** What erased users do by a merchant's clock: the time for which the law wants their data ends. */
export function retentionAgenda(options: RetentionOptions): Agenda {
  const { database } = options;
  return {
    nextDue: (merchantId, after) => upkeep.nextDueRetention(database, merchantId, after),
    hasDue: (merchantId) => upkeep.hasDueRetention(database, merchantId),
    runDue: (merchantId, signal) => endRetentions(options, signal, merchantId),
  };
}

function endRetentions(
  { database, retentionEnded, log }: RetentionOptions,
  signal: AbortSignal,
  merchantId?: MerchantId,
): Promise<number> {
  const items = {
    next: (failed: readonly upkeep.DueRetention[]) =>
      upkeep.listDueRetentions(database, failed, batchSize, merchantId),
    work: (due: upkeep.DueRetention) => endRetention(database, due, retentionEnded),
    onFailure: ({ userId: user }: upkeep.DueRetention, err: unknown) =>
      log.error({ userId: Number(user), err }, 'the retention of a user could not be ended'),
  };
  return doOneByOne(items, signal);
}

function endRetention(
  database: Database,
  due: upkeep.DueRetention,
  retentionEnded: RetentionEnded,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const user = await upkeep.endDueRetention(tx, due);
    if (!user) return false;
    const { merchantId, userId } = user;
    await destroyUserKeys(tx, user, ['profile', 'retained']);
    await retentionEnded(tx, merchantId, userId);
    await recordAudit(tx, merchantId, {
      actor: { kind: 'system', name: 'retention' },
      action: 'user.retention_ended',
      subject: `user:${userId}`,
    });
    return true;
  });
}

/** Rewrites the table of keys once a day if a user was erased, which locks the table for a moment. */
export function shredJob(database: Database): Job {
  return {
    name: 'users.shred-keys',
    everySeconds: 24 * 3600,
    async run() {
      if (!(await upkeep.wasAnyUserErased(database))) return 0;
      // Read before the rewrite, so that users who are erased meanwhile are left for the next run.
      const beganAt = await upkeep.databaseTime(database);
      await database.runAlone(upkeep.rewriteUserKeys);
      await database.transaction((tx) => upkeep.recordShredding(tx, beganAt));
      return 0;
    },
  };
}

/**
 * Wraps every user's keys with the new master key, merchant by merchant and batch by batch. After an interruption it
 * continues where it stopped.
 */
export async function rewrapUserKeys(
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
  const sweep = oldKeysSweep(vault, version);
  const untilDone = new AbortController().signal;
  let done = 0;
  for (;;) {
    const count = await sweepByMerchant(database, sweep, untilDone);
    done += count;
    if (count > 0) {
      onProgress(done);
      continue;
    }
    const isFinished = await database.transaction((tx) =>
      vault.finishKeyChange(tx, (within) => upkeep.hasKeysBefore(within, version)),
    );
    if (isFinished) return done;
  }
}

function oldKeysSweep(vault: KeyVault, version: number): MerchantSweep {
  return {
    due: upkeep.listMerchantsWithOldKeys,
    values: [version, batchSize],
    async sweep(tx, merchant) {
      const keys = await upkeep.lockKeysBefore(tx, merchant, version, batchSize);
      const rewrapped = keys.map((key) => ({
        ...key,
        ...vault.wrapAs(version, openUserKey(vault, key, key), keyBindingOf(key, key.purpose)),
      }));
      await upkeep.saveRewrappedKeys(tx, merchant, version, rewrapped);
      return rewrapped.length;
    },
  };
}
