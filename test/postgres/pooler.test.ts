/** Behind a pooler such as PgBouncer: parameters at connect are refused, and prepared statements may be lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../src/app.js';
import { StartupRefused } from '../../src/errors.js';
import { Database } from '../../src/postgres/database.js';
import { missingLimits } from '../../src/postgres/server-checks.js';
import { statement } from '../../src/postgres/statement.js';
import { FaultProxy } from '../harness/proxy.js';
import { testConfig } from '../harness/service.js';
import { silentLog } from '../harness/silent-log.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url, sql } = useTestDatabase();
const listPrepared = statement(
  'test.list-prepared',
  `SELECT name FROM pg_prepared_statements WHERE name = 'test.list-prepared'`,
).rows<{ name: string }>();
const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const expectedLimits = [
  'statement_timeout = 2500',
  'lock_timeout = 2000',
  'idle_in_transaction_session_timeout = 10000',
];

let proxy: FaultProxy;
let pooled: string;
beforeAll(async () => {
  proxy = new FaultProxy(url);
  proxy.harm = (chunk) => (chunk.includes('_timeout\0') ? 'cut-before' : 'pass');
  pooled = await proxy.listen();
});
afterAll(() => proxy.close());

async function withDatabase<Result>(
  pooler: 'none' | 'session' | 'transaction',
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = new Database(pooler === 'none' ? url : pooled, { poolSize: 2, pooler });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

describe('with DATABASE_POOLER', () => {
  it.each(['session', 'transaction'] as const)('%s sends no time limits at connect', async (pooler) => {
    expect(await withDatabase(pooler, (database) => database.query(listPrepared))).toHaveLength(
      pooler === 'session' ? 1 : 0,
    );
  });

  it('transaction prepares no named statement, neither in reads nor in transactions', async () => {
    const prepared = await withDatabase('transaction', async (database) => [
      await database.query(listPrepared),
      await database.query(listPrepared),
      await database.transaction((tx) => tx.query(listPrepared)),
    ]);
    expect(prepared.flat()).toEqual([]);
  });

  it('finds the limits that the role lacks, and none once they are set', async () => {
    expect(await withDatabase('none', missingLimits)).toEqual([]);
    expect(await withDatabase('session', missingLimits)).toEqual(expectedLimits);
    const name = new URL(url).pathname.slice(1);
    // For this database only: a role belongs to the whole server, which other tests use.
    for (const limit of limits) await sql.query(`ALTER DATABASE ${name} SET ${limit} = 1500`);
    expect(await withDatabase('session', missingLimits)).toEqual([]);
    await sql.query(`ALTER DATABASE ${name} SET lock_timeout = 60000`);
    expect(await withDatabase('session', missingLimits)).toEqual([expectedLimits[1]]);
    for (const limit of limits) await sql.query(`ALTER DATABASE ${name} RESET ${limit}`);
  });

  it('refuses to start without the limits, with the statements that set them', async () => {
    const config = testConfig({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: url, DATABASE_POOLER: 'session' });
    const starting = startService(config, { log: silentLog, say: () => {} });
    await expect(starting).rejects.toThrow(StartupRefused);
    await expect(starting).rejects.toThrow(
      'ALTER ROLE CURRENT_USER SET statement_timeout = 2500; ALTER ROLE CURRENT_USER SET lock_timeout = 2000;',
    );
  });
});
