/** SQL on the columns of `instance` that record the active master key. */
import { type Queryable, statement, type Transaction } from './statement.js';

export interface InstanceKeys {
  /** The version of the active master key. */
  readonly version: number;
  /** The check value of the active master key. */
  readonly check: Buffer;
  /** Set while user keys are still wrapped by the previous master key. */
  readonly previousCheck: Buffer | undefined;
  readonly sealedRootKey: Buffer | undefined;
}

interface KeysRow {
  master_key_version: number;
  master_key_check: Buffer;
  previous_key_check: Buffer | null;
  root_key: Buffer | null;
}

const findKeys = statement<KeysRow>(
  'instance-keys.find',
  'SELECT master_key_version, master_key_check, previous_key_check, root_key FROM instance',
);
const storeRootKey = statement(
  'instance-keys.keep-root-key',
  'UPDATE instance SET root_key = $1 WHERE root_key IS NULL',
);
/**
 * The row lock decides; `src/postgres/instance.ts` says which row it is. The advisory lock only queues: without it, a change
 * of the master key could wait for ever while new transactions keep sharing the row.
 */
const lockShared = statement<{ locked: number }>(
  'instance-keys.lock-shared',
  `SELECT 1 AS locked FROM schema_migrations AS migration, (SELECT pg_advisory_xact_lock_shared(1835365481)) AS queue
    WHERE migration.version = 1 FOR KEY SHARE OF migration`,
);
const findVersion = statement<{ master_key_version: number }>(
  'instance-keys.find-version',
  'SELECT master_key_version FROM instance',
);
const queueAlone = statement('instance-keys.queue-alone', 'SELECT pg_advisory_xact_lock(1835365481)');
const lockExclusive = statement<{ locked: number }>(
  'instance-keys.lock-alone',
  'SELECT 1 AS locked FROM schema_migrations WHERE version = 1 FOR UPDATE',
);
const switchKey = statement(
  'instance-keys.switch',
  `UPDATE instance SET master_key_version = master_key_version + 1, previous_key_check = master_key_check,
          master_key_check = $1, root_key = $2`,
);
const forgetPrevious = statement(
  'instance-keys.forget-previous',
  'UPDATE instance SET previous_key_check = NULL',
);

export async function findInstanceKeys(database: Queryable): Promise<InstanceKeys> {
  const [row] = await database.query(findKeys);
  if (!row) throw new Error('the instance is not initialised');
  return {
    version: row.master_key_version,
    check: row.master_key_check,
    previousCheck: row.previous_key_check ?? undefined,
    sealedRootKey: row.root_key ?? undefined,
  };
}

/** Does nothing if there is a root key, so that nodes that start at once use the same one. */
export async function storeFirstRootKey(tx: Transaction, sealedRootKey: Buffer): Promise<void> {
  await tx.query(storeRootKey, [sealedRootKey]);
}

/**
 * Returns the version to wrap by. The shared lock on the row lasts until the commit, so that a change of the master key does not
 * finish while a key that was wrapped by the previous master key is not committed yet.
 */
export async function lockForWrapping(tx: Transaction): Promise<number> {
  await tx.query(lockShared);
  // Read after the lock was granted: a statement that waits for a lock still sees what was there before.
  const [row] = await tx.query(findVersion);
  if (!row) throw new Error('the instance is not initialised');
  return row.master_key_version;
}

/** Waits for all transactions that wrap keys, and keeps new ones waiting until the commit. */
export async function lockForSwitching(tx: Transaction): Promise<void> {
  await tx.query(queueAlone);
  await tx.query(lockExclusive);
}

export async function switchMasterKey(tx: Transaction, check: Buffer, sealedRootKey: Buffer): Promise<void> {
  await tx.query(switchKey, [check, sealedRootKey]);
}

export async function forgetPreviousKey(tx: Transaction): Promise<void> {
  await tx.query(forgetPrevious);
}
