/** What a database is, stamped once: its mode and its master key. A service of another kind does not start on it. */
import { timingSafeEqual } from 'node:crypto';
import { StartupRefused } from '../errors.js';
import type { Database } from './database.js';
import { statement } from './statement.js';

interface InstanceRow {
  mode: string;
  master_key_check: Buffer;
}

const stampInstance = statement(
  'instance.stamp',
  'INSERT INTO instance (mode, master_key_check) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);
const findInstance = statement<InstanceRow>('instance.find', 'SELECT mode, master_key_check FROM instance');
const findDurability = statement<{ name: string }>(
  'instance.find-durability',
  `SELECT name FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`,
);

/** False for a database that no service was started on yet. */
export async function isStamped(database: Database): Promise<boolean> {
  return (await database.query(findInstance)).length > 0;
}

/** Stamps a new database. Throws `StartupRefused` for one of another mode or another master key. */
export async function confirmInstance(
  database: Database,
  expected: { mode: 'sandbox' | 'live'; masterKeyCheck: Buffer; previousKeyCheck?: Buffer | undefined },
): Promise<void> {
  await database.transaction((tx) => tx.query(stampInstance, [expected.mode, expected.masterKeyCheck]));
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
      'The master key is not the one that this database was made with: with it nothing could be decrypted. ' +
        'Put back the right MASTER_KEY (or the file master-key in DATA_DIR).',
    );
  }
}

/** With any of these off, a power cut may lose money that was acknowledged. */
export async function refuseForgetfulServer(database: Database): Promise<void> {
  const off = await database.query(findDurability);
  if (off.length === 0) return;
  throw new StartupRefused(
    `live needs a database that keeps what it acknowledged, but this server has ${off.map((row) => row.name).join(', ')} off.`,
  );
}
