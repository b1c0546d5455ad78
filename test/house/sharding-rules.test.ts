/** The checker of the sharding rules is itself checked: a sample that breaks each rule, and the form that keeps it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Rules, shardingFaults } from './sharding/check.js';
import { readSchema } from './tenancy/schema.js';

const migration = `
  CREATE TABLE merchants (merchant_id bigint PRIMARY KEY, name text);
  CREATE TABLE settings (name text PRIMARY KEY, value text);
  CREATE TABLE orders (merchant_id bigint, id text, due_at timestamptz, state text, PRIMARY KEY (merchant_id, id));
  CREATE TABLE payments (merchant_id bigint, id text, order_id text, PRIMARY KEY (merchant_id, id));`;

let rules: Rules;
beforeAll(async () => {
  rules = {
    schema: await readSchema([migration]),
    functions: {
      volatile: new Set(['clock_timestamp', 'set_config', 'merchant_now', 'pg_advisory_xact_lock']),
      immutable: new Set(['make_interval']),
      readsTables: new Set(['merchant_now']),
    },
    referenceTables: new Set(['merchants']),
  };
});

const broken: readonly (readonly [rule: string, sample: string, sql: string])[] = [
  [
    '1',
    'a volatile function in UPDATE',
    'UPDATE orders SET due_at = clock_timestamp() WHERE merchant_id = $1',
  ],
  [
    '1',
    'a volatile function in DELETE',
    'DELETE FROM orders WHERE merchant_id = $1 AND due_at < clock_timestamp()',
  ],
  [
    '1',
    'a volatile function in RETURNING',
    'INSERT INTO orders (merchant_id, id) VALUES ($1, $2) RETURNING clock_timestamp()',
  ],
  [
    '2',
    'a stable function in DO UPDATE',
    'INSERT INTO orders (merchant_id, id) VALUES ($1, $2) ON CONFLICT (merchant_id, id) DO UPDATE SET due_at = now()',
  ],
  [
    '1',
    'a volatile function on a table of no merchant',
    'UPDATE settings SET value = clock_timestamp()::text',
  ],
  [
    '1',
    'a stable function in CASE on a table of no merchant',
    'UPDATE settings SET value = CASE WHEN $1 THEN now()::text ELSE value END',
  ],
  [
    '1',
    'a stable function in coalesce',
    'UPDATE orders SET due_at = coalesce(due_at, now()) WHERE merchant_id = $1',
  ],
  [
    '1',
    'a stable function in RETURNING',
    'INSERT INTO orders (merchant_id, id) VALUES ($1, $2) RETURNING due_at > now()',
  ],
  [
    '5',
    'a subquery for each merchant',
    'SELECT merchant_id FROM merchants AS m WHERE EXISTS (SELECT FROM orders AS o WHERE o.merchant_id = m.merchant_id)',
  ],
  [
    '5',
    'a subquery for each merchant, beside another query',
    'SELECT merchant_id FROM orders UNION SELECT merchant_id FROM merchants AS m WHERE EXISTS (SELECT FROM orders AS o WHERE o.merchant_id = m.merchant_id)',
  ],
  [
    '1',
    'a column that is cast to an array',
    'UPDATE orders AS o SET states = g.states::text[] FROM unnest($2::text[], $3::text[]) AS g (id, states) WHERE o.merchant_id = $1 AND o.id = g.id',
  ],
  [
    '5',
    'a subquery in VALUES',
    'INSERT INTO orders (merchant_id, id) VALUES ($1, (SELECT value FROM settings))',
  ],
  ['3', 'a write without a merchant', 'DELETE FROM orders WHERE id = $1'],
  ['3', 'a write for several merchants', 'UPDATE orders SET state = $2 WHERE merchant_id = ANY ($1)'],
  [
    '3',
    'a write for the merchants of a list',
    'UPDATE orders AS o SET state = g.state FROM unnest($1::bigint[], $2::text[]) AS g (merchant_id, state) WHERE o.merchant_id = g.merchant_id',
  ],
  [
    '3',
    'an INSERT for several merchants',
    'INSERT INTO orders (merchant_id, id) SELECT merchant_id, id FROM payments',
  ],
  ['3', 'a row lock without a merchant', 'SELECT id FROM orders WHERE due_at < $1 FOR UPDATE SKIP LOCKED'],
  [
    '4',
    'a row lock over a join',
    'SELECT 1 FROM orders AS o JOIN payments AS p USING (merchant_id) WHERE o.merchant_id = $1 AND p.merchant_id = $1 FOR UPDATE OF o',
  ],
  [
    '4',
    'a row lock in a CTE',
    'WITH due AS (SELECT id FROM orders WHERE merchant_id = $1 FOR UPDATE) UPDATE orders AS o SET state = $2 FROM due WHERE o.merchant_id = $1 AND o.id = due.id',
  ],
  [
    '4',
    'a row lock in IN',
    'DELETE FROM orders WHERE merchant_id = $1 AND id IN (SELECT id FROM orders WHERE merchant_id = $1 LIMIT 10 FOR UPDATE SKIP LOCKED)',
  ],
  [
    '4',
    'a row lock in FROM',
    'DELETE FROM orders AS o USING (SELECT id FROM orders WHERE merchant_id = $1 LIMIT 10 FOR UPDATE SKIP LOCKED) AS due WHERE o.merchant_id = $1 AND o.id = due.id',
  ],
  ['5', 'ctid', 'SELECT ctid FROM orders WHERE merchant_id = $1'],
  [
    '5',
    'a recursive CTE',
    'WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n) SELECT x FROM n',
  ],
  ['5', 'set_config', "SELECT set_config('synchronous_commit', 'off', true)"],
  ['5', 'CASE over a parameter', "SELECT CASE $2 WHEN 'a' THEN 1 END FROM orders WHERE merchant_id = $1"],
  [
    '6',
    'a function that reads a table',
    'SELECT id FROM orders WHERE merchant_id = $1 AND due_at < merchant_now($1)',
  ],
  ['7', 'an advisory lock', 'SELECT pg_advisory_xact_lock($1)'],
];

describe('a statement that breaks a rule is found', () => {
  it.each(broken)('rule %s: %s', async (rule, _sample, sql) => {
    const faults = await shardingFaults(sql, rules);
    expect(faults.map((fault) => fault.split(':')[0])).toContain(rule);
  });
});

describe('a statement that keeps the rules passes', () => {
  it.each([
    [
      'the time of the statement',
      'UPDATE orders SET due_at = statement_timestamp() WHERE merchant_id = $1 AND id = $2',
    ],
    [
      'the time of the statement from a subquery',
      'UPDATE orders SET due_at = coalesce(due_at, clock.at) FROM (SELECT now() AS at) AS clock WHERE merchant_id = $1 RETURNING clock.at',
    ],
    [
      'excluded columns',
      'INSERT INTO orders (merchant_id, id, due_at) VALUES ($1, $2, clock_timestamp()) ON CONFLICT (merchant_id, id) DO UPDATE SET due_at = excluded.due_at',
    ],
    ['a row comparison', 'DELETE FROM orders WHERE (merchant_id, id) = ($1, $2)'],
    [
      'a merchant through a join',
      'UPDATE orders AS o SET state = $2 FROM payments AS p WHERE o.merchant_id = p.merchant_id AND p.merchant_id = $1',
    ],
    [
      'rows of one merchant',
      'INSERT INTO orders (merchant_id, id) SELECT p.merchant_id, p.id FROM payments AS p WHERE p.merchant_id = $1',
    ],
    [
      'a list within one merchant',
      'INSERT INTO orders (merchant_id, id) SELECT $1, id FROM unnest($2::text[]) AS id',
    ],
    ['a lock on one table', 'SELECT id FROM orders WHERE merchant_id = $1 FOR UPDATE SKIP LOCKED'],
    [
      'a lock that is taken once',
      'DELETE FROM orders WHERE merchant_id = $1 AND id = ANY (ARRAY(SELECT id FROM orders WHERE merchant_id = $1 LIMIT 10 FOR UPDATE SKIP LOCKED))',
    ],
    ['a list over all merchants', 'SELECT DISTINCT merchant_id FROM orders WHERE due_at < $1'],
    ['CASE over conditions', "SELECT CASE WHEN $2 = 'a' THEN 1 END FROM orders WHERE merchant_id = $1"],
    ['a reference table', 'UPDATE merchants SET name = $2 WHERE name = $1'],
    ['a table of no merchant', 'UPDATE settings SET value = $1'],
  ])('%s', async (_sample, sql) => {
    expect(await shardingFaults(sql, rules)).toEqual([]);
  });
});
