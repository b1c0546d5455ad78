/** Records a database's mode and master key once, and refuses to start with another mode or master key. */
import { timingSafeEqual } from 'node:crypto';
import { StartupRefused } from '../errors.js';
import type { Database } from './database.js';
import { statement, type Transaction } from './statement.js';

interface InstanceRow {
  mode: string;
  master_key_check: Buffer;
}

const insertInstance = statement(
  'instance.stamp',
  'INSERT INTO instance (mode, master_key_check) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);
const findInstance = statement<InstanceRow>('instance.find', 'SELECT mode, master_key_check FROM instance');

// The row of the first migration is the lock of the instance: every database has it, nothing changes it, and a Citus cluster
// has it on the coordinator alone. Row locks on a table that every machine has, as on `instance`, end in deadlocks there.
// NO KEY UPDATE, so that transactions that wrap keys for users, which share the row, do not wait for it.
const lockRow = statement<{ locked: number }>(
  'instance.lock',
  'SELECT 1 AS locked FROM schema_migrations WHERE version = 1 FOR NO KEY UPDATE',
);

/** Makes changes of what belongs to the whole instance (rates, corridors, signing keys) take turns until the commit. */
export async function lockInstance(tx: Transaction): Promise<void> {
  const rows = await tx.query(lockRow);
  if (rows.length !== 1) throw new Error('the database is not migrated');
}

/** Returns false for a database on which no service was started yet. */
export async function isInitialised(database: Database): Promise<boolean> {
  return (await database.query(findInstance)).length > 0;
}

/** Initialises a new database. Throws `StartupRefused` when an existing one has another mode or another master key. */
export async function confirmInstance(
  database: Database,
  expected: { mode: 'sandbox' | 'live'; masterKeyCheck: Buffer; previousKeyCheck?: Buffer | undefined },
): Promise<void> {
  await database.transaction((tx) => tx.query(insertInstance, [expected.mode, expected.masterKeyCheck]));
  const [instance] = await database.query(findInstance);
  if (instance?.mode !== expected.mode) {
    throw new StartupRefused(
      `This database is a ${instance?.mode} instance and MODE is ${expected.mode}. Sandbox and live are two ` +
        'instances: give each its own DATA_DIR or DATABASE_URL.',
    );
  }
  const accepted = [expected.masterKeyCheck, expected.previousKeyCheck].filter(
    (check) => check !== undefined,
  );
  if (!accepted.some((check) => timingSafeEqual(instance.master_key_check, check))) {
    throw new StartupRefused(
      'The master key is not the one that this database uses, so its data cannot be decrypted. Restore the right ' +
        'MASTER_KEY (or the file master-key in DATA_DIR): the newest one, if it was ever changed.',
    );
  }
}
