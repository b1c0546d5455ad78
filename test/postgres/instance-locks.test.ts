/** One row decides who may change what belongs to the whole instance, also where no advisory lock excludes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/postgres/connection.js';
import { Database } from '../../src/postgres/database.js';
import { confirmInstance, lockInstance } from '../../src/postgres/instance.js';
import { lockForSwitching, lockForWrapping } from '../../src/postgres/instance-keys.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url, database: before, sql } = useTestDatabase();
/** Its connections find functions of ours before those of PostgreSQL. */
let database: Database;

beforeAll(async () => {
  await confirmInstance(before, { mode: 'sandbox', masterKeyCheck: Buffer.alloc(32) });
  await sql.query(`
    CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS '';
    CREATE FUNCTION public.pg_advisory_xact_lock_shared(bigint) RETURNS void LANGUAGE sql AS '';
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    END $$`);
  database = new Database(url, { poolSize: 4 });
  return () => database.close();
});

/** Runs the second lock in a transaction of its own while the first is held. Returns how it went. */
async function whileLocked(
  first: (tx: Transaction) => Promise<unknown>,
  second: (tx: Transaction) => Promise<unknown>,
): Promise<unknown> {
  return database.transaction(async (tx) => {
    await first(tx);
    return database.transaction(second).then(
      (result) => result ?? 'granted',
      (error: { code?: string }) => error.code,
    );
  });
}

/** The lock was not granted within the time limit. */
const timedOut = 'database_unavailable';

describe('a change of the master key', { timeout: 20 * limits.lockTimeoutMs }, () => {
  it('waits for a transaction that wraps a key, and the other way round', async () => {
    expect(await whileLocked(lockForWrapping, lockForSwitching)).toBe(timedOut);
    expect(await whileLocked(lockForSwitching, lockForWrapping)).toBe(timedOut);
  });
});

describe('transactions that wrap keys', () => {
  it('wait neither for each other nor for changes of rates and signing keys', async () => {
    expect(await whileLocked(lockForWrapping, lockForWrapping)).toBe(1);
    expect(await whileLocked(lockInstance, lockForWrapping)).toBe(1);
    expect(await whileLocked(lockForWrapping, lockInstance)).toBe('granted');
  });
});

describe('changes of rates and signing keys', () => {
  it('take turns', async () => {
    expect(await whileLocked(lockInstance, lockInstance)).toBe(timedOut);
  });
});
