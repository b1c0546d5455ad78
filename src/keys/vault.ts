/**
 * The master keys of an instance: the active one and, while it is being changed, also the previous or the next one.
 * Each data key is wrapped by one version of the master key. All other keys are derived from the root key, which is
 * sealed under the active version.
 */
import { randomBytes } from 'node:crypto';
import { StartupRefused } from '../errors.js';
import type { Database } from '../postgres/database.js';
import {
  findInstanceKeys,
  forgetPreviousKey,
  type InstanceKeys,
  lockForSwitching,
  lockForWrapping,
  storeFirstRootKey,
  switchMasterKey,
} from '../postgres/instance-keys.js';
import type { Transaction } from '../postgres/statement.js';
import { masterKeyCheckValue } from './master-key.js';
import { BrokenSeal, bindingOf, open, seal } from './sealing.js';

export interface WrappedKey {
  readonly version: number;
  readonly wrapped: Buffer;
}

export interface MasterKeys {
  readonly current: Buffer;
  /** Set only while the master key is being changed. */
  readonly previous: Buffer | undefined;
}

/** A data key to be wrapped, and what it is bound to. */
export interface BoundKey {
  readonly key: Buffer;
  readonly binding: KeyBinding;
}

/** Table, owner and purpose. The vault adds the version of the master key. */
export type KeyBinding = readonly (string | number)[];

export class KeyVault {
  readonly #keyByVersion: Map<number, Buffer>;

  private constructor(
    readonly masters: MasterKeys,
    readonly rootKey: Buffer,
    instance: InstanceKeys,
  ) {
    this.#keyByVersion = keysByVersion(masters, instance);
  }

  /**
   * Creates the root key of a new instance. Throws `StartupRefused` when the previous master key is still needed and
   * missing, and `BrokenSeal` when the root key was changed.
   */
  static async open(database: Database, masters: MasterKeys): Promise<KeyVault> {
    let instance = await findInstanceKeys(database);
    if (!instance.sealedRootKey) {
      const sealedRootKey = seal(
        activeKey(masters, instance),
        randomBytes(32),
        rootKeyBinding(instance.version),
      );
      await database.transaction((tx) => storeFirstRootKey(tx, sealedRootKey));
      instance = await findInstanceKeys(database);
    }
    // Version and root key come from one read of the row, because the master key may be changed between two reads.
    const sealed = instance.sealedRootKey as Buffer;
    const rootKey = open(activeKey(masters, instance), sealed, rootKeyBinding(instance.version));
    return new KeyVault(masters, rootKey, instance);
  }

  /** Wraps data keys by the active version, which stays active until the transaction ends. */
  async wrap(tx: Transaction, keys: readonly BoundKey[]): Promise<WrappedKey[]> {
    const version = await lockForWrapping(tx);
    return keys.map(({ key, binding }) => this.wrapAs(version, key, binding));
  }

  wrapAs(version: number, key: Buffer, binding: KeyBinding): WrappedKey {
    return { version, wrapped: seal(this.#keyOf(version), key, bindingOf(...binding, version)) };
  }

  /** Throws `BrokenSeal` when the key was changed, or belongs to another owner, purpose or version. */
  unwrap({ version, wrapped }: WrappedKey, binding: KeyBinding): Buffer {
    return open(this.#keyOf(version), wrapped, bindingOf(...binding, version));
  }

  /** Makes the new master key the active one. Returns the version that all data keys must be wrapped by. */
  async activateNewKey(tx: Transaction): Promise<number> {
    await lockForSwitching(tx);
    const instance = await findInstanceKeys(tx);
    const check = masterKeyCheckValue(this.masters.current);
    if (!instance.check.equals(check)) {
      const binding = rootKeyBinding(instance.version + 1);
      await switchMasterKey(tx, check, seal(this.masters.current, this.rootKey, binding));
    }
    return (await findInstanceKeys(tx)).version;
  }

  /** Ends the need for the previous master key. Returns false when data keys are still wrapped by it. */
  async finishKeyChange(
    tx: Transaction,
    isAnyKeyLeft: (tx: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    await lockForSwitching(tx);
    if (await isAnyKeyLeft(tx)) return false;
    await forgetPreviousKey(tx);
    return true;
  }

  #keyOf(version: number): Buffer {
    const key = this.#keyByVersion.get(version);
    if (!key) throw new BrokenSeal(`there is no master key of version ${version}`);
    return key;
  }
}

function rootKeyBinding(version: number): string {
  return bindingOf('instance', 'root_key', version);
}

function activeKey(masters: MasterKeys, instance: InstanceKeys): Buffer {
  return keysByVersion(masters, instance).get(instance.version) as Buffer;
}

/** Throws `StartupRefused` when the previous master key is still needed and missing. */
function keysByVersion({ current, previous }: MasterKeys, instance: InstanceKeys): Map<number, Buffer> {
  const { version, check, previousCheck } = instance;
  if (check.equals(masterKeyCheckValue(current))) {
    const isPreviousNeeded = previousCheck !== undefined;
    if (isPreviousNeeded && (!previous || !previousCheck.equals(masterKeyCheckValue(previous)))) {
      throw new StartupRefused(
        'The master key is being changed, and some data still needs the previous one. Set MASTER_KEY_PREVIOUS to it, ' +
          'then finish the change with: ./bin/remesa keys rewrap',
      );
    }
    return new Map([[version, current], ...(previous ? [[version - 1, previous] as const] : [])]);
  }
  if (previous && check.equals(masterKeyCheckValue(previous))) {
    return new Map([
      [version, previous],
      [version + 1, current],
    ]);
  }
  throw new Error('the master key is not the one of this instance');
}
