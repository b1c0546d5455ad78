/** Reads from the server whether it keeps what it acknowledged, and whether its time limits are in force. */
import { StartupRefused } from '../errors.js';
import { serverLimits } from './connection.js';
import { type Queryable, statement } from './statement.js';

interface SettingRow {
  name: string;
  setting: string;
}

export interface ReplicationState {
  /** PostgreSQL's `synchronous_standby_names`. Empty: COMMIT waits for no standby. */
  readonly standbyNames: string;
  /** False when the role may not see the standbys. Then `synchronousStandbys` is 0. */
  readonly canSeeStandbys: boolean;
  readonly synchronousStandbys: number;
}

export interface ServerFacts {
  readonly version: string;
  readonly now: Date;
}

const findFacts = statement(
  'server-checks.find-facts',
  `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`,
).rows<{ version: string; now: Date }>();
// `local` waits for the disk of the primary only, even when a synchronous standby is named.
const listUnsafeSettings = statement(
  'server-checks.list-unsafe-settings',
  `SELECT name, setting FROM pg_settings
    WHERE (name IN ('fsync', 'full_page_writes') AND setting = 'off')
       OR (name = 'synchronous_commit' AND setting IN ('off', 'local')) ORDER BY name`,
).rows<SettingRow>();
const listLimits = statement(
  'server-checks.list-limits',
  'SELECT name, setting FROM pg_settings WHERE name = ANY ($names::text[]) ORDER BY name',
).rows<SettingRow>();
const findReplication = statement(
  'server-checks.find-replication',
  `SELECT current_setting('synchronous_standby_names') AS standby_names,
          pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS can_see,
          (SELECT count(*)::int FROM pg_stat_replication
            WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) AS standbys`,
).rows<{ standby_names: string; can_see: boolean; standbys: number }>();

const listTableSizes = statement(
  'server-checks.list-table-sizes',
  `SELECT nspname || '.' || relname AS name, pg_table_size(pg_class.oid)::float8 AS bytes
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND left(nspname, 3) <> 'pg_' AND nspname <> 'information_schema'`,
).rows<TableSize>();

export interface TableSize {
  /** With its schema. */
  readonly name: string;
  readonly bytes: number;
}

export async function tableSizes(database: Queryable): Promise<readonly TableSize[]> {
  return database.query(listTableSizes);
}

export async function serverFacts(database: Queryable): Promise<ServerFacts> {
  const [row] = await database.query(findFacts);
  if (!row) throw new Error('the server returned no row');
  return row;
}

/** Returns settings with which a power cut or a failover could lose committed transactions, as `fsync = off`. */
export async function unsafeSettings(database: Queryable): Promise<string[]> {
  return (await database.query(listUnsafeSettings)).map(({ name, setting }) => `${name} = ${setting}`);
}

/** Returns the time limits that are not in force, as `statement_timeout = 2500`. */
export async function missingLimits(database: Queryable): Promise<string[]> {
  const rows = await database.query(listLimits, { names: Object.keys(serverLimits) });
  const actual = new Map(rows.map(({ name, setting }) => [name, Number(setting)]));
  return Object.entries(serverLimits)
    .filter(([name, limit]) => !isWithin(actual.get(name) ?? 0, limit))
    .map(([name, limit]) => `${name} = ${limit}`);
}

export function limitsAdvice(missing: readonly string[]): string {
  return `Set DATABASE_POOLER, and run as the role of DATABASE_URL: ALTER ROLE CURRENT_USER SET ${missing.join('; ALTER ROLE CURRENT_USER SET ')};`;
}

export async function replicationState(database: Queryable): Promise<ReplicationState> {
  const [row] = await database.query(findReplication);
  return {
    standbyNames: row?.standby_names ?? '',
    canSeeStandbys: row?.can_see ?? false,
    synchronousStandbys: row?.standbys ?? 0,
  };
}

/** Says what is missing for a failover that loses nothing; undefined when nothing is. */
export function replicationFault(state: ReplicationState): string | undefined {
  if (state.standbyNames === '') return 'COMMIT waits for no standby, because synchronous_standby_names is empty';
  if (state.canSeeStandbys && state.synchronousStandbys === 0) return 'no synchronous standby is connected';
  return undefined;
}

/**
 * Throws `StartupRefused` when the server could lose committed transactions: in a power cut, or, where replication is
 * synchronous, in a failover.
 */
export async function requireDurableServer(database: Queryable, replication: 'none' | 'synchronous'): Promise<void> {
  const unsafe = await unsafeSettings(database);
  if (unsafe.length > 0) {
    throw new StartupRefused(
      `MODE=live needs a database that never loses a committed transaction, but this server has ${unsafe.join(', ')}. Set them to on.`,
    );
  }
  if (replication === 'none') return;
  const fault = replicationFault(await replicationState(database));
  if (fault === undefined) return;
  throw new StartupRefused(
    `DATABASE_REPLICATION=synchronous, but ${fault}. Start the standby, or correct synchronous_mode in Patroni (docs/scaling.md).`,
  );
}

/** Throws `StartupRefused` when statements could run without a time limit: a pooler passes on none. */
export async function requireLimits(database: Queryable): Promise<void> {
  const missing = await missingLimits(database);
  if (missing.length === 0) return;
  throw new StartupRefused(
    `The time limits of statements are not in force: a pooler such as PgBouncer does not pass them on. ${limitsAdvice(missing)}`,
  );
}

/** 0 means no limit. */
function isWithin(actual: number, limit: number): boolean {
  return actual > 0 && actual <= limit;
}
