/** The database that the config names: up, migrated, and proved to be the right one. */
import type { Config } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { findMasterKey, loadMasterKey, masterKeyCheckValue } from '../keys/master-key.js';
import { KeyVault } from '../keys/vault.js';
import { Database } from '../postgres/database.js';
import { enterDataDirectory, holdsCluster } from '../postgres/embedded/data-directory.js';
import { runningServerUrl } from '../postgres/embedded/running-server-url.js';
import { startEmbeddedPostgres } from '../postgres/embedded/server.js';
import { confirmInstance, isStamped, refuseForgetfulServer } from '../postgres/instance.js';
import { migrate, requireMigrated } from '../postgres/migrate.js';
import type { CleanupStack } from './cleanup.js';
import { upgradeSealing } from './upgrade-sealing.js';

export interface OpenOptions {
  readonly say: (message: string) => void;
  /** Called when the embedded database is gone for good: nothing that comes in could be served any more. */
  readonly onDatabaseLost?: (reason: string) => void;
  /** A command beside a running service uses that service's embedded database instead of its own. */
  readonly useRunningServer?: boolean;
  /** Nothing is created or migrated: a command that was pointed at the wrong place must not make a database there. */
  readonly mustExist?: boolean;
}

export interface OpenedDatabase {
  readonly database: Database;
  readonly vault: KeyVault;
}

export async function openDatabase(
  config: Config,
  options: OpenOptions,
  cleanup: CleanupStack,
): Promise<OpenedDatabase> {
  const url = await migratedUrl(config, options, cleanup);
  const database = new Database(url, { poolSize: config.databasePoolSize });
  cleanup.add(() => database.close());
  const isNew = !(await isStamped(database));
  if (isNew && options.mustExist) throw neverStarted(config);
  // A key is made for a new database only: for another one it could not be the right key.
  const current = isNew ? loadMasterKey(config) : findMasterKey(config);
  const masters = { current, previous: config.previousMasterKey };
  await confirmInstance(database, {
    mode: config.mode,
    masterKeyCheck: masterKeyCheckValue(masters.current),
    previousKeyCheck: masters.previous && masterKeyCheckValue(masters.previous),
  });
  if (config.mode === 'live') await refuseForgetfulServer(database);
  const vault = await KeyVault.open(database, masters);
  await upgradeSealing(database, vault, options.say);
  return { database, vault };
}

async function migratedUrl(config: Config, options: OpenOptions, cleanup: CleanupStack): Promise<string> {
  const { dataDirectory, databaseUrl } = config;
  const { say } = options;
  if (options.mustExist) {
    if (databaseUrl === undefined && !(await holdsCluster(dataDirectory))) throw noDatabaseIn(dataDirectory);
    const url = databaseUrl ?? (await embeddedUrl(dataDirectory, options, cleanup));
    if ((await requireMigrated(url)) === 'empty') throw neverStarted(config);
    return url;
  }
  await enterDataDirectory(dataDirectory);
  const url = databaseUrl ?? (await embeddedUrl(dataDirectory, options, cleanup));
  const applied = await migrate(url, { say });
  if (applied.length > 0) say(`Database migrated: ${applied.join(', ')}`);
  return url;
}

async function embeddedUrl(
  dataDirectory: string,
  options: OpenOptions,
  cleanup: CleanupStack,
): Promise<string> {
  const { say, onDatabaseLost: onLost, useRunningServer } = options;
  const running = useRunningServer ? await runningServerUrl(dataDirectory) : undefined;
  if (running) return running;
  const server = await startEmbeddedPostgres({ dataDirectory, say, ...(onLost ? { onLost } : {}) });
  cleanup.add(() => server.stop());
  return server.connectionString;
}

function noDatabaseIn(dataDirectory: string): StartupRefused {
  return new StartupRefused(
    `There is no database in ${dataDirectory}. Set DATA_DIR to the folder of your database, or DATABASE_URL to its server. To create a new database, start the service (./bin/remesa serve) or run ./bin/remesa migrate.`,
  );
}

function neverStarted({ databaseUrl, dataDirectory }: Config): StartupRefused {
  const place = databaseUrl === undefined ? `in ${dataDirectory}` : 'of DATABASE_URL';
  return new StartupRefused(
    `The database ${place} is empty. If it is the right one, start the service once (./bin/remesa serve) or run ./bin/remesa migrate, then try again.`,
  );
}
