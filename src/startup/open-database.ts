/** Opens the configured database: starts the embedded one, migrates it, and checks its mode and master key. */
import type { Config } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { findMasterKey, loadMasterKey } from '../keys/master-key.js';
import { sealerOf } from '../keys/sealer.js';
import { KeyVault } from '../keys/vault.js';
import { isDistributed } from '../postgres/citus/catalogue.js';
import { Database } from '../postgres/database.js';
import { enterDataDirectory, hasCluster } from '../postgres/embedded/data-directory.js';
import { runningServerUrl } from '../postgres/embedded/running-server.js';
import { startEmbeddedPostgres } from '../postgres/embedded/server.js';
import { isDatabaseUnavailable } from '../postgres/failure.js';
import { confirmInstance, isInitialised } from '../postgres/instance.js';
import { migrate, requireMigrated } from '../postgres/migrate.js';
import { requireDurableServer, requireLimits } from '../postgres/server-checks.js';
import type { CleanupStack } from './cleanup.js';

export interface OpenOptions {
  readonly say: (message: string) => void;
  /** Called when the embedded database has stopped for good, so that no request can be served any more. */
  readonly onDatabaseLost?: (reason: string) => void;
  /** Lets a command use the embedded database of a running service instead of starting one. */
  readonly useRunningServer?: boolean;
  /** Told how many migrations the database has, and how many there are. */
  readonly onMigrating?: ((done: number, total: number) => void) | undefined;
  /** Creates and migrates nothing, so that a command with a wrong setting does not create a database. */
  readonly mustExist?: boolean;
}

export interface OpenedDatabase {
  readonly database: Database;
  readonly vault: KeyVault;
  /** Whether Citus spreads the merchants over several machines. */
  readonly isDistributed: boolean;
}

/** Throws `StartupRefused` when the database cannot be used with this configuration. */
export async function openDatabase(
  config: Config,
  options: OpenOptions,
  cleanup: CleanupStack,
): Promise<OpenedDatabase> {
  const url = await migratedUrl(config, options, cleanup);
  const database = databaseAt(url, config);
  cleanup.add(() => database.close());
  const vault = await inThreeTries(() => unlockedVault(database, config, options.mustExist));
  database.seal = sealerOf(vault.rootKey);
  return { database, vault, isDistributed: await isDistributed(database) };
}

/** Checks that the database fits the configuration, and decrypts its keys. Can be repeated. */
async function unlockedVault(database: Database, config: Config, mustExist = false): Promise<KeyVault> {
  await requireLimits(database);
  const isNew = !(await isInitialised(database));
  if (isNew && mustExist) throw emptyDatabase(config);
  // A key is created for a new database only. An existing database needs the key that it was created with.
  const current = isNew ? loadMasterKey(config) : findMasterKey(config);
  await confirmInstance(database, config.mode);
  if (config.mode === 'live') await requireDurableServer(database, config.databaseReplication);
  return KeyVault.open(database, { current, previous: config.previousMasterKey });
}

/**
 * The server answered when it was migrated, so a connection that takes too long now shows a busy server, not a lost
 * one.
 */
async function inThreeTries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 3 || !isDatabaseUnavailable(error)) throw error;
    }
  }
}

export function databaseAt(url: string, config: Config): Database {
  const { databasePoolSize: poolSize, databasePooler: pooler, databaseDirectUrl: directUrl } = config;
  return new Database(url, { poolSize, pooler, directUrl });
}

async function migratedUrl(config: Config, options: OpenOptions, cleanup: CleanupStack): Promise<string> {
  const { dataDirectory, databaseUrl } = config;
  const { say, onMigrating: onProgress } = options;
  if (options.mustExist) {
    const url = await existingUrl(config, options, cleanup);
    if ((await requireMigrated(config.databaseDirectUrl ?? url)) === 'empty') throw emptyDatabase(config);
    return url;
  }
  await enterDataDirectory(dataDirectory);
  const url = databaseUrl ?? (await embeddedUrl(dataDirectory, options, cleanup));
  const applied = await migrate(config.databaseDirectUrl ?? url, { say, onProgress });
  if (applied.length > 0) say(`Database migrated: ${applied.join(', ')}`);
  return url;
}

/** Starts the embedded database if there is one. Throws `StartupRefused` when there is no database. */
export async function existingUrl(
  { databaseUrl, dataDirectory }: Config,
  options: OpenOptions,
  cleanup: CleanupStack,
): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl;
  if (!(await hasCluster(dataDirectory))) throw noDatabaseIn(dataDirectory);
  return await embeddedUrl(dataDirectory, options, cleanup);
}

async function embeddedUrl(dataDirectory: string, options: OpenOptions, cleanup: CleanupStack): Promise<string> {
  const { say, onDatabaseLost: onLost, useRunningServer } = options;
  const runningUrl = useRunningServer ? await runningServerUrl(dataDirectory) : undefined;
  if (runningUrl) return runningUrl;
  const server = await startEmbeddedPostgres({ dataDirectory, say, ...(onLost ? { onLost } : {}) });
  cleanup.add(() => server.stop());
  return server.connectionString;
}

function noDatabaseIn(dataDirectory: string): StartupRefused {
  return new StartupRefused(
    `There is no database in ${dataDirectory}. Set DATA_DIR to the folder of your database, or DATABASE_URL to its server. To create a new database, start the service (./bin/remesa serve) or run ./bin/remesa migrate.`,
  );
}

function emptyDatabase({ databaseUrl, dataDirectory }: Config): StartupRefused {
  const location = databaseUrl === undefined ? `in ${dataDirectory}` : 'of DATABASE_URL';
  return new StartupRefused(
    `The database ${location} is empty. If it is the right one, start the service once (./bin/remesa serve) or run ./bin/remesa migrate, then try again.`,
  );
}
