/** Statements of one transaction that are sent together, without waiting for one another. */
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { statement, type Transaction } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database, sql } = useTestDatabase();
const divide = statement('together.divide', 'SELECT 1 / $by::int AS result').rows<{ result: number }>();
const read = statement('together.read', 'SELECT $value::int AS result').rows<{ result: number }>();
const insert = statement(
  'together.insert',
  'INSERT INTO merchant_clocks VALUES ($merchantId, make_interval(hours => $hours))',
);

it('answers each statement with its own rows, in one round trip', async () => {
  const results = await database.transaction((tx) => Promise.all([1, 2, 3].map((value) => tx.query(read, { value }))));
  expect(results).toEqual([[{ result: 1 }], [{ result: 2 }], [{ result: 3 }]]);
});

it('reports the first error, keeps nothing of the transaction, and the connection stays usable', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query(read, { value: 1 });
    await Promise.all([tx.query(divide, { by: 1 }), tx.query(divide, { by: 0 }), tx.query(read, { value: 2 })]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  for (let round = 0; round < 20; round += 1) {
    expect(await database.transaction((tx) => tx.query(divide, { by: 1 }))).toEqual([{ result: 1 }]);
    expect(await database.transaction((tx) => tx.query(read, { value: round }))).toEqual([{ result: round }]);
  }
});

it('reports the error of the verb whose statement failed, not that the others were refused because of it', async () => {
  class Mapped extends Error {}
  const mapping = async (tx: Transaction) => {
    try {
      return await tx.query(divide, { by: 0 });
    } catch (error) {
      // As a verb does that hands an error on through some others.
      throw await Promise.reject(new Mapped('not divisible', { cause: error })).catch((mapped) => mapped);
    }
  };
  const failing = database.transaction(async (tx) => {
    await tx.query(read, { value: 1 });
    await Promise.all([mapping(tx), tx.query(read, { value: 2 })]);
  });
  await expect(failing).rejects.toThrow(Mapped);
});

it('keeps no row that was written before a statement that failed', async () => {
  const failing = database.transaction((tx) =>
    Promise.all([tx.query(insert, { merchantId: merchantId(424242), hours: 1 }), tx.query(divide, { by: 0 })]),
  );
  await expect(failing).rejects.toThrow();
  const { rows } = await sql.query('SELECT 1 FROM merchant_clocks WHERE merchant_id = 424242');
  expect(rows).toEqual([]);
});

const keep = statement('together.keep', 'INSERT INTO kept VALUES ($number)');
const readBack = statement('together.read-back', 'SELECT number FROM kept WHERE number = $number').rows<{
  number: number;
}>();
beforeAll(() => sql.query('CREATE TABLE kept (number integer PRIMARY KEY)'));

it('keeps the order of the statements, also of those that are sent before BEGIN is answered', async () => {
  const found = await database.transaction(async (tx) => {
    const [before, , after] = await Promise.all([
      tx.query(readBack, { number: 1 }),
      tx.query(keep, { number: 1 }),
      tx.query(readBack, { number: 1 }),
    ]);
    return [before, after];
  });
  expect(found).toEqual([[], [{ number: 1 }]]);
});

it('sends BEGIN with the read that follows, and no write before it is answered', async () => {
  const sent: string[] = [];
  await watching(sent, () => database.transaction((tx) => tx.query(read, { value: 1 })));
  expect(sent).toEqual(['BEGIN', 'together.read', 'BEGIN answered', 'COMMIT']);
  sent.length = 0;
  await watching(sent, () => database.transaction((tx) => tx.query(keep, { number: 2 })));
  expect(sent).toEqual(['BEGIN', 'BEGIN answered', 'together.keep', 'COMMIT']);
});

it('writes nothing when BEGIN failed, and throws its error, whatever was sent with it', async () => {
  const works = [
    (tx: Transaction) => tx.query(keep, { number: 3 }),
    (tx: Transaction) => Promise.all([tx.query(read, { value: 1 }), tx.query(keep, { number: 3 })]),
    async (tx: Transaction) => {
      await tx.query(read, { value: 1 });
      await tx.query(keep, { number: 3 });
    },
  ];
  for (const work of works) {
    const failing = watching([], () => database.transaction<unknown>(work), 'SELECT 1 / 0');
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  }
  expect((await sql.query('SELECT FROM kept WHERE number = 3')).rows).toEqual([]);
  expect(await database.transaction((tx) => tx.query(read, { value: 7 }))).toEqual([{ result: 7 }]);
});

it('refuses a statement that is sent after its transaction has ended, whoever has the connection now', async () => {
  const left: Transaction[] = [];
  await database.transaction(async (tx) => {
    await tx.query(read, { value: 1 });
    left.push(tx);
  });
  await expect(left[0]?.query(keep, { number: 4 })).rejects.toThrow('after its transaction had ended');
});

it('refuses a statement of a branch that goes on after another one has failed: it would commit by itself', async () => {
  let goOn = () => {};
  const isRolledBack = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const branches: Promise<unknown>[] = [];
  const failing = watching({ push: (sent) => void (sent === 'ROLLBACK' && goOn()) }, () =>
    database.transaction(async (tx) => {
      branches.push(expect(isRolledBack.then(() => tx.query(keep, { number: 5 }))).rejects.toThrow('had ended'));
      await tx.query(divide, { by: 0 });
    }),
  );
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await Promise.all(branches);
  expect((await sql.query('SELECT FROM kept WHERE number = 5')).rows).toEqual([]);
});

/** Writes down what is sent, and when BEGIN was answered. `begin` is sent in the place of BEGIN. */
async function watching(
  sent: { push(text: string): unknown },
  work: () => Promise<unknown>,
  begin = 'BEGIN',
): Promise<void> {
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, asked: string | { name?: string }, ...rest: never[]) {
    const isBegin = asked === 'BEGIN';
    sent.push(typeof asked === 'string' ? asked : (asked.name ?? ''));
    const result = Reflect.apply(original, this, [isBegin ? begin : asked, ...rest]);
    if (isBegin)
      Promise.resolve(result)
        .then(() => sent.push('BEGIN answered'))
        .catch(() => {});
    return result;
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
}
