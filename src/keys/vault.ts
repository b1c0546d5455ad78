/**
 * The master keys of an instance: the one in force and, while they are being exchanged, the one before or after it.
 * Data keys are wrapped by a version of it; everything else is derived from a root key that is sealed under it.
 */
import { randomBytes } from 'node:crypto';
import { StartupRefused } from '../errors.js';
import type { Database } from '../postgres/database.js';
import {
  findInstanceKeys,
  forgetPreviousKey,
  type InstanceKeys,
  keepFirstRootKey,
  lockForSwitching,
  lockForWrapping,
  stampSealing,
  switchMasterKey,
} from '../postgres/instance-keys.js';
import type { Transaction } from '../postgres/statement.js';
import { masterKeyCheckValue } from './master-key.js';
import { BrokenSeal, open, placeOf, seal, sealingFormat } from './sealing.js';

export interface WrappedKey {
  readonly version: number;
  readonly wrapped: Buffer;
}

export interface MasterKeys {
  readonly current: Buffer;
  /** Given only while the master key is exchanged. */
  readonly previous: Buffer | undefined;
}

/** A data key to be wrapped, and what it is bound to. */
export interface KeyAtPlace {
  readonly key: Buffer;
  readonly place: KeyPlace;
}

/** Table, owner and purpose; the version of the master key is added here. */
export type KeyPlace = readonly (string | number)[];

export class KeyVault {
  readonly #byVersion: Map<number, Buffer>;

  private constructor(
    readonly masters: MasterKeys,
    readonly rootKey: Buffer,
    instance: InstanceKeys,
  ) {
    this.#byVersion = versionsOf(masters, instance);
  }

  static async open(database: Database, masters: MasterKeys): Promise<KeyVault> {
    let instance = await findInstanceKeys(database);
    if (!instance.sealedRootKey) {
      const first = seal(keyInForce(masters, instance), randomBytes(32), rootKeyPlace(instance));
      await database.transaction((tx) => keepFirstRootKey(tx, first));
      instance = await findInstanceKeys(database);
    }
    // The key and what it sealed from one reading of the row: an exchange may begin between two of them.
    const sealed = instance.sealedRootKey as Buffer;
    const rootKey = open(keyInForce(masters, instance), sealed, rootKeyPlace(instance));
    return new KeyVault(masters, rootKey, instance);
  }

  /** Under the version in force now. */
  async wrap(tx: Transaction, keys: readonly KeyAtPlace[]): Promise<WrappedKey[]> {
    const version = await lockForWrapping(tx);
    return keys.map(({ key, place }) => this.wrapAs(version, key, place));
  }

  wrapAs(version: number, key: Buffer, place: KeyPlace): WrappedKey {
    return { version, wrapped: seal(this.#keyOf(version), key, placeOf(...place, version)) };
  }

  unwrap({ version, wrapped }: WrappedKey, place: KeyPlace): Buffer {
    return open(this.#keyOf(version), wrapped, placeOf(...place, version));
  }

  /** As keys were wrapped in format 1; only the upgrade asks for it. */
  unwrapFirstFormat({ version, wrapped }: WrappedKey, place: string): Buffer {
    return open(this.#keyOf(version), wrapped, `${place}|${version}`);
  }

  /** Binds the root key to the format: from now on a database that claims to be older does not open. */
  async finishSealingUpgrade(tx: Transaction): Promise<void> {
    await lockForSwitching(tx);
    const instance = await findInstanceKeys(tx);
    if (instance.sealing === sealingFormat) return;
    const place = rootKeyPlace({ ...instance, sealing: sealingFormat });
    await stampSealing(tx, sealingFormat, seal(keyInForce(this.masters, instance), this.rootKey, place));
  }

  /** Puts the new master key in force. Answers the version that all data keys must get to. */
  async putNewKeyInForce(tx: Transaction): Promise<number> {
    await lockForSwitching(tx);
    const instance = await findInstanceKeys(tx);
    const check = masterKeyCheckValue(this.masters.current);
    if (!instance.check.equals(check)) {
      const place = rootKeyPlace({ ...instance, version: instance.version + 1 });
      await switchMasterKey(tx, check, seal(this.masters.current, this.rootKey, place));
    }
    return (await findInstanceKeys(tx)).version;
  }

  /** Forgets the master key before, unless a data key is still under it; answers whether it could. */
  async finishExchange(tx: Transaction, isAnyLeft: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    await lockForSwitching(tx);
    if (await isAnyLeft(tx)) return false;
    await forgetPreviousKey(tx);
    return true;
  }

  #keyOf(version: number): Buffer {
    const key = this.#byVersion.get(version);
    if (!key) throw new BrokenSeal(`there is no master key of version ${version}`);
    return key;
  }
}

function rootKeyPlace({ sealing, version }: Pick<InstanceKeys, 'sealing' | 'version'>): string {
  return sealing === 1 ? 'instance|root_key' : placeOf('instance', 'root_key', version);
}

function keyInForce(masters: MasterKeys, instance: InstanceKeys): Buffer {
  return versionsOf(masters, instance).get(instance.version) as Buffer;
}

function versionsOf({ current, previous }: MasterKeys, instance: InstanceKeys): Map<number, Buffer> {
  const { version, check, previousCheck } = instance;
  if (check.equals(masterKeyCheckValue(current))) {
    const isPreviousNeeded = previousCheck !== undefined;
    if (isPreviousNeeded && (!previous || !previousCheck.equals(masterKeyCheckValue(previous)))) {
      throw new StartupRefused(
        'The master key is being exchanged and some data is still under the one before. Set MASTER_KEY_PREVIOUS to it, ' +
          'and finish with: remesa keys rewrap',
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
