/** A sample that breaks each of the sharding rules, and the forms that keep them. */
import { expect, it } from 'vitest';
import { type Rules, shardingFaults } from './check.js';

const rules: Rules = {
  schema: new Map([
    ['public.merchants', new Set(['merchant_id', 'name'])],
    ['public.settings', new Set(['name', 'value'])],
    ['public.orders', new Set(['merchant_id', 'id', 'due_at', 'state'])],
    ['public.payments', new Set(['merchant_id', 'id', 'order_id'])],
  ]),
  functions: {
    volatile: new Set(['clock_timestamp', 'set_config', 'merchant_now', 'pg_advisory_xact_lock']),
    immutable: new Set(['make_interval']),
    readsTables: new Set(['merchant_now']),
  },
  referenceTables: new Set(['merchants']),
};
const by = 'WHERE merchant_id = $1';
const due = `SELECT id FROM orders ${by} LIMIT 10 FOR UPDATE SKIP LOCKED`;
const insert = 'INSERT INTO orders (merchant_id, id)';

it.each([
  [1, `UPDATE orders SET due_at = clock_timestamp() ${by}`],
  [1, `DELETE FROM orders ${by} AND due_at < clock_timestamp()`],
  [1, `${insert} VALUES ($1, $2) RETURNING clock_timestamp()`],
  [1, 'UPDATE settings SET value = CASE WHEN $1 THEN now()::text ELSE value END'],
  [1, `UPDATE orders SET due_at = coalesce(due_at, now()) ${by}`],
  [1, `UPDATE orders SET state = g.states::text[] FROM unnest($2::text[]) AS g (states) ${by}`],
  [2, `${insert} VALUES ($1, $2) ON CONFLICT (merchant_id, id) DO UPDATE SET due_at = now()`],
  [3, 'DELETE FROM orders WHERE id = $1'],
  [3, 'UPDATE orders SET state = $2 WHERE merchant_id = ANY ($1)'],
  [
    3,
    `UPDATE orders AS o SET state = 'x' FROM unnest($1::bigint[]) AS g (merchant_id) WHERE o.merchant_id = g.merchant_id`,
  ],
  [3, `${insert} SELECT merchant_id, id FROM payments`],
  [3, 'SELECT id FROM orders WHERE due_at < $1 FOR UPDATE SKIP LOCKED'],
  [4, 'SELECT 1 FROM orders AS o JOIN payments AS p USING (merchant_id) WHERE o.merchant_id = $1 FOR UPDATE OF o'],
  [4, `WITH due AS (${due}) UPDATE orders AS o SET state = $2 FROM due WHERE o.merchant_id = $1 AND o.id = due.id`],
  [4, `DELETE FROM orders ${by} AND id IN (${due})`],
  [4, `DELETE FROM orders AS o USING (${due}) AS due WHERE o.merchant_id = $1 AND o.id = due.id`],
  [5, `SELECT ctid FROM orders ${by}`],
  [5, 'WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n) SELECT x FROM n'],
  [5, "SELECT set_config('synchronous_commit', 'off', true)"],
  [5, `SELECT CASE $2 WHEN 'a' THEN 1 END FROM orders ${by}`],
  [5, `${insert} VALUES ($1, (SELECT value FROM settings))`],
  [5, 'SELECT 1 FROM merchants AS m WHERE EXISTS (SELECT FROM orders AS o WHERE o.merchant_id = m.merchant_id)'],
  [6, `SELECT id FROM orders ${by} AND due_at < merchant_now($1)`],
  [7, 'SELECT pg_advisory_xact_lock($1)'],
])('rule %i is broken by %s', async (rule, sql) => {
  const faults = await shardingFaults(sql, rules);
  expect(faults.map((fault) => Number(fault.split(':')[0]))).toContain(rule);
});

it.each([
  `UPDATE orders SET due_at = statement_timestamp() ${by} AND id = $2`,
  `UPDATE orders SET due_at = coalesce(due_at, clock.at) FROM (SELECT now() AS at) AS clock ${by} RETURNING clock.at`,
  `INSERT INTO orders (merchant_id, due_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (merchant_id, id) DO UPDATE SET due_at = excluded.due_at`,
  'UPDATE orders AS o SET state = $2 FROM payments AS p WHERE o.merchant_id = p.merchant_id AND p.merchant_id = $1',
  `${insert} SELECT p.merchant_id, p.id FROM payments AS p WHERE p.merchant_id = $1`,
  `${insert} SELECT $1, id FROM unnest($2::text[]) AS id`,
  `DELETE FROM orders ${by} AND id = ANY (ARRAY(${due}))`,
  'SELECT DISTINCT merchant_id FROM orders WHERE due_at < $1',
  `SELECT CASE WHEN $2 = 'a' THEN 1 END FROM orders ${by}`,
  'UPDATE merchants SET name = $2 WHERE name = $1',
  'UPDATE settings SET value = $1',
])('the rules are kept by %s', async (sql) => {
  expect(await shardingFaults(sql, rules)).toEqual([]);
});
