/** Statements of one transaction that are sent together, without waiting for one another. */
import { expect, it } from 'vitest';
import { statement } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database, sql } = useTestDatabase();
const divide = statement<{ result: number }>('together.divide', 'SELECT 1 / $1::int AS result');
const read = statement<{ result: number }>('together.read', 'SELECT $1::int AS result');
const insert = statement(
  'together.insert',
  'INSERT INTO merchant_clocks VALUES ($1, make_interval(hours => $2))',
);

it('answers each statement with its own rows, in one round trip', async () => {
  const results = await database.transaction((tx) =>
    Promise.all([1, 2, 3].map((value) => tx.query(read, [value]))),
  );
  expect(results).toEqual([[{ result: 1 }], [{ result: 2 }], [{ result: 3 }]]);
});

it('reports the first error, keeps nothing of the transaction, and the connection stays usable', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query(read, [1]);
    await Promise.all([tx.query(divide, [1]), tx.query(divide, [0]), tx.query(read, [2])]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  for (let round = 0; round < 20; round += 1) {
    expect(await database.transaction((tx) => tx.query(divide, [1]))).toEqual([{ result: 1 }]);
    expect(await database.transaction((tx) => tx.query(read, [round]))).toEqual([{ result: round }]);
  }
});

it('keeps no row that was written before a statement that failed', async () => {
  const failing = database.transaction((tx) =>
    Promise.all([tx.query(insert, [424242, 1]), tx.query(divide, [0])]),
  );
  await expect(failing).rejects.toThrow();
  const { rows } = await sql.query('SELECT 1 FROM merchant_clocks WHERE merchant_id = 424242');
  expect(rows).toEqual([]);
});
