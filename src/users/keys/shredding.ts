/**
 * Makes destroyed keys useless for good. PostgreSQL leaves the bytes of a deleted row in the file of its table. Rewriting
 * the table of user keys would remove them, but nobody could read a user meanwhile, for longer the more users there are. So
 * the key of the group is replaced instead, and only the small table of these keys is rewritten.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '../../ids.js';
import type { KeyVault } from '../../keys/vault.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { doOneByOne } from '../../worker/one-by-one.js';
import type { Job } from '../../worker/worker.js';
import {
  addGroupKey,
  areGroupKeysUsed,
  destroyGroupKeysBefore,
  type KeyGroup,
  listMarkedGroups,
  lockNewestGroupKey,
  rewriteGroupKeys,
} from './group-key-store.js';
import * as upkeep from './key-upkeep-store.js';
import { groupOf, keyBindingOf, openUserKey } from './user-key.js';
import { newGroupKey, UserKeyWrapper } from './wrapping.js';

const keysAtOnce = 200;
const groupsAtOnce = 1000;
/** Above every version of the master key. */
const anyVersion = 2 ** 31 - 1;

export interface ShredOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly log: Log;
}

export function shredJob(options: ShredOptions): Job {
  return {
    name: 'users.shred-keys',
    everySeconds: 3600,
    // Nothing is left for another run at once.
    run: (signal) => new Shredding(options, signal).run().then(() => 0),
  };
}

class Shredding {
  constructor(
    readonly options: ShredOptions,
    readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    const { database } = this.options;
    const moved = (await areGroupKeysUsed(database)) ? await this.#leaveMasterKey() : 0;
    await this.#replaceGroupKeys();
    const due = await upkeep.findDueRewrites(database);
    if (due.groupKeys && !this.signal.aborted) await this.#rewriteGroupKeys();
    // In a later run than the last key was moved, so that no transaction can still see it as it was.
    if (due.userKeys && moved === 0 && !(await upkeep.hasKeysOfVersionBefore(database, anyVersion)))
      await this.#rewriteUserKeys();
  }

  /** Wraps keys from before there were groups by the keys of their groups. Returns how many batches there were. */
  async #leaveMasterKey(): Promise<number> {
    const { database, log } = this.options;
    if (!(await upkeep.hasKeysOfVersionBefore(database, anyVersion))) return 0;
    await database.transaction((tx) => upkeep.setUserKeysToRewrite(tx, true));
    const merchants = {
      next: async (failed: readonly TenantId[]) => {
        const due = await upkeep.listMerchantsWithKeysBefore(database, anyVersion, keysAtOnce);
        return due.filter((merchant) => !failed.includes(merchant));
      },
      work: (merchant: TenantId) =>
        database.transaction(async (tx) => {
          const keys = await upkeep.lockKeysOfVersionBefore(tx, merchant, anyVersion, keysAtOnce);
          return (await this.#wrapAgain(tx, merchant, keys)) > 0;
        }),
      onFailure: (merchant: TenantId, err: unknown) =>
        log.error({ merchantId: Number(merchant), err }, 'keys of users could not be wrapped again'),
    };
    return doOneByOne(merchants, this.signal);
  }

  #replaceGroupKeys(): Promise<number> {
    const { database, log } = this.options;
    const groups = {
      next: async (failed: readonly KeyGroup[]) => {
        const marked = await listMarkedGroups(database, groupsAtOnce);
        return marked.filter((group) => !failed.some((other) => isDeepStrictEqual(other, group)));
      },
      work: (group: KeyGroup) => this.#replaceGroupKey(group),
      onFailure: ({ merchant, group }: KeyGroup, err: unknown) =>
        log.error({ merchantId: Number(merchant), group, err }, 'the key of a group could not be replaced'),
    };
    return doOneByOne(groups, this.signal);
  }

  /** After an interruption, the next run continues. */
  async #replaceGroupKey(group: KeyGroup): Promise<boolean> {
    const { database } = this.options;
    const generation = await database.transaction((tx) => this.#beginReplacement(tx, group));
    while (!this.signal.aborted) {
      const wrapped = await database.transaction(async (tx) => {
        const keys = await upkeep.lockKeysOfGenerationBefore(tx, group, generation, keysAtOnce);
        return this.#wrapAgain(tx, group.merchant, keys);
      });
      if (wrapped > 0) continue;
      await database.transaction(upkeep.recordGroupKeysDeleted);
      if (await database.transaction((tx) => destroyGroupKeysBefore(tx, group, generation))) return true;
    }
    return false;
  }

  /** Returns the generation of the key that all keys of the group must be wrapped by. */
  async #beginReplacement(tx: Transaction, group: KeyGroup): Promise<number> {
    const newest = await lockNewestGroupKey(tx, group);
    if (!newest) throw new Error('the group has no key');
    if (!newest.mustBeReplaced) return newest.generation;
    const next = await newGroupKey(tx, this.options.vault, group, newest.generation + 1);
    await addGroupKey(tx, group, next);
    return next.generation;
  }

  /** Throws `BrokenSeal` when a key was changed: as it cannot be wrapped again, what wraps it must stay. */
  async #wrapAgain(tx: Transaction, merchant: TenantId, keys: readonly upkeep.OwnedKey[]): Promise<number> {
    const { vault } = this.options;
    const wrapper = new UserKeyWrapper(tx, vault);
    const wrapped: upkeep.OwnedKey[] = [];
    // By group, so that two workers that make keys of groups do not wait for each other.
    for (const key of keys.toSorted((left, right) => groupOf(left.userId) - groupOf(right.userId))) {
      const bound = { key: openUserKey(vault, key, key), binding: keyBindingOf(key, key.purpose) };
      for (const again of await wrapper.wrap(key, [bound])) wrapped.push({ ...key, ...again });
    }
    await upkeep.saveRewrappedKeys(tx, merchant, wrapped);
    return wrapped.length;
  }

  async #rewriteGroupKeys(): Promise<void> {
    const { database } = this.options;
    // Read before the rewrite, so that what is deleted meanwhile is left for the next run.
    const beganAt = await upkeep.databaseTime(database);
    await database.runAlone(rewriteGroupKeys);
    await database.transaction((tx) => upkeep.recordShredding(tx, beganAt));
  }

  /** Once, after an upgrade: nobody can read a user meanwhile. */
  async #rewriteUserKeys(): Promise<void> {
    const { database } = this.options;
    await database.runAlone(upkeep.rewriteUserKeys);
    await database.transaction((tx) => upkeep.setUserKeysToRewrite(tx, false));
  }
}
