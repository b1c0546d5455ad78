/** The checker is itself checked: what it lets pass and what it stops, on a small made-up schema. */
import { beforeAll, describe, expect, it } from 'vitest';
import { tenancyFaults } from './tenancy/check.js';
import { readSchema, type Schema } from './tenancy/schema.js';

const migrations = [
  `CREATE TABLE countries (code text PRIMARY KEY, name text);
   CREATE TABLE merchants (id bigint PRIMARY KEY, client_id text);
   CREATE TABLE orders (merchant_id bigint, id text, user_id bigint, PRIMARY KEY (merchant_id, id));`,
  `CREATE TABLE payments (id text, order_id text, PRIMARY KEY (id));
   ALTER TABLE payments ADD COLUMN merchant_id bigint, DROP CONSTRAINT payments_pkey,
     ADD PRIMARY KEY (merchant_id, id);
   CREATE TABLE "Refunds" (merchant_id bigint PRIMARY KEY);`,
];

let schema: Schema;
beforeAll(async () => {
  schema = await readSchema(migrations);
});

describe('a statement that stays with its merchant passes', () => {
  it.each([
    ['a table of no tenant', 'SELECT name FROM countries'],
    ['an equality', 'SELECT id FROM orders WHERE merchant_id = $1 AND id = $2'],
    ['an equality the other way round', 'SELECT id FROM orders o WHERE $1 = o.merchant_id'],
    ['a cast parameter', 'SELECT id FROM orders o WHERE o.merchant_id = $1::bigint'],
    ['= ANY', 'SELECT id FROM orders WHERE merchant_id = ANY ($1)'],
    ['IN with values', 'SELECT id FROM orders WHERE merchant_id IN ($1, $2)'],
    ['row comparison', 'SELECT 1 FROM orders WHERE (merchant_id, id) = ($1, $2)'],
    [
      'a join by merchant',
      `SELECT 1 FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id
        AND p.order_id = o.id WHERE o.merchant_id = $1`,
    ],
    ['a join USING', 'SELECT 1 FROM orders JOIN payments USING (merchant_id) WHERE merchant_id = $1'],
    [
      'a left join',
      `SELECT 1 FROM orders o LEFT JOIN payments p ON p.merchant_id = o.merchant_id
        WHERE o.merchant_id = $1`,
    ],
    [
      'a correlated EXISTS',
      `SELECT 1 FROM orders o WHERE o.merchant_id = $1 AND NOT EXISTS
        (SELECT 1 FROM payments p WHERE p.merchant_id = o.merchant_id)`,
    ],
    [
      'a CTE',
      `WITH mine AS (SELECT merchant_id, id FROM orders WHERE merchant_id = $1)
        SELECT 1 FROM payments p JOIN mine ON mine.merchant_id = p.merchant_id`,
    ],
    [
      'a recursive CTE',
      `WITH RECURSIVE t AS (SELECT merchant_id, id FROM orders WHERE merchant_id = $1 UNION ALL
        SELECT o.merchant_id, o.id FROM orders o JOIN t ON t.merchant_id = o.merchant_id) SELECT * FROM t`,
    ],
    ['a CTE that hides a table', 'WITH orders AS (SELECT 1 AS x) SELECT x FROM orders'],
    [
      'rows given as parameters',
      `UPDATE orders o SET user_id = g.user_id
        FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS g (merchant_id, id, user_id)
        WHERE o.merchant_id = g.merchant_id AND o.id = g.id`,
    ],
    [
      'a lateral subquery',
      `SELECT 1 FROM orders o, LATERAL
        (SELECT 1 FROM payments p WHERE p.merchant_id = o.merchant_id) x WHERE o.merchant_id = $1`,
    ],
    [
      'UPDATE … FROM',
      `UPDATE orders o SET user_id = 1 FROM payments p
        WHERE o.merchant_id = $1 AND p.merchant_id = o.merchant_id`,
    ],
    [
      'DELETE … USING',
      `DELETE FROM orders o USING payments p
        WHERE o.merchant_id = p.merchant_id AND p.merchant_id = $1`,
    ],
    ['INSERT', 'INSERT INTO orders (merchant_id, id) VALUES ($1, $2)'],
    [
      'INSERT … ON CONFLICT',
      `INSERT INTO orders (merchant_id, id) VALUES ($1, $2)
        ON CONFLICT (merchant_id, id) DO UPDATE SET user_id = EXCLUDED.user_id`,
    ],
    ['a quoted table', 'SELECT 1 FROM "Refunds" r WHERE r."merchant_id" = $1'],
    ['a table of another schema', 'SELECT 1 FROM archive.orders'],
    ['a row lock', 'SELECT 1 FROM orders o WHERE o.merchant_id = $1 FOR UPDATE OF o'],
    ['a statement that touches no table', 'SELECT pg_advisory_xact_lock($1)'],
  ])('%s', async (_what, sql) => {
    expect(await tenancyFaults(sql, schema)).toEqual([]);
  });
});

describe('a statement that can reach past its merchant is stopped', () => {
  const orders = 'orders is not bound to a merchant_id';
  const ordersAs = 'orders as o is not bound to a merchant_id';
  const payments = 'payments as p is not bound to a merchant_id';
  it.each([
    ['no condition', 'SELECT id FROM orders', orders],
    ['by another column', 'SELECT id FROM orders WHERE id = $1', orders],
    ['under OR', 'SELECT id FROM orders WHERE merchant_id = $1 OR id = $2', orders],
    ['under NOT', 'SELECT id FROM orders WHERE NOT merchant_id = $1', orders],
    ['by inequality', 'SELECT id FROM orders WHERE merchant_id > $1', orders],
    ['NOT IN', 'SELECT id FROM orders WHERE merchant_id NOT IN ($1)', orders],
    ['IN a subquery', 'SELECT id FROM orders WHERE merchant_id IN (SELECT id FROM merchants)', orders],
    ['equal to itself', 'SELECT 1 FROM orders o WHERE o.merchant_id = o.merchant_id', ordersAs],
    ['equal to another column', 'SELECT 1 FROM orders o WHERE o.merchant_id = o.user_id', ordersAs],
    [
      'equal to a table of no tenant',
      `SELECT 1 FROM orders o JOIN merchants m ON m.id = o.merchant_id
        WHERE m.client_id = $1`,
      ordersAs,
    ],
    ['in HAVING', 'SELECT merchant_id FROM orders GROUP BY merchant_id HAVING merchant_id = $1', orders],
    [
      'a join by another column',
      `SELECT 1 FROM orders o JOIN payments p ON p.order_id = o.id
        WHERE o.merchant_id = $1`,
      payments,
    ],
    [
      'joined, but neither bound',
      `SELECT 1 FROM orders o JOIN payments o2 ON o.merchant_id = o2.merchant_id`,
      ordersAs,
    ],
    [
      'bound in the ON of a left join',
      'SELECT 1 FROM orders o LEFT JOIN countries c ON o.merchant_id = $1',
      ordersAs,
    ],
    [
      'bound in the ON of a full join',
      `SELECT 1 FROM orders o FULL JOIN countries c ON o.merchant_id = $1`,
      ordersAs,
    ],
    ['a subquery', 'SELECT (SELECT count(*) FROM orders)', orders],
    ['a CTE', 'WITH o AS (SELECT * FROM orders) SELECT 1 FROM o WHERE o.merchant_id = $1', orders],
    [
      'a CTE named after the table it reads',
      'WITH orders AS (SELECT * FROM orders) SELECT 1 FROM orders',
      orders,
    ],
    ['a CTE that deletes', 'WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone', orders],
    [
      'EXISTS',
      `SELECT 1 FROM orders o WHERE o.merchant_id = $1 AND EXISTS
        (SELECT 1 FROM payments p WHERE o.merchant_id = $1)`,
      payments,
    ],
    [
      'an alias that hides the outer one',
      `SELECT 1 FROM orders p WHERE p.merchant_id = $1 AND EXISTS
        (SELECT 1 FROM payments p WHERE p.merchant_id = p.merchant_id)`,
      payments,
    ],
    [
      'one arm of a UNION',
      'SELECT id FROM orders WHERE merchant_id = $1 UNION SELECT id FROM payments p',
      payments,
    ],
    [
      'a lateral echo of itself',
      `SELECT 1 FROM orders o, LATERAL (SELECT o.merchant_id) e
        WHERE o.merchant_id = e.merchant_id`,
      ordersAs,
    ],
    [
      'a function of its own column',
      `SELECT 1 FROM orders o, unnest(ARRAY[o.merchant_id]) AS e (merchant_id)
        WHERE o.merchant_id = e.merchant_id`,
      ordersAs,
    ],
    [
      'another column called merchant_id',
      `SELECT 1 FROM orders o JOIN
        (SELECT user_id AS merchant_id FROM payments WHERE merchant_id = $1) d USING (merchant_id)`,
      ordersAs,
    ],
    ['columns renamed', 'SELECT 1 FROM orders AS o (a, merchant_id) WHERE o.merchant_id = $1', ordersAs],
    ['schema-qualified', 'SELECT 1 FROM public.orders', orders],
    ['UPDATE', 'UPDATE orders SET user_id = $1 WHERE id = $2', orders],
    [
      'UPDATE … FROM',
      `UPDATE orders o SET user_id = 1 FROM payments p WHERE p.merchant_id = $1 AND p.order_id = o.id`,
      ordersAs,
    ],
    [
      'DELETE … USING',
      `DELETE FROM payments p USING orders o WHERE o.merchant_id = $1 AND p.order_id = o.id`,
      payments,
    ],
    [
      'INSERT … SELECT',
      'INSERT INTO orders (merchant_id, id) SELECT merchant_id, id FROM payments p',
      payments,
    ],
    [
      'INSERT without its merchant',
      'INSERT INTO orders (id) VALUES ($1)',
      'the INSERT into orders does not list merchant_id',
    ],
    [
      'INSERT without columns',
      'INSERT INTO orders VALUES ($1, $2, $3)',
      'the INSERT into orders does not list merchant_id',
    ],
    [
      'a conflict with whoever',
      'INSERT INTO orders (merchant_id, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      'the ON CONFLICT of orders does not name merchant_id among its columns',
    ],
    [
      'a changed merchant',
      'UPDATE orders SET merchant_id = $2 WHERE merchant_id = $1',
      'the UPDATE of orders gives its rows to another merchant',
    ],
    ['TRUNCATE', 'TRUNCATE orders', 'orders is touched as a whole'],
    ['COPY', 'COPY orders TO STDOUT', 'orders is touched as a whole'],
    ['EXPLAIN', 'EXPLAIN SELECT 1 FROM orders', orders],
    ['two statements', 'SELECT 1; SELECT 2', 'holds 2 statements instead of one'],
  ])('%s', async (_what, sql, fault) => {
    expect(await tenancyFaults(sql, schema)).toContain(fault);
  });
});
