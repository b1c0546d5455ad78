/**
 * A Citus cluster that is there already: its machines, and databases that are distributed as `remesa citus-plan` says.
 */
import pg from 'pg';
import { readTables } from '../../src/postgres/citus/catalogue.js';
import { planOf } from '../../src/postgres/citus/plan.js';
import { Database } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { withDatabaseName } from '../harness/database-url.js';

/** Few, because each table has as many parts, and each test file has a database of its own. */
const shardCount = 4;

export interface Cluster {
  readonly coordinator: string;
  readonly workers: readonly string[];
}

/** Throws when the database of the address is not the coordinator's of a cluster with workers. */
export async function findCluster(coordinator: string): Promise<Cluster> {
  const nodes = await run<{ nodename: string; nodeport: number }>(
    coordinator,
    'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 AND isactive ORDER BY groupid',
  );
  if (nodes.length === 0) throw new Error('the cluster of CITUS_URL has no workers');
  const workers = nodes.map(({ nodename, nodeport }) => {
    const url = new URL(coordinator);
    url.host = `${nodename}:${nodeport}`;
    return url.href;
  });
  return { coordinator, workers };
}

/** Creates a migrated and distributed database that others can be copied from, on every machine. */
export async function makeTemplate({ coordinator, workers }: Cluster, name: string): Promise<void> {
  for (const server of [coordinator, ...workers]) {
    await run(server, `CREATE DATABASE ${name}`);
    await run(withDatabaseName(server, name), 'CREATE EXTENSION citus');
  }
  const template = withDatabaseName(coordinator, name);
  const { hostname, port } = new URL(coordinator);
  await run(template, `SELECT citus_set_coordinator_host('${hostname}', ${port || 5432})`);
  for (const worker of workers) {
    const { hostname: host, port: workerPort } = new URL(worker);
    await run(template, `SELECT citus_add_node('${host}', ${workerPort || 5432})`);
  }
  await migrate(template);
  await distribute(template);
  for (const server of [coordinator, ...workers]) {
    await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  }
}

export async function dropEverywhere({ coordinator, workers }: Cluster, name: string): Promise<void> {
  for (const server of [coordinator, ...workers]) await run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function distribute(url: string): Promise<void> {
  const database = new Database(url, { poolSize: 1 });
  const statements = planOf(await readTables(database), shardCount);
  await database.close();
  await run(url, statements.join('\n'));
}

async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
