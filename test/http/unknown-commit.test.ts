/** What became of a COMMIT without an answer. A connection of the test plays the lost transaction. */
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/http/commands/idempotency.js';
import { Database } from '../../src/postgres/database.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { insertRow, newKey, valuesOf } from './key-rows.js';

const { url, sql, database } = useTestDatabase();
let lost: pg.PoolClient;

beforeEach(async () => {
  lost = await sql.connect();
});
afterEach(async () => {
  await lost.query('ROLLBACK');
  lost.release();
});

async function rowsOf(key: ReturnType<typeof newKey>) {
  const { rows } = await sql.query(
    'SELECT answer, xmin::text AS writer FROM idempotency_keys WHERE merchant_id = $1 AND scope_hash = $2',
    [key.merchantId, key.scopeHash],
  );
  return rows;
}

function untilWaiting(): Promise<boolean> {
  return eventually(async () => {
    const { rowCount } = await sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  });
}

describe('the outcome of an unknown COMMIT', () => {
  it('is the stored answer when it was committed', async () => {
    const key = newKey();
    await sql.query(insertRow, valuesOf(key));
    expect(await outcomeOf(database, key)).toEqual({ status: 200, body: 'the answer' });
  });

  it('is confirmed by a write, so that a synchronous standby has the answer before it is given', async () => {
    const key = newKey();
    await sql.query(insertRow, valuesOf(key));
    const [before] = await rowsOf(key);
    await outcomeOf(database, key);
    const [after] = await rowsOf(key);
    expect(after.answer).toBe('the answer');
    expect(after.writer).not.toBe(before.writer);
  });

  it('is nothing when there is no row, and no row is left behind', async () => {
    const key = newKey();
    expect(await outcomeOf(database, key)).toBeUndefined();
    expect(await rowsOf(key)).toEqual([]);
  });

  it.each([
    ['COMMIT', 'the answer'],
    ['ROLLBACK', undefined],
  ])('is awaited while the transaction runs: %s', async (end, answer) => {
    const key = newKey();
    await lost.query('BEGIN');
    await lost.query(insertRow, valuesOf(key));
    const outcome = outcomeOf(database, key);
    await untilWaiting();
    await lost.query(end);
    expect((await outcome)?.body).toBe(answer);
  });

  it.each([
    ['COMMIT', 'the answer'],
    ['ROLLBACK', undefined],
  ])('is awaited while the transaction renews an expired key: %s', async (end, answer) => {
    const key = newKey();
    await sql.query(insertRow, valuesOf(key));
    await sql.query(`UPDATE idempotency_keys SET answer = 'old', expires_at = clock_timestamp()`);
    await lost.query('BEGIN');
    await lost.query(
      `UPDATE idempotency_keys SET answer = 'the answer', expires_at = clock_timestamp() + interval '1 day'
        WHERE merchant_id = $1 AND scope_hash = $2`,
      [key.merchantId, key.scopeHash],
    );
    const outcome = outcomeOf(database, key);
    await untilWaiting();
    await lost.query(end);
    expect((await outcome)?.body).toBe(answer);
  });

  it('stays unknown while the transaction has not ended', async () => {
    const key = newKey();
    await lost.query('BEGIN');
    await lost.query(insertRow, valuesOf(key));
    await expect(outcomeOf(database, key)).rejects.toMatchObject({ code: 'database_unavailable' });
  });

  it('is nothing when the row is that of a request with another body', async () => {
    const key = newKey();
    await sql.query(insertRow, valuesOf({ ...key, fingerprint: newKey().fingerprint }));
    expect(await outcomeOf(database, key)).toBeUndefined();
  });

  it('stays unknown on a standby, which may not have the row yet', async () => {
    const key = newKey();
    const address = new URL(url);
    address.searchParams.set('options', '-c default_transaction_read_only=on');
    const standby = new Database(address.href, { poolSize: 1 });
    try {
      await expect(outcomeOf(standby, key)).rejects.toMatchObject({ code: 'database_unavailable' });
    } finally {
      await standby.close();
    }
  });
});
