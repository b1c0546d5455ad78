/**
 * Applies the numbered SQL files of `migrations/`, forward only. Any number of nodes may start at once: each migration
 * runs in one transaction under an advisory lock, and the others wait. Nothing outlives a transaction, so a pooler in
 * between does no harm.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartupRefused } from '../errors.js';
import { queryConfig } from './connection.js';
import { statement } from './statement.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface AppliedRow {
  version: number;
  name: string;
  checksum: string;
}

const migrationLock = 0x72656d65;
const minServerVersion = 140_000;
/** Longer than at run time, because no request waits yet and a distant server may be slow to accept. */
const connectTimeoutMs = 10_000;

/** A migration may take longer than the time limits that the role has for use behind a pooler. */
const beginWithoutLimits =
  'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

const findServerVersion = statement(
  'migrate.find-server-version',
  `SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS text`,
).rows<{ version: string; text: string }>();
const tryLock = statement('migrate.try-lock', 'SELECT pg_try_advisory_xact_lock($lock) AS taken').rows<{
  taken: boolean;
}>();
const waitForLock = statement('migrate.wait-for-lock', 'SELECT pg_advisory_xact_lock($lock)');
const createHistory = statement(
  'migrate.make-history',
  `CREATE TABLE IF NOT EXISTS schema_migrations (
     version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
     applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
);
const findHistory = statement(
  'migrate.find-history',
  "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
).rows<{ found: boolean }>();
const listApplied = statement(
  'migrate.list-applied',
  'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
).rows<AppliedRow>();
const recordApplied = statement(
  'migrate.record-applied',
  'INSERT INTO schema_migrations (version, name, checksum) VALUES ($version, $name, $checksum)',
);

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  readonly say?: (message: string) => void;
  /** Told before each migration that this process applies: how many of them the database has. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Brings the schema up to date and returns the names of the migrations that it applied. Throws `StartupRefused` when
 * the server is too old, or when the database has other migrations than this version.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? readMigrations();
  return await withClient(connectionString, async (client) => {
    await requireServerVersion(client);
    const applied: string[] = [];
    while ((await readHistory(client, migrations)).length < migrations.length) {
      const name = await applyNext(client, migrations, options);
      if (name !== undefined) applied.push(name);
    }
    return applied;
  });
}

/** Checks the schema without changing it. Throws `StartupRefused` when it is not the schema of this version. */
export async function requireMigrated(connectionString: string): Promise<'empty' | 'migrated'> {
  const migrations = readMigrations();
  return await withClient(connectionString, async (client) => {
    await requireServerVersion(client);
    const applied = await readHistory(client, migrations);
    if (applied.length === 0) return 'empty';
    const [next] = migrations.slice(applied.length);
    if (!next) return 'migrated';
    throw new StartupRefused(
      `The database is older than this Remesa: it lacks migration ${next.name}. Start the service of this version (./bin/remesa serve), or run ./bin/remesa migrate, then try again.`,
    );
  });
}

/** Returns the migrations that the database has. Throws `StartupRefused` when they are not those of this version. */
async function readHistory(client: pg.Client, known: readonly Migration[]): Promise<AppliedRow[]> {
  const history = await client.query<{ found: boolean }>(findHistory.text);
  if (!history.rows[0]?.found) return [];
  const applied = (await client.query<AppliedRow>(listApplied.text)).rows;
  requireKnownHistory(applied, known);
  return applied;
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString,
    application_name: 'remesa migrate',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export function readMigrations(folder: string = migrationsFolder()): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
    if (version !== index + 1) throw new Error(`${file} must be numbered ${String(index + 1).padStart(4, '0')}`);
    const sql = readFileSync(join(folder, file), 'utf8');
    return { version, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

function migrationsFolder(): string {
  return fileURLToPath(new URL('../../migrations', import.meta.url));
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const result = await client.query<{ version: string; text: string }>(findServerVersion.text);
  const server = result.rows[0];
  if (Number(server?.version) < minServerVersion) {
    throw new StartupRefused(`Remesa needs PostgreSQL 14 or newer; the server of DATABASE_URL is ${server?.text}.`);
  }
}

async function takeLock(client: pg.Client, say?: (message: string) => void): Promise<void> {
  const attempt = await client.query<{ taken: boolean }>(queryConfig('none', tryLock, { lock: migrationLock }));
  if (attempt.rows[0]?.taken) return;
  say?.('Another node is migrating the database; waiting for it …');
  await client.query(queryConfig('none', waitForLock, { lock: migrationLock }));
}

function requireKnownHistory(applied: readonly AppliedRow[], known: readonly Migration[]): void {
  for (const [index, row] of applied.slice(0, known.length).entries()) {
    const migration = known[index];
    if (migration?.version !== row.version || migration.checksum !== row.checksum) {
      throw new StartupRefused(
        `Migration ${row.name} of the database is not one of this Remesa: a version that was never released made the ` +
          'database, or the file was edited after it was applied. Start with a new, empty database, or restore the file.',
      );
    }
  }
  if (applied.length > known.length) {
    throw new StartupRefused(
      `The database is newer than this Remesa: it has migration ${applied.at(-1)?.name}, which this version does not know. ` +
        'Start the newer version again, or restore a backup that was made before the upgrade.',
    );
  }
}

/** Applies the first missing migration and returns its name. Returns undefined when another node was faster. */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  { say, onProgress }: MigrateOptions,
): Promise<string | undefined> {
  await client.query(beginWithoutLimits);
  try {
    await takeLock(client, say);
    await client.query(createHistory.text);
    const { length: done } = await readHistory(client, migrations);
    const next = migrations[done];
    if (next) {
      onProgress?.(done, migrations.length);
      await apply(client, next);
    }
    await client.query('COMMIT');
    return next?.name;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function apply(client: pg.Client, { version, name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
    await client.query(queryConfig('none', recordApplied, { version, name, checksum }));
  } catch (error) {
    throw new Error(`migration ${name} failed and was rolled back`, { cause: error });
  }
}
