/** A test file's own database, cloned from the migrated template and dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { limits } from '../../src/postgres/connection.js';
import { withDatabaseName } from './database-url.js';
import { SealingDatabase } from './sealing-database.js';

export interface TestDatabase {
  readonly url: string;
  readonly database: SealingDatabase;
  /** A plain connection for looking at rows; not bound by the service's limits. */
  readonly sql: pg.Pool;
}

export function useTestDatabase(options: { template?: string } = {}): TestDatabase {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const url = withDatabaseName(inject('postgresUrl'), name);
  const sql = new pg.Pool({ connectionString: url, max: 4 });
  sql.on('error', () => {});
  const database = new SealingDatabase(url, { poolSize: 8 });

  beforeAll(async () => {
    strategy ??= copyStrategy();
    const template = options.template ?? inject('template');
    await administer(`CREATE DATABASE ${name} TEMPLATE ${template} ${await strategy}`);
    // A machine of a cluster does not learn the time limit of its coordinator (docs/scaling.md).
    for (const server of inject('otherServers'))
      await run(server, `ALTER DATABASE ${name} SET lock_timeout = ${limits.lockTimeoutMs}`);
  });
  afterAll(async () => {
    await Promise.all([database.close(), sql.end()]);
    await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, database, sql };
}

/** The same for all files of a worker, which have one server. */
let strategy: Promise<string> | undefined;

/** Copying files takes half as long as writing the copy into the log too. PostgreSQL 14 knows no other way. */
async function copyStrategy(): Promise<string> {
  const [row] = await run(inject('postgresUrl'), `SELECT current_setting('server_version_num')::int AS version`);
  return row.version < 150_000 ? '' : 'STRATEGY FILE_COPY';
}

/** On every machine of a cluster, because each has its part of a database. */
async function administer(statement: string): Promise<void> {
  for (const server of [inject('postgresUrl'), ...inject('otherServers')]) await run(server, statement);
}

/** One connection to each server for all files of a worker. */
const administrators = new Map<string, pg.Pool>();

async function run(connectionString: string, statement: string) {
  let administrator = administrators.get(connectionString);
  if (!administrator) {
    administrator = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 0 });
    administrator.on('error', () => {});
    administrators.set(connectionString, administrator);
  }
  return (await administrator.query(statement)).rows;
}
