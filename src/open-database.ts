/** The database that the config names: up, migrated, and proved to be the right one. */
import { mkdirSync } from 'node:fs';
import type { Config } from './config.js';
import { KeyVault } from './key-vault.js';
import { loadMasterKey, masterKeyCheckValue } from './master-key.js';
import { Database } from './postgres/database.js';
import { runningServer } from './postgres/embedded/guest.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';
import { confirmInstance, refuseForgetfulServer } from './postgres/instance.js';
import { migrate } from './postgres/migrate.js';
import type { UndoList } from './undo.js';
import { upgradeSealing } from './upgrade-sealing.js';

export interface OpenOptions {
  readonly say: (message: string) => void;
  /** Called when the embedded database is gone for good: nothing that comes in could be served any more. */
  readonly onDatabaseLost?: (reason: string) => void;
  /** A command beside a running service uses that service's embedded database instead of its own. */
  readonly asGuest?: boolean;
}

export interface OpenedDatabase {
  readonly database: Database;
  readonly vault: KeyVault;
}

export async function openDatabase(
  config: Config,
  options: OpenOptions,
  undo: UndoList,
): Promise<OpenedDatabase> {
  const { say } = options;
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDirectory, options, undo));
  const masters = { current: loadMasterKey(config), previous: config.previousMasterKey };
  const applied = await migrate(url, { say });
  if (applied.length > 0) say(`Database migrated: ${applied.join(', ')}`);
  const database = new Database(url, { poolSize: config.databasePoolSize });
  undo.add(() => database.close());
  await confirmInstance(database, {
    mode: config.mode,
    masterKeyCheck: masterKeyCheckValue(masters.current),
    previousKeyCheck: masters.previous && masterKeyCheckValue(masters.previous),
  });
  if (config.mode === 'live') await refuseForgetfulServer(database);
  const vault = await KeyVault.open(database, masters);
  await upgradeSealing(database, vault, say);
  return { database, vault };
}

async function embeddedUrl(dataDirectory: string, options: OpenOptions, undo: UndoList): Promise<string> {
  const { say, onDatabaseLost: onLost, asGuest } = options;
  const running = asGuest ? await runningServer(dataDirectory) : undefined;
  if (running) return running;
  const server = await startEmbeddedPostgres({ dataDirectory, say, ...(onLost ? { onLost } : {}) });
  undo.add(() => server.stop());
  return server.connectionString;
}
