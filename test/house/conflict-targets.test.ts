/**
 * ON CONFLICT watches the unique indexes that it names. When a second index of the same columns exists, two
 * transactions that insert the same row at the same moment can meet there, and one of them fails.
 */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useTestDatabase } from '../harness/test-database.js';
import { sourceStatements } from './tenancy/statements.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { sql } = useTestDatabase();

/** A unique index, or what an ON CONFLICT names. */
interface Key {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The tables that a statement inserts into, each with the columns that its ON CONFLICT names. */
function targetsOf(text: string): Key[] {
  return text.split(/\bINSERT INTO /).flatMap((insert) => {
    const table = /^\w+/.exec(insert)?.[0];
    const columns = /\bON CONFLICT \(([\w, ]+)\)/.exec(insert)?.[1]?.split(/, */);
    return table && columns ? [{ table, columns }] : [];
  });
}

async function uniqueIndexes(): Promise<Key[]> {
  const { rows } = await sql.query<Key>(
    `SELECT table_of.relname AS table,
            ARRAY(SELECT a.attname::text FROM unnest(i.indkey[0 : i.indnkeyatts - 1]) AS number
                    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = number) AS columns
       FROM pg_index AS i JOIN pg_class AS table_of ON table_of.oid = i.indrelid
      WHERE i.indisunique AND table_of.relnamespace = 'public'::regnamespace`,
  );
  return rows;
}

/** The indexes in which two rows of the same target are equal too. */
const indexesMet = (indexes: readonly Key[], { table, columns }: Key) =>
  indexes.filter((index) => index.table === table && index.columns.every((name) => columns.includes(name)));

it('no statement names one of several unique indexes in which the same rows meet', async () => {
  const indexes = await uniqueIndexes();
  const targets = sourceStatements(root).statements.flatMap(({ name, sql: text }) =>
    targetsOf(text).map((target) => ({ name, target })),
  );
  expect(targets.length).toBeGreaterThan(30);
  const faulty = targets.filter(({ target }) => indexesMet(indexes, target).length !== 1);
  expect(faulty).toEqual([]);
});

it('the check finds one', async () => {
  const [target] = targetsOf(
    'WITH a AS (INSERT INTO users (merchant_id, user_id) VALUES ($1, $2) ON CONFLICT (merchant_id, user_id) DO NOTHING)',
  );
  if (!target) throw new Error('the target was not read');
  expect(indexesMet(await uniqueIndexes(), target)).toHaveLength(2);
});
