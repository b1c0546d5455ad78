/** A test file's own database, cloned from the migrated template and dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { limits } from '../../src/postgres/connection.js';
import { Database } from '../../src/postgres/database.js';
import { withDatabaseName } from './database-url.js';

export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** A plain connection for looking at rows; not bound by the service's limits. */
  readonly sql: pg.Pool;
}

export function useTestDatabase(options: { template?: string } = {}): TestDatabase {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const url = withDatabaseName(inject('postgresUrl'), name);
  const sql = new pg.Pool({ connectionString: url, max: 4 });
  sql.on('error', () => {});
  const database = new Database(url, { poolSize: 8 });

  beforeAll(async () => {
    await administer(`CREATE DATABASE ${name} TEMPLATE ${options.template ?? inject('template')}`);
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

/** On every machine of a cluster, because each has its part of a database. */
async function administer(statement: string): Promise<void> {
  for (const server of [inject('postgresUrl'), ...inject('otherServers')]) await run(server, statement);
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
