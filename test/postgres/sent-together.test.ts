/** Statements of one transaction that are sent together, without waiting for one another. */
import { Socket } from 'node:net';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { statement, type Transaction } from '../../src/postgres/statement.js';
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

it('sends what is asked in the same moment in one packet, with BEGIN', async () => {
  const work = () =>
    database.transaction((tx) => Promise.all([1, 2, 3].map((value) => tx.query(read, [value]))));
  await work();
  // BEGIN with the three reads, then COMMIT.
  expect(await packetsOf(work)).toBe(2);
});

async function packetsOf(work: () => Promise<unknown>): Promise<number> {
  const socket = Socket.prototype as unknown as Record<'_write' | '_writev', () => void>;
  const spies = [vi.spyOn(socket, '_write'), vi.spyOn(socket, '_writev')];
  await work();
  const packets = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return packets;
}

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

it('reports the error of the verb whose statement failed, not that the others were refused because of it', async () => {
  class Mapped extends Error {}
  const mapping = async (tx: Transaction) => {
    try {
      return await tx.query(divide, [0]);
    } catch (error) {
      // As a verb does that hands an error on through some others.
      throw await Promise.reject(new Mapped('not divisible', { cause: error })).catch((mapped) => mapped);
    }
  };
  const failing = database.transaction(async (tx) => {
    await tx.query(read, [1]);
    await Promise.all([mapping(tx), tx.query(read, [2])]);
  });
  await expect(failing).rejects.toThrow(Mapped);
});

it('keeps no row that was written before a statement that failed', async () => {
  const failing = database.transaction((tx) =>
    Promise.all([tx.query(insert, [424242, 1]), tx.query(divide, [0])]),
  );
  await expect(failing).rejects.toThrow();
  const { rows } = await sql.query('SELECT 1 FROM merchant_clocks WHERE merchant_id = 424242');
  expect(rows).toEqual([]);
});

const keep = statement('together.keep', 'INSERT INTO kept VALUES ($1)');
const readBack = statement<{ number: number }>(
  'together.read-back',
  'SELECT number FROM kept WHERE number = $1',
);
beforeAll(() => sql.query('CREATE TABLE kept (number integer PRIMARY KEY)'));

it('keeps the order of the statements, also of those that are sent before BEGIN is answered', async () => {
  const found = await database.transaction(async (tx) => {
    const [before, , after] = await Promise.all([
      tx.query(readBack, [1]),
      tx.query(keep, [1]),
      tx.query(readBack, [1]),
    ]);
    return [before, after];
  });
  expect(found).toEqual([[], [{ number: 1 }]]);
});

it('sends BEGIN with the reads that follow, and no write before it is answered', async () => {
  const sent: string[] = [];
  await watching(sent, () => database.transaction((tx) => tx.query(read, [1])));
  expect(sent).toEqual(['BEGIN', 'together.read', 'BEGIN answered', 'COMMIT']);
  sent.length = 0;
  await watching(sent, () => database.transaction((tx) => tx.query(keep, [2])));
  expect(sent).toEqual(['BEGIN', 'BEGIN answered', 'together.keep', 'COMMIT']);
});

it('writes nothing when BEGIN failed, and throws its error, whatever was sent with it', async () => {
  const works = [
    (tx: Transaction) => tx.query(keep, [3]),
    (tx: Transaction) => Promise.all([tx.query(read, [1]), tx.query(keep, [3])]),
    async (tx: Transaction) => {
      await tx.query(read, [1]);
      await tx.query(keep, [3]);
    },
    async () => undefined,
  ];
  for (const work of works) {
    const failing = watching([], () => database.transaction<unknown>(work), 'SELECT 1 / 0');
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  }
  expect((await sql.query('SELECT FROM kept WHERE number = 3')).rows).toEqual([]);
  expect(await database.transaction((tx) => tx.query(read, [7]))).toEqual([{ result: 7 }]);
});

describe('a statement whose answer nobody needs', () => {
  const keptOnes = async () => (await sql.query('SELECT number FROM kept WHERE number >= 10')).rows;
  beforeEach(() => sql.query('DELETE FROM kept WHERE number >= 10'));

  it('leaves in one packet with COMMIT, and in its order before what follows', async () => {
    const work = (number: number) => async (tx: Transaction) => {
      await tx.query(read, [1]);
      tx.send(keep, [number]);
    };
    await database.transaction(work(10));
    // BEGIN with the read, then the statement with COMMIT.
    expect(await packetsOf(() => database.transaction(work(11)))).toBe(2);
    const found = await database.transaction(async (tx) => {
      tx.send(keep, [12]);
      return tx.query(readBack, [12]);
    });
    expect(found).toEqual([{ number: 12 }]);
    expect(await keptOnes()).toHaveLength(3);
  });

  const ways: Record<string, (tx: Transaction) => unknown> = {
    'at COMMIT': () => {},
    'at the statement that follows': (tx) => tx.query(keep, [11]),
    'after other statements of its kind': (tx) => tx.send(keep, [11]),
    'at the end of a rehearsal': () => {},
  };
  it.each(Object.entries(ways))('fails the transaction with its own error: %s', async (name, follow) => {
    const failing = database.transaction(async (tx) => {
      const work = async () => {
        await tx.query(keep, [10]);
        tx.send(keep, [10]);
        await follow(tx);
      };
      await (name.includes('rehearsal') ? tx.rehearse(work) : work());
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await keptOnes()).toEqual([]);
    expect(await database.transaction((tx) => tx.query(read, [7]))).toEqual([{ result: 7 }]);
  });
});

/** Writes down what is sent, and when BEGIN was answered. `begin` is sent in the place of BEGIN. */
async function watching(sent: string[], work: () => Promise<unknown>, begin = 'BEGIN'): Promise<void> {
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (
    this: pg.Client,
    asked: string | { name?: string },
    ...rest: never[]
  ) {
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
