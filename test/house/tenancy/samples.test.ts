/** What the tenancy check lets pass and what it stops: one sample for each form of statement, function and source. */
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../harness/test-database.js';
import { tenancyFaults } from './check.js';
import { functionFaults } from './function-bodies.js';
import { looksLikeSql } from './looks-like-sql.js';
import { readSchema } from './schema.js';
import { statementsOf } from './statements.js';

const schema = new Map([
  ['public.countries', new Set(['code', 'name'])],
  ['public.merchants', new Set(['id', 'client_id'])],
  ['public.orders', new Set(['merchant_id', 'id', 'user_id'])],
  ['public.payments', new Set(['merchant_id', 'id', 'order_id'])],
]);
const by = 'FROM orders o WHERE o.merchant_id = $1';

describe('a statement that stays with its merchant passes', () => {
  it.each([
    'SELECT name FROM countries',
    'SELECT 1 FROM orders WHERE $1 = orders.merchant_id::bigint',
    'SELECT 1 FROM orders WHERE merchant_id = ANY ($1)',
    'SELECT 1 FROM orders WHERE (merchant_id, id) = ($1, $2) FOR UPDATE',
    'SELECT 1 FROM orders o LEFT JOIN payments p ON p.merchant_id = o.merchant_id WHERE o.merchant_id = $1',
    'SELECT 1 FROM orders JOIN payments USING (merchant_id) WHERE merchant_id = $1',
    `SELECT 1 ${by} AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.merchant_id = o.merchant_id)`,
    `WITH mine AS (SELECT merchant_id ${by}) SELECT 1 FROM payments p JOIN mine ON mine.merchant_id = p.merchant_id`,
    'WITH orders AS (SELECT 1 AS x) SELECT x FROM orders',
    'SELECT 1 FROM archive.orders',
    'UPDATE orders o SET user_id = 1 FROM payments p WHERE o.merchant_id = $1 AND p.merchant_id = o.merchant_id',
    'UPDATE orders o SET user_id = 1 FROM unnest($1::bigint[]) AS g (merchant_id) WHERE o.merchant_id = g.merchant_id',
    'DELETE FROM orders o USING payments p WHERE o.merchant_id = p.merchant_id AND p.merchant_id = $1',
    'INSERT INTO orders (merchant_id, id) VALUES ($1, $2) ON CONFLICT (merchant_id, id) DO UPDATE SET user_id = 1',
  ])('%s', async (sql) => {
    expect(await tenancyFaults(sql, schema)).toEqual([]);
  });
});

describe('a statement that can reach past its merchant is stopped', () => {
  it.each([
    ['SELECT id FROM orders', 'orders is not bound'],
    ['SELECT id FROM orders WHERE merchant_id = $1 OR id = $2', 'orders is not bound'],
    ['SELECT id FROM orders WHERE NOT merchant_id = $1', 'orders is not bound'],
    ['SELECT id FROM orders WHERE merchant_id > $1', 'orders is not bound'],
    ['SELECT id FROM orders WHERE merchant_id IN (SELECT id FROM merchants)', 'orders is not bound'],
    ['SELECT 1 FROM orders o WHERE o.merchant_id = o.merchant_id', 'orders as o is not bound'],
    ['SELECT 1 FROM orders o JOIN merchants m ON m.id = o.merchant_id', 'orders as o is not bound'],
    ['SELECT 1 FROM orders GROUP BY merchant_id HAVING merchant_id = $1', 'orders is not bound'],
    [`SELECT 1 FROM payments p, orders o WHERE p.order_id = o.id AND o.merchant_id = $1`, 'payments as p is not'],
    ['SELECT 1 FROM orders o LEFT JOIN countries c ON o.merchant_id = $1', 'orders as o is not bound'],
    ['SELECT 1 FROM orders o FULL JOIN countries c ON o.merchant_id = $1', 'orders as o is not bound'],
    ['WITH orders AS (SELECT * FROM orders) SELECT 1 FROM orders', 'orders is not bound'],
    ['WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone', 'orders is not bound'],
    [`SELECT 1 ${by} AND EXISTS (SELECT 1 FROM payments p WHERE o.merchant_id = $1)`, 'payments as p is not'],
    [`SELECT id ${by} UNION SELECT id FROM payments`, 'payments is not bound'],
    ['SELECT 1 FROM orders o, LATERAL (SELECT o.merchant_id) e WHERE o.merchant_id = e.merchant_id', 'orders as o'],
    ['SELECT 1 FROM orders AS o (a, merchant_id) WHERE o.merchant_id = $1', 'orders as o is not bound'],
    [
      'SELECT 1 FROM orders o JOIN (SELECT 1 AS x, $1 + x.y AS merchant_id FROM x) d USING (merchant_id)',
      'orders as o',
    ],
    ['UPDATE public.orders SET user_id = $1 WHERE id = $2', 'orders is not bound'],
    ['INSERT INTO orders (merchant_id, id) SELECT merchant_id, id FROM payments', 'payments is not bound'],
    ['INSERT INTO orders VALUES ($1, $2, $3)', 'the INSERT into orders does not list merchant_id'],
    ['INSERT INTO orders (merchant_id) VALUES ($1) ON CONFLICT (id) DO NOTHING', 'does not name merchant_id'],
    ['UPDATE orders SET merchant_id = $2 WHERE merchant_id = $1', 'gives its rows to another merchant'],
    ['TRUNCATE orders', 'orders is touched as a whole'],
    ['MERGE INTO countries USING orders ON true WHEN MATCHED THEN DO NOTHING', 'MERGE is not in PostgreSQL 14'],
    ['SELECT 1; SELECT 2', 'holds 2 statements'],
  ])('%s', async (sql, fault) => {
    expect((await tenancyFaults(sql, schema)).join()).toContain(fault);
  });
});

describe('a function of the database', () => {
  const { sql } = useTestDatabase();
  const trigger = 'RETURNS trigger LANGUAGE plpgsql';
  it.each([
    ['() RETURNS bigint LANGUAGE sql', '/* é */ SELECT 1; SELECT count(*) FROM orders', 'orders is not bound'],
    ['(id bigint) RETURNS bigint LANGUAGE sql', 'SELECT 1 FROM orders WHERE merchant_id = id', 'orders is not bound'],
    ['(m bigint) RETURNS bigint LANGUAGE sql', 'SELECT 1::bigint FROM orders WHERE merchant_id = m', ''],
    [`() ${trigger}`, 'BEGIN PERFORM 1 FROM orders WHERE merchant_id = NEW.merchant_id; END', ''],
    [`() ${trigger}`, 'DECLARE n int; BEGIN n := (SELECT count(*) FROM orders); END', 'orders is not bound'],
    [`() ${trigger}`, `BEGIN EXECUTE 'x'; END`, 'EXECUTE hides its SQL'],
  ])('%s %s', async (head, body, fault) => {
    const client = await sql.connect();
    await client.query(`BEGIN; SET LOCAL check_function_bodies = off; CREATE FUNCTION sample${head} AS $$ ${body} $$`);
    const faults = await functionFaults(client, schema);
    await client.query('ROLLBACK');
    client.release();
    const ofSample = faults.filter((each) => each.startsWith('function sample:'));
    expect(ofSample).toEqual(fault === '' ? [] : [expect.stringContaining(fault)]);
  });
});

describe('the statements of a source file', () => {
  const head = `import { statement } from '../postgres/statement.js';\nimport { listed } from './columns-store.js';
    const columns = 'id, name';\n`;
  const others: Record<string, string> = {
    'src/users/columns-store.ts': `export const listed = 'a' as const;`,
  };
  const read = (code: string) => statementsOf('src/users/store.ts', head + code, (file) => others[file]);

  it.each([
    [`const a = statement<Row>('users.find', 'SELECT 1').rows();`, 'SELECT 1'],
    [
      `const a = statement('users.find', \`SELECT \${columns} FROM t WHERE a = $name\`);`,
      'SELECT id, name FROM t WHERE a = $1',
    ],
    [`const a = statement('users.find', 'SELECT ' + listed);`, 'SELECT a'],
  ])('are read: %s', (code, sql) => {
    const where = { name: 'users.find', where: 'src/users/store.ts:4', rooms: ['users', 'store'] };
    expect(read(code)).toEqual({ statements: [{ ...where, sql }], faults: [] });
  });

  it.each([
    [`const a = (t: string) => statement('users.find', \`SELECT 1 FROM \${t}\`);`, "SQL that can't be read"],
    [`const a = (n: string) => statement(n, "SELECT 1");`, "SQL that can't be read"],
    [`const a = statement('users.find', 'SELECT 1 FROM users WHERE merchant_id = $1');`, 'a value without a name'],
    ['const other = statement;', 'statement may only be called'],
    ['export { statement };', 'statement may only be called'],
    [`const a = (t: string) => \`DELETE FROM \${t}\`;`, 'SQL outside of statement(…)'],
    [`import * as sql from '../postgres/statement.js';`, 'import statement by its name'],
  ])('are refused: %s', (code, fault) => {
    expect(read(code).faults).toEqual([expect.stringContaining(`src/users/store.ts:4: ${fault}`)]);
  });

  it('are told from prose', () => {
    const sql = [
      '-- why\n INSERT INTO t VALUES (1)',
      'UPDATE t AS o SET x = 1',
      'WITH a AS (SELECT 1)',
      'select a from t',
    ];
    expect(sql.map(looksLikeSql)).toEqual([true, true, true, true]);
    const prose = ['BEGIN', 'Select a country from the list', 'Update your profile and set a password', 'with care'];
    expect(prose.map(looksLikeSql)).toEqual([false, false, false, false]);
  });
});

describe('a view', () => {
  const { sql } = useTestDatabase();
  const read = async (definition: string) => {
    const client = await sql.connect();
    try {
      await client.query(`BEGIN; CREATE VIEW seen AS ${definition}`);
      return (await readSchema(client)).get('public.seen');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };

  it('is read as a table when it shows the rows of one table with their merchant', async () => {
    const shown = await read(`SELECT merchant_id, event_id FROM deliveries WHERE state = 'pending'`);
    expect(shown).toEqual(new Set(['merchant_id', 'event_id']));
  });

  it.each([
    ['hides the merchant', 'SELECT event_id FROM deliveries'],
    ['calls something else the merchant', 'SELECT attempts AS merchant_id, event_id FROM deliveries'],
    ['joins tables', 'SELECT d.merchant_id FROM deliveries AS d JOIN orders AS o ON o.order_id = d.subject'],
    ['lists two tables', 'SELECT d.merchant_id FROM deliveries AS d, orders AS o'],
    ['has a statement inside', 'SELECT merchant_id, (SELECT count(*) FROM orders) AS n FROM deliveries'],
    ['unites two tables', 'SELECT merchant_id FROM deliveries UNION SELECT merchant_id FROM orders'],
  ])('is refused when it %s', async (_, definition) => {
    await expect(read(definition)).rejects.toThrow('tables could be read unseen through public.seen');
  });
});
