import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmInstance } from '../../src/postgres/instance.js';
import { useTestDatabase } from '../harness/test-database.js';

const masterKeyCheck = Buffer.alloc(32, 1);
/** The merchants get the ids 1, 2 and 3, because the database is new. */
const threeMerchants = `INSERT INTO merchants (client_id, name) VALUES ('one', '1'), ('two', '2'), ('three', '3')`;

describe('remesa_now in the sandbox', () => {
  const { database, sql } = useTestDatabase();
  beforeAll(async () => {
    await confirmInstance(database, { mode: 'sandbox', masterKeyCheck });
    await sql.query(threeMerchants);
  });
  beforeEach(() => sql.query('TRUNCATE merchant_clocks'));

  const setAhead = (merchant: number, ahead: string) =>
    sql.query('INSERT INTO merchant_clocks VALUES ($1, $2)', [merchant, ahead]);

  /** Whether the merchant's time lies between two readings of the server's clock, each moved by `ahead`. */
  async function isAheadBy(merchant: number, ahead: string): Promise<boolean> {
    const { rows } = await sql.query(
      `SELECT reading[1] + $2::interval <= reading[2] AND reading[2] <= reading[3] + $2::interval AS so
         FROM (SELECT ARRAY[clock_timestamp(), remesa_now($1), clock_timestamp()] AS reading OFFSET 0) AS readings`,
      [merchant, ahead],
    );
    return rows[0].so;
  }

  it('is the server clock for a merchant that did not move it', async () => {
    expect(await isAheadBy(1, '0')).toBe(true);
  });

  it('is ahead by as much as the merchant moved it, and keeps running', async () => {
    await setAhead(1, '3 days 2 hours');
    expect(await isAheadBy(1, '3 days 2 hours')).toBe(true);
    expect(await isAheadBy(1, '3 days 2 hours')).toBe(true);
  });

  it('moves within a transaction and within a statement, unlike now()', async () => {
    const { rows } = await sql.query(
      `SELECT count(DISTINCT remesa_now(1))::int > 1 AS moves FROM generate_series(1, 10000)`,
    );
    expect(rows).toEqual([{ moves: true }]);
  });

  it('is separate for each merchant', async () => {
    await setAhead(1, '1 day');
    await setAhead(2, '5 days');
    expect(await isAheadBy(1, '1 day')).toBe(true);
    expect(await isAheadBy(2, '5 days')).toBe(true);
    expect(await isAheadBy(3, '0')).toBe(true);
  });

  it('only moves forward', async () => {
    await setAhead(1, '1 day');
    await sql.query(`UPDATE merchant_clocks SET ahead = '2 days' WHERE merchant_id = 1`);
    await expect(
      sql.query(`UPDATE merchant_clocks SET ahead = '1 day 23 hours' WHERE merchant_id = 1`),
    ).rejects.toThrow('a merchant clock only moves forward');
    expect(await isAheadBy(1, '2 days')).toBe(true);
  });

  it('is never behind the server clock', async () => {
    await expect(setAhead(1, '-1 second')).rejects.toThrow('check constraint');
  });
});

describe('remesa_now in live', () => {
  const { database, sql } = useTestDatabase();

  it('cannot be moved, neither by a new row nor by a changed one', async () => {
    await confirmInstance(database, { mode: 'live', masterKeyCheck });
    await sql.query(threeMerchants);
    const refusal = 'a merchant clock moves in the sandbox only';
    await expect(sql.query(`INSERT INTO merchant_clocks VALUES (1, '1 second')`)).rejects.toThrow(refusal);
    await sql.query(`INSERT INTO merchant_clocks VALUES (1, '0')`);
    await expect(sql.query(`UPDATE merchant_clocks SET ahead = '1 second'`)).rejects.toThrow(refusal);
  });
});

describe('remesa_now in a database without a recorded mode', () => {
  const { sql } = useTestDatabase();

  it('cannot be moved, because the database is not known to be a sandbox', async () => {
    await sql.query(threeMerchants);
    await expect(sql.query(`INSERT INTO merchant_clocks VALUES (1, '1 second')`)).rejects.toThrow(
      'a merchant clock moves in the sandbox only',
    );
  });
});
