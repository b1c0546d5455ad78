/** Writes that do not wait for the disk have a connection of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { isLockTimeout } from '../../src/postgres/failure.js';
import { statement } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url, sql, database } = useTestDatabase();
const showSetting = statement<{ synchronous_commit: string }>('test.show', 'SHOW synchronous_commit');
const addOne = statement<{ count: number }>(
  'test.add-one',
  'UPDATE counters SET count = count + 1 WHERE name = $1 RETURNING count',
);
const endItself = statement(
  'test.end-itself',
  'UPDATE counters SET count = count + 1 WHERE name = $1 AND pg_terminate_backend(pg_backend_pid()) IS NULL',
);

beforeAll(() =>
  sql.query(`CREATE TABLE counters (name text PRIMARY KEY, count int DEFAULT 0);
             INSERT INTO counters VALUES ('free'), ('locked')`),
);

describe('a relaxed write', () => {
  const session = new Database(url, { poolSize: 1, pooler: 'session' });
  const transaction = new Database(url, { poolSize: 1, pooler: 'transaction' });
  afterAll(() => Promise.all([session.close(), transaction.close()]));

  it('does not wait for the disk, while other writes do', async () => {
    expect(await database.writeRelaxed(showSetting, [])).toEqual([{ synchronous_commit: 'off' }]);
    expect(await session.writeRelaxed(showSetting, [])).toEqual([{ synchronous_commit: 'off' }]);
    expect(await database.write(showSetting, [])).toEqual([{ synchronous_commit: 'on' }]);
    expect(await database.query(showSetting)).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('leaves no setting on the connections of a pooler in transaction mode', async () => {
    expect(await transaction.writeRelaxed(showSetting, [])).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('gives up a row that stays locked, and those behind it go on', async () => {
    const client = await sql.connect();
    await client.query(`BEGIN; SELECT 1 FROM counters WHERE name = 'locked' FOR UPDATE`);
    const blocked = database.writeRelaxed(addOne, ['locked']).catch((error) => error);
    const next = database.writeRelaxed(addOne, ['free']);
    expect(await blocked).toMatchObject({ code: 'database_unavailable' });
    expect(isLockTimeout(await blocked)).toBe(true);
    expect(await next).toEqual([{ count: 1 }]);
    await client.query('ROLLBACK');
    client.release();
  });

  it('is not repeated when its connection is lost, and the next one connects again', async () => {
    await expect(database.writeRelaxed(endItself, ['free'])).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    expect(await database.writeRelaxed(addOne, ['free'])).toEqual([{ count: 2 }]);
  });
});
