/** Records a database's mode once, and refuses to start with another mode. */
import { StartupRefused } from '../errors.js';
import type { Database } from './database.js';
import { statement, type Transaction } from './statement.js';

const insertInstance = statement('instance.stamp', 'INSERT INTO instance (mode) VALUES ($mode) ON CONFLICT DO NOTHING');
const findInstance = statement('instance.find', 'SELECT mode FROM instance').rows<{ mode: string }>();

// The row of the first migration is the lock of the instance: every database has it, nothing changes it, and a Citus
// cluster has it on the coordinator alone. Row locks on a table that every machine has, as on `instance`, end in
// deadlocks there.
const lockRow = statement(
  'instance.lock',
  'SELECT 1 AS locked FROM schema_migrations WHERE version = 1 FOR NO KEY UPDATE',
).rows<{ locked: number }>();

/** Makes changes of what belongs to the whole instance (rates, corridors, signing keys) take turns until the commit. */
export async function lockInstance(tx: Transaction): Promise<void> {
  const rows = await tx.query(lockRow);
  if (rows.length !== 1) throw new Error('the database is not migrated');
}

/** Returns false for a database on which no service was started yet. */
export async function isInitialised(database: Database): Promise<boolean> {
  return (await database.query(findInstance)).length > 0;
}

/** Initialises a new database. Throws `StartupRefused` when an existing one has another mode. */
export async function confirmInstance(database: Database, mode: 'sandbox' | 'live'): Promise<void> {
  await database.transaction((tx) => tx.query(insertInstance, { mode }));
  const [instance] = await database.query(findInstance);
  if (instance?.mode === mode) return;
  throw new StartupRefused(
    `This database is a ${instance?.mode} instance and MODE is ${mode}. Sandbox and live are two ` +
      'instances: give each its own DATA_DIR or DATABASE_URL.',
  );
}
