import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { statement, type Transaction } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const insertKept = statement('test.insert', 'INSERT INTO kept VALUES ($line) RETURNING line').rows<{
  line: string;
}>();
const failOnZero = statement('test.divide', 'SELECT 100 / $by::int AS quotient').rows<{ quotient: number }>();
const listPrepared = statement(
  'test.list-prepared',
  `SELECT name, generic_plans + custom_plans AS uses FROM pg_prepared_statements ORDER BY name`,
).rows<{ name: string; uses: bigint }>();
const showLimits = statement(
  'test.show-limits',
  `SELECT name, setting FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
).rows<{ name: string; setting: string }>();
const integers = statement(
  'test.integers',
  `SELECT 9007199254740993 AS big, 7 AS small, '{9007199254740993,NULL}'::bigint[] AS list, NULL::bigint AS missing`,
).rows<{ big: bigint; small: number; list: bigint[]; missing: bigint | null }>();

const { database, sql, url } = useTestDatabase();
beforeAll(() => sql.query('CREATE TABLE kept (line text)'));
beforeEach(() => sql.query('TRUNCATE kept'));

async function keptLines(): Promise<string[]> {
  return (await sql.query<{ line: string }>('SELECT line FROM kept')).rows.map(({ line }) => line);
}

describe('values', () => {
  it.each([
    ['a read', () => database.query(integers)],
    ['a transaction', () => database.transaction((tx) => tx.query(integers))],
  ])('are read as bigint with every digit when they have 64 bits in %s, and smaller ones as number', async (_, ask) => {
    const [row] = await ask();
    expect(row).toMatchObject({ big: 9007199254740993n, small: 7, missing: null });
  });

  it('are read as bigint also inside an array when they have 64 bits', async () => {
    const [row] = await database.query(integers);
    expect(row?.list).toEqual([9007199254740993n, null]);
  });
});

describe('a connection', () => {
  it('prepares a named statement once, however often it is used', async () => {
    const prepared = await database.transaction(async (tx) => {
      for (const line of ['one', 'two', 'three']) await tx.query(insertKept, { line });
      return tx.query(listPrepared);
    });
    expect(prepared).toContainEqual({ name: 'test.insert', uses: 3n });
  });

  it.each([
    ['a read', (on: Database) => on.query(showLimits)],
    ['a transaction', (on: Database) => on.transaction((tx) => tx.query(showLimits))],
  ])('has limits on statements, locks and idle transactions for %s', async (_, ask) => {
    expect(await ask(database)).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '10000' },
      { name: 'lock_timeout', setting: '2000' },
      { name: 'statement_timeout', setting: '2500' },
    ]);
  });
});

describe('a transaction', () => {
  it('commits the writes of its work, and returns the result of the work', async () => {
    const answer = await database.transaction(async (tx) => {
      await tx.query(insertKept, { line: 'first' });
      return tx.query(insertKept, { line: 'second' });
    });
    expect(answer).toEqual([{ line: 'second' }]);
    expect(await keptLines()).toEqual(['first', 'second']);
  });

  it('is rolled back when its work throws, and rethrows the error', async () => {
    const thrown = new Error('changed my mind');
    const outcome = database.transaction(async (tx) => {
      await tx.query(insertKept, { line: 'undone' });
      throw thrown;
    });
    await expect(outcome).rejects.toBe(thrown);
    expect(await keptLines()).toEqual([]);
  });

  it('throws instead of committing nothing silently when its failed statement was ignored', async () => {
    const outcome = database.transaction(async (tx) => {
      await tx.query(insertKept, { line: 'lost' });
      await tx.query(failOnZero, { by: 0 }).catch(() => {});
    });
    await expect(outcome).rejects.toThrow('the transaction was rolled back instead of committed');
    expect(await keptLines()).toEqual([]);
  });

  it('returns a usable connection to the pool when it failed', async () => {
    const own = new Database(url, { poolSize: 1 });
    await expect(own.transaction((tx) => tx.query(failOnZero, { by: 0 }))).rejects.toThrow('division by zero');
    expect(await own.transaction((tx) => tx.query(failOnZero, { by: 4 }))).toEqual([{ quotient: 25 }]);
    expect(own.poolUse()).toEqual({ total: 1, idle: 1, waiting: 0 });
    await own.close();
  });
});

describe('tx.wake', () => {
  const woken: string[][] = [];
  beforeAll(() => {
    database.onWake = (jobs) => woken.push([...jobs]);
  });
  beforeEach(() => woken.splice(0));

  it('wakes each job once, when the transaction is committed and not before', async () => {
    await database.transaction(async (tx) => {
      tx.wake('orders.pay');
      tx.wake('webhooks.deliver');
      tx.wake('orders.pay');
      await tx.query(insertKept, { line: 'woke' });
      expect(woken).toEqual([]);
    });
    expect(woken).toEqual([['orders.pay', 'webhooks.deliver']]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['fails and commits all the same', (tx: Transaction) => tx.query(failOnZero, { by: 0 }).catch(() => {})],
  ])('wakes nothing when the transaction %s', async (_, work) => {
    const outcome = database.transaction(async (tx) => {
      tx.wake('orders.pay');
      await work(tx);
    });
    await expect(outcome).rejects.toThrow();
    expect(woken).toEqual([]);
  });
});

describe('a rehearsal', () => {
  it('undoes its writes and its wake-ups, and what follows it is committed', async () => {
    const woken: string[] = [];
    database.onWake = (jobs) => void woken.push(...jobs);
    await database.transaction(async (tx) => {
      tx.wake('before');
      await tx.rehearse(async () => {
        tx.wake('rehearsed');
        await tx.query(insertKept, { line: 'rehearsed' });
      });
      await tx.query(insertKept, { line: 'real' });
    });
    database.onWake = () => {};
    expect(await keptLines()).toEqual(['real']);
    expect(woken).toEqual(['before']);
  });

  it('takes the transaction with it when it fails, and throws the error', async () => {
    const rehearsed = database.transaction(async (tx) => {
      await tx.query(insertKept, { line: 'real' });
      await tx.rehearse(() => tx.query(failOnZero, { by: 0 }));
    });
    await expect(rehearsed).rejects.toThrow('division by zero');
    expect(await keptLines()).toEqual([]);
  });
});
