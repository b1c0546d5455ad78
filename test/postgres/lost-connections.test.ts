import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { CommitOutcomeUnknown } from '../../src/postgres/failure.js';
import { statement, type Transaction } from '../../src/postgres/statement.js';
import { eventually } from '../harness/eventually.js';
import { slowness } from '../harness/slowness.js';
import { useTestDatabase } from '../harness/test-database.js';
import { fakeServer, fatalError, greeting } from './fake-server.js';

const ownPid = statement('test.own-pid', 'SELECT pg_backend_pid() AS pid').rows<{ pid: number }>();
const sleep = statement('test.sleep', 'SELECT pg_sleep(60)');
const lockKept = statement('test.lock', 'SELECT FROM kept FOR UPDATE');
const setLimit = statement('test.set-limit', 'SELECT set_config($name, $setting, true)');
const insertKept = statement('test.insert', `INSERT INTO kept VALUES ('half-done')`);

const { sql, url } = useTestDatabase();
beforeAll(() => sql.query('CREATE TABLE kept (line text)'));
beforeEach(() => sql.query(`TRUNCATE kept; INSERT INTO kept VALUES ('before')`));

function ownDatabase(poolSize = 1, connectionString = url): Database {
  const database = new Database(connectionString, { poolSize });
  onTestFinished(() => database.close());
  return database;
}

const pidOf = async (tx: Transaction) => (await tx.query(ownPid))[0]?.pid as number;
const unavailable = { kind: 'unavailable', code: 'database_unavailable' };

async function endBackend(pid: number): Promise<void> {
  await sql.query('SELECT pg_terminate_backend($1)', [pid]);
  await backendGone(pid);
}

function backendGone(pid: number): Promise<unknown> {
  return eventually(
    async () => (await sql.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0,
    { what: 'the end of a backend' },
  );
}

/** Expects that the pool has one working client and that the failed transaction has written nothing. */
async function expectWhole(database: Database, lost?: number): Promise<void> {
  const pid = await database.transaction(pidOf);
  if (lost !== undefined) expect(pid).not.toBe(lost);
  expect(database.poolUse()).toEqual({ total: 1, idle: 1, waiting: 0 });
  expect((await sql.query('SELECT line FROM kept')).rows).toEqual([{ line: 'before' }]);
}

describe('a statement', () => {
  it('fails when it runs into statement_timeout, and its connection stays in use', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.query(insertKept);
      await tx.query(setLimit, { name: 'statement_timeout', setting: '50' });
      await tx.query(sleep);
    });
    await expect(outcome).rejects.toMatchObject(unavailable);
    expect(await database.transaction(pidOf)).toBe(pid);
    await expectWhole(database);
  });

  it('fails when it runs into lock_timeout, and its connection stays in use', async () => {
    const database = ownDatabase(2);
    let pid = 0;
    await database.transaction(async (holder) => {
      await holder.query(lockKept);
      const outcome = database.transaction(async (tx) => {
        pid = await pidOf(tx);
        await tx.query(insertKept);
        await tx.query(setLimit, { name: 'lock_timeout', setting: '50' });
        await tx.query(lockKept);
      });
      await expect(outcome).rejects.toMatchObject(unavailable);
      expect(await database.transaction(pidOf)).toBe(pid);
    });
    expect(database.poolUse()).toEqual({ total: 2, idle: 2, waiting: 0 });
  });
});

describe('a backend', () => {
  it('is not used again when it ended an idle transaction', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.query(insertKept);
      await tx.query(setLimit, { name: 'idle_in_transaction_session_timeout', setting: '50' });
      await backendGone(pid);
      await tx.query(ownPid);
    });
    await expect(outcome).rejects.toMatchObject(unavailable);
    await expectWhole(database, pid);
  });

  it('fails the transaction when it is terminated during a statement, and is not used again', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.query(insertKept);
      await Promise.all([tx.query(sleep), endBackend(pid)]);
    });
    await expect(outcome).rejects.toMatchObject(unavailable);
    await expectWhole(database, pid);
  });

  it('leaves the outcome unknown when it is terminated during COMMIT, also when a statement was sent with it', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.query(insertKept);
      tx.query(sleep).catch(() => {});
      void endBackend(pid);
    });
    await expect(outcome).rejects.toBeInstanceOf(CommitOutcomeUnknown);
    await backendGone(pid);
    await expectWhole(database, pid);
  });

  it('fails the transaction when it is terminated between two statements, and is not used again', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.query(insertKept);
      await endBackend(pid);
      await tx.query(ownPid);
    });
    await expect(outcome).rejects.toMatchObject(unavailable);
    await expectWhole(database, pid);
  });

  it('is not used again either when it is terminated while its work ends in another error', async () => {
    const database = ownDatabase();
    let pid = 0;
    const outcome = database.transaction(async (tx) => {
      pid = await pidOf(tx);
      await endBackend(pid);
      throw new Error('something else');
    });
    await expect(outcome).rejects.toThrow('something else');
    await expectWhole(database, pid);
  });

  it('leaves the pool when it is terminated while its client is idle', async () => {
    const database = ownDatabase();
    const pid = await database.transaction(pidOf);
    await endBackend(pid);
    await eventually(() => database.poolUse().total === 0, { what: 'the lost client leaving the pool' });
    await expectWhole(database, pid);
  });

  it.each([
    ['57P01', 'terminating connection due to administrator command'],
    ['25P03', 'terminating connection due to idle-in-transaction timeout'],
    ['25P04', 'terminating connection due to transaction timeout'],
  ])(
    'fails a transaction and a read with database_unavailable when it is terminated with %s in the same packet as its greeting',
    async (code, message) => {
      const server = await fakeServer({ greeting: [...greeting, fatalError(code, message)] });
      const database = ownDatabase(1, server.url);
      await expect(database.transaction(pidOf)).rejects.toMatchObject(unavailable);
      expect(database.poolUse()).toEqual({ total: 0, idle: 0, waiting: 0 });
      await expect(database.query(ownPid)).rejects.toMatchObject(unavailable);
    },
  );
});

describe('the pool', () => {
  it('lets no caller wait longer than 2.5 s for a connection', async () => {
    const database = ownDatabase(2);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const holders = [1, 2].map(() => database.transaction(() => held));
    await eventually(() => database.poolUse().total === 2 && database.poolUse().idle === 0);
    const began = performance.now();
    const crowd = Array.from({ length: 20 }, () => database.transaction(pidOf));
    for (const outcome of await Promise.allSettled(crowd)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    }
    const tookMs = performance.now() - began;
    letGo();
    await Promise.all(holders);
    expect(tookMs).toBeLessThan(2_500 * (await slowness()));
    await database.transaction(pidOf);
    expect(database.poolUse()).toEqual({ total: 2, idle: 2, waiting: 0 });
  });

  it('fails within 2.5 s when a server accepts the connection and never answers', async () => {
    const server = await fakeServer({ greeting: [] });
    const database = ownDatabase(1, server.url);
    const began = performance.now();
    await expect(database.transaction(pidOf)).rejects.toMatchObject(unavailable);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeLessThan(2_500 * (await slowness()));
    expect(database.poolUse()).toEqual({ total: 0, idle: 0, waiting: 0 });
  });
});
