/** Works of one transaction that go in step, and the statements that they share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inStep, queryJoined } from '../../src/postgres/in-step.js';
import { type Statement, statement, type Transaction } from '../../src/postgres/statement.js';
import { root } from '../harness/programs.js';
import { useTestDatabase } from '../harness/test-database.js';
import { sourceStatements } from '../house/tenancy/statements.js';

const { database, sql } = useTestDatabase();
const doubled = statement<{ item: number; twice: number }>(
  'in-step.double',
  'SELECT item, 2 * item AS twice FROM unnest($2::int[]) AS item WHERE $1::bigint > 0',
);
const divided = statement(
  'in-step.divide',
  'SELECT 1 / item FROM unnest($2::int[]) AS item WHERE $1::bigint > 0',
);

async function twiceOf(tx: Transaction, item: number): Promise<number> {
  const rows = await queryJoined(tx, doubled, 7, [item]);
  return rows.find((row) => row.item === item)?.twice ?? 0;
}

it('share one statement for each step, and each work finds its own row', async () => {
  const lengths: number[] = [];
  const results = await database.transaction(async (tx) => {
    const session = tx as unknown as {
      query: (of: Statement<never>, values?: readonly unknown[]) => Promise<never[]>;
    };
    const query = session.query.bind(session);
    session.query = (of, values) => {
      lengths.push((values as [number, unknown[]])[1].length);
      return query(of, values);
    };
    return inStep(tx, [1, 2, 3, 4, 5], async (item) => twiceOf(tx, await twiceOf(tx, item)));
  });
  expect(results).toEqual([4, 8, 12, 16, 20]);
  expect(lengths).toEqual([5, 5]);
});

it('outside of a step a joined statement is for one item', async () => {
  expect(await queryJoined(database, doubled, 7, [21])).toEqual([{ item: 21, twice: 42 }]);
});

it('throw the first failure once all have ended, so that none sends a statement later', async () => {
  const ended: number[] = [];
  const failing = database.transaction((tx) =>
    inStep(tx, [1, 2, 3], async (item) => {
      try {
        if (item === 2) throw new Error('the second');
        await twiceOf(tx, await twiceOf(tx, item));
        if (item === 3) await queryJoined(tx, divided, 7, [0]);
      } finally {
        ended.push(item);
      }
    }),
  );
  await expect(failing).rejects.toThrow('the second');
  expect(ended.sort()).toEqual([1, 2, 3]);
});

it('a statement that is sent after its transaction has ended is refused, whoever has the connection now', async () => {
  const left: Transaction[] = [];
  await database.transaction(async (tx) => void left.push(tx));
  await expect(left[0]?.query(doubled, [1, [1]])).rejects.toThrow('after its transaction had ended');
});

/** The names of the statements that are given to `queryJoined` in a file. */
function joinedIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const constants = [...text.matchAll(/queryJoined\(\s*\w+,\s*(\w+),/g)].map(([, name]) => name);
  return constants.flatMap((name) => {
    const found = new RegExp(`const ${name} = statement(?:<.*?>)?\\(\\s*'([^']+)'`, 's').exec(text)?.[1];
    return found ?? [];
  });
}

it('a joined statement is planned once: for one item it costs as much as for any number', async () => {
  const { statements } = sourceStatements(root);
  const files = [...new Set(statements.map(({ where }) => where.replace(/:\d+$/, '')))];
  const names = new Set(files.flatMap(joinedIn));
  expect([...names].sort()).toContain('orders.update');
  const client = await sql.connect();
  const costs = async (text: string, mode: string) => {
    await client.query(`SET plan_cache_mode = ${mode}`);
    await client.query(`PREPARE planned AS ${text}`);
    const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const values = [1, ...Array.from({ length: count - 1 }, () => `'{NULL}'`)];
    const { rows } = await client.query(`EXPLAIN EXECUTE planned (${values.join()})`);
    await client.query('DEALLOCATE planned');
    return `${text} ${/\(cost=\S+/.exec(rows[0]['QUERY PLAN'])?.[0]}`;
  };
  try {
    for (const { name, sql: text } of statements) {
      if (!names.has(name)) continue;
      expect(await costs(text, 'force_generic_plan')).toBe(await costs(text, 'force_custom_plan'));
    }
  } finally {
    client.release();
  }
});
