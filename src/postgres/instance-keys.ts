/** The rows that say which master key is in force. */
import { type Queryable, statement, type Transaction } from './statement.js';

export interface InstanceKeys {
  /** The version whose check value the instance has now. */
  readonly version: number;
  readonly check: Buffer;
  /** Set while user keys of the version before are left. */
  readonly previousCheck: Buffer | undefined;
  readonly sealedRootKey: Buffer | undefined;
  /** The format of everything that is sealed; 1 until the upgrade of an older database is finished. */
  readonly sealing: number;
}

interface KeysRow {
  master_key_version: number;
  master_key_check: Buffer;
  previous_key_check: Buffer | null;
  root_key: Buffer | null;
  sealing: number;
}

const findKeys = statement<KeysRow>(
  'instance-keys.find',
  'SELECT master_key_version, master_key_check, previous_key_check, root_key, sealing FROM instance',
);
const keepRootKey = statement(
  'instance-keys.keep-root-key',
  'UPDATE instance SET root_key = $1 WHERE root_key IS NULL',
);
const lockShared = statement<{ master_key_version: number }>(
  'instance-keys.lock-shared',
  'SELECT master_key_version FROM instance, (SELECT pg_advisory_xact_lock_shared(1835365481)) AS lock',
);
const lockAlone = statement('instance-keys.lock-alone', 'SELECT pg_advisory_xact_lock(1835365481)');
const switchKey = statement(
  'instance-keys.switch',
  `UPDATE instance SET master_key_version = master_key_version + 1, previous_key_check = master_key_check,
          master_key_check = $1, root_key = $2`,
);
const stampFormat = statement(
  'instance-keys.stamp-sealing',
  'UPDATE instance SET sealing = $1, root_key = $2',
);
const tryLockUpgrade = statement<{ taken: boolean }>(
  'instance-keys.try-lock-upgrade',
  'SELECT pg_try_advisory_xact_lock(1935763820) AS taken',
);
const forgetPrevious = statement(
  'instance-keys.forget-previous',
  'UPDATE instance SET previous_key_check = NULL',
);

export async function findInstanceKeys(database: Queryable): Promise<InstanceKeys> {
  const [row] = await database.query(findKeys);
  if (!row) throw new Error('the instance is not stamped');
  return {
    version: row.master_key_version,
    check: row.master_key_check,
    previousCheck: row.previous_key_check ?? undefined,
    sealedRootKey: row.root_key ?? undefined,
    sealing: row.sealing,
  };
}

/** The first one stays: nodes that start at once all end up with the same. */
export async function keepFirstRootKey(tx: Transaction, sealedRootKey: Buffer): Promise<void> {
  await tx.query(keepRootKey, [sealedRootKey]);
}

/**
 * The version to wrap by. Whoever wraps holds this lock until he commits, so that an exchange of the master key is not
 * called finished while a key wrapped by the version before is still on its way.
 */
export async function lockForWrapping(tx: Transaction): Promise<number> {
  const [row] = await tx.query(lockShared);
  if (!row) throw new Error('the instance is not stamped');
  return row.master_key_version;
}

export async function lockForSwitching(tx: Transaction): Promise<void> {
  await tx.query(lockAlone);
}

export async function switchMasterKey(tx: Transaction, check: Buffer, sealedRootKey: Buffer): Promise<void> {
  await tx.query(switchKey, [check, sealedRootKey]);
}

export async function stampSealing(tx: Transaction, format: number, sealedRootKey: Buffer): Promise<void> {
  await tx.query(stampFormat, [format, sealedRootKey]);
}

/** Of nodes that start at once, one at a time seals a batch anew. Returns false while another node does. */
export async function tryLockForUpgrade(tx: Transaction): Promise<boolean> {
  return (await tx.query(tryLockUpgrade))[0]?.taken ?? false;
}

export async function forgetPreviousKey(tx: Transaction): Promise<void> {
  await tx.query(forgetPrevious);
}
