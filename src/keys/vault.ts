/**
 * The master keys of an instance: the active one and, while it is being changed, also the previous or the next one.
 * They wrap the data keys of users. All other keys are derived from the root key, which is sealed under each of them.
 */
import { randomBytes } from 'node:crypto';
import { StartupRefused } from '../errors.js';
import type { Database } from '../postgres/database.js';
import { isStillReferenced } from '../postgres/failure.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { masterKeyCheckValue } from './master-key.js';
import { addMasterKey, deleteMasterKeysBefore, listMasterKeys, type MasterKeyRecord } from './master-key-store.js';
import { BrokenSeal, bindingOf, open, seal } from './sealing.js';

export interface WrappedKey {
  /** The version of the master key that wraps it. */
  readonly version: number;
  readonly wrapped: Buffer;
}

export interface MasterKeys {
  readonly current: Buffer;
  /** Set only while the master key is being changed. */
  readonly previous: Buffer | undefined;
}

/** Table, owner and purpose of a data key. The vault adds the version of the master key. */
export type KeyBinding = readonly (string | number)[];

export class KeyVault {
  private constructor(
    readonly masters: MasterKeys,
    readonly rootKey: Buffer,
    readonly keyByVersion: ReadonlyMap<number, Buffer>,
  ) {}

  /**
   * Creates the root key of a new instance. Throws `StartupRefused` when the master key is another one, or when the
   * previous one is still needed and missing, and `BrokenSeal` when the root key was changed.
   */
  static async open(database: Database, masters: MasterKeys): Promise<KeyVault> {
    let records = await listMasterKeys(database);
    if (records.length === 0) {
      const first = recordOf(1, masters.current, randomBytes(32));
      await database.transaction((tx) => addMasterKey(tx, first));
      records = await listMasterKeys(database);
    }
    const active = records.at(-1);
    const key = active && givenKey(masters, active);
    if (!active || !key) throw wrongMasterKey();
    const rootKey = open(key, active.sealedRootKey, rootKeyBinding(active.version));
    return new KeyVault(masters, rootKey, keysByVersion(masters, records, active.version));
  }

  /** The version to wrap by. Only a process that has two keys must ask which of them is active. */
  async activeVersion(database: Queryable): Promise<number> {
    const [only, ...others] = this.keyByVersion.keys();
    if (only !== undefined && others.length === 0) return only;
    const active = (await listMasterKeys(database)).at(-1);
    const key = active && this.keyByVersion.get(active.version);
    if (!active || !key || !masterKeyCheckValue(key).equals(active.checkValue)) throw wrongMasterKey();
    return active.version;
  }

  wrap(version: number, key: Buffer, binding: KeyBinding): WrappedKey {
    return { version, wrapped: seal(this.#keyOf(version), key, bindingOf(...binding, version)) };
  }

  /** Throws `BrokenSeal` when the key was changed, or belongs to another owner, purpose or version. */
  unwrap({ version, wrapped }: WrappedKey, binding: KeyBinding): Buffer {
    return open(this.#keyOf(version), wrapped, bindingOf(...binding, version));
  }

  /** Makes the new master key the active one. Returns the version that all data keys must be wrapped by. */
  async activateNewKey(tx: Transaction): Promise<number> {
    const { current } = this.masters;
    const version = await this.activeVersion(tx);
    if (this.keyByVersion.get(version)?.equals(current)) return version;
    await addMasterKey(tx, recordOf(version + 1, current, this.rootKey));
    // Another process may have added the same version meanwhile.
    return this.activeVersion(tx);
  }

  /**
   * Ends the need for the previous master key. Returns false while it still wraps a key, also of a user who was just
   * created.
   */
  async forgetKeysBefore(database: Database, version: number): Promise<boolean> {
    try {
      await database.transaction((tx) => deleteMasterKeysBefore(tx, version));
      return true;
    } catch (error) {
      if (isStillReferenced(error)) return false;
      throw error;
    }
  }

  #keyOf(version: number): Buffer {
    const key = this.keyByVersion.get(version);
    if (!key) throw new BrokenSeal(`there is no master key of version ${version}`);
    return key;
  }
}

function recordOf(version: number, key: Buffer, rootKey: Buffer): MasterKeyRecord {
  const sealedRootKey = seal(key, rootKey, rootKeyBinding(version));
  return { version, checkValue: masterKeyCheckValue(key), sealedRootKey };
}

function rootKeyBinding(version: number): string {
  return bindingOf('master_keys', 'sealed_root_key', version);
}

function givenKey({ current, previous }: MasterKeys, { checkValue }: MasterKeyRecord): Buffer | undefined {
  return [current, previous].find((key) => key && masterKeyCheckValue(key).equals(checkValue));
}

/**
 * Includes the next key when the active one is still the previous. Throws `StartupRefused` when an older one is
 * missing.
 */
function keysByVersion(
  masters: MasterKeys,
  records: readonly MasterKeyRecord[],
  active: number,
): ReadonlyMap<number, Buffer> {
  const keys = new Map<number, Buffer>();
  for (const record of records) {
    const key = givenKey(masters, record);
    if (!key) throw previousKeyNeeded();
    keys.set(record.version, key);
  }
  if (keys.get(active)?.equals(masters.current) === false) keys.set(active + 1, masters.current);
  return keys;
}

function wrongMasterKey(): StartupRefused {
  return new StartupRefused(
    'The master key is not the one that this database uses, so its data cannot be decrypted. Restore the right ' +
      'MASTER_KEY (or the file master-key in DATA_DIR): the newest one, if it was ever changed.',
  );
}

function previousKeyNeeded(): StartupRefused {
  return new StartupRefused(
    'The master key is being changed, and some data still needs the previous one. Set MASTER_KEY_PREVIOUS to it, ' +
      'then finish the change with: ./bin/remesa keys rewrap',
  );
}
