import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmInstance } from '../../src/postgres/instance.js';
import { merchantNow } from '../../src/postgres/merchant-clock.js';
import { useTestDatabase } from '../harness/test-database.js';

/** The merchants get the ids 1, 2 and 3, because the database is new. */
const threeMerchants = `INSERT INTO merchants (client_id, name) VALUES ('one', '1'), ('two', '2'), ('three', '3')`;

const now = merchantNow.replaceAll('$merchantId', '$1');

describe('the clock of a merchant in the sandbox', () => {
  const { database, sql } = useTestDatabase();
  beforeAll(async () => {
    await confirmInstance(database, 'sandbox');
    await sql.query(threeMerchants);
  });
  beforeEach(() => sql.query('TRUNCATE merchant_clocks'));

  const setAhead = (merchant: number, ahead: string) =>
    sql.query('INSERT INTO merchant_clocks VALUES ($1, $2)', [merchant, ahead]);

  /** Whether the merchant's time is that of the statement, moved by `ahead`. */
  async function isAheadBy(merchant: number, ahead: string): Promise<boolean> {
    const { rows } = await sql.query(`SELECT ${now} = statement_timestamp() + $2::interval AS so`, [merchant, ahead]);
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

  it('moves within a transaction, unlike now(), and not within a statement', async () => {
    const client = await sql.connect();
    const read = async (): Promise<{ readings: number; at: string }> => {
      const text = `SELECT count(DISTINCT ${now})::int AS readings, max(${now})::text AS at
                      FROM generate_series(1, 10000)`;
      return (await client.query(text, [1])).rows[0];
    };
    await client.query('BEGIN');
    const [first, second] = [await read(), await read()];
    await client.query('COMMIT');
    client.release();
    expect([first.readings, second.readings]).toEqual([1, 1]);
    expect(second.at).not.toBe(first.at);
  });

  it('is separate for each merchant', async () => {
    await setAhead(1, '1 day');
    await setAhead(2, '5 days');
    expect(await isAheadBy(1, '1 day')).toBe(true);
    expect(await isAheadBy(2, '5 days')).toBe(true);
    expect(await isAheadBy(3, '0')).toBe(true);
  });

  it('moves only forward', async () => {
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

describe('the clock of a merchant in live', () => {
  const { database, sql } = useTestDatabase();

  it('cannot be moved, neither by a new row nor by a changed one', async () => {
    await confirmInstance(database, 'live');
    await sql.query(threeMerchants);
    const refusal = 'a merchant clock moves in the sandbox only';
    await expect(sql.query(`INSERT INTO merchant_clocks VALUES (1, '1 second')`)).rejects.toThrow(refusal);
    await sql.query(`INSERT INTO merchant_clocks VALUES (1, '0')`);
    await expect(sql.query(`UPDATE merchant_clocks SET ahead = '1 second'`)).rejects.toThrow(refusal);
  });
});

describe('the clock of a merchant in a database without a recorded mode', () => {
  const { sql } = useTestDatabase();

  it('cannot be moved, because the database is not known to be a sandbox', async () => {
    await sql.query(threeMerchants);
    await expect(sql.query(`INSERT INTO merchant_clocks VALUES (1, '1 second')`)).rejects.toThrow(
      'a merchant clock moves in the sandbox only',
    );
  });
});
