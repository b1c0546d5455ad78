/** How PostgreSQL reads the lists of orders and the facts of rules, by its plans at 20,000 orders of one merchant. */
import { beforeAll, expect, it } from 'vitest';
import { merchantId, storedPublicId } from '../../src/ids.js';
import { listOrders, type OrderFilter } from '../../src/orders/api/listing/store.js';
import { findFacts } from '../../src/orders/rules/facts-store.js';
import { positionValues, type Queryable } from '../../src/postgres/statement.js';
import { useRemesa } from '../harness/remesa.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { placed, sender } from './orders.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;
let newest = new Date(0);
let newestId = '';

/** What differs between the copies of one order. */
const varied: Readonly<Record<string, string>> = {
  order_id: `'ord_' || upper(lpad(to_hex(n), 26, '0'))`,
  quote_code: `'rt_' || n`,
  payin_reference: `'RF' || n`,
  external_order_id: `'x' || n`,
  user_id: 'n % 1000 + 1',
  state: `CASE WHEN n % 500 = 0 THEN 'EXPIRED' ELSE 'CANCELLED' END`,
  fiat_in: `CASE WHEN n % 500 = 1 THEN 'CHF' ELSE 'USD' END`,
  fiat_out: `CASE WHEN n % 500 = 2 THEN 'KES' ELSE 'MXN' END`,
  created_at: 'created_at - make_interval(secs => n)',
  updated_at: 'updated_at - make_interval(secs => n)',
};

beforeAll(async () => {
  const order = await placed(running, await sender(running));
  newest = new Date(order.createdAt);
  newestId = order.id;
  const { rows } = await sql.query(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'orders' AND is_generated = 'NEVER'`,
  );
  const names: string[] = rows.map(({ name }) => name);
  await withoutTriggers(sql, (client) =>
    client.query(
      `INSERT INTO orders (${names.join(', ')}) SELECT ${names.map((name) => varied[name] ?? name).join(', ')}
         FROM orders, generate_series(1, 20000) AS n WHERE order_id = $1`,
      [order.id],
    ),
  );
  await sql.query('ANALYZE orders');
});

const earlier = (seconds: number) => new Date(newest.getTime() - seconds * 1000);

it.each<[string, () => OrderFilter, string]>([
  ['no filter', () => ({}), 'orders_by_time'],
  ['status', () => ({ statuses: ['EXPIRED' as const] }), 'orders_by_status'],
  ['userId', () => ({ userId: 7 }), 'orders_by_user'],
  ['fiatIn', () => ({ fiatIn: 'CHF' }), 'orders_by_fiat_in'],
  ['fiatOut', () => ({ fiatOut: 'KES' }), 'orders_by_fiat_out'],
  ['externalOrderId', () => ({ externalOrderId: 'x7' }), 'orders_external_id'],
  ['from and to', () => ({ from: earlier(15_000), to: earlier(10_000) }), 'orders_by_time'],
  ['updatedSince', () => ({ updatedSince: earlier(10_000) }), 'orders_by_update'],
])('reads a page with %s by one index, and no row that it does not show', async (_, filter, index) => {
  const plan = await planOf((database) =>
    listOrders(database, merchantId(running.acme.merchant), filter(), { after: undefined, limit: 20 }),
  );
  expect(plan).toContain(`using ${index} on orders`);
  expect(plan).not.toContain('Rows Removed');
  const counts = [...plan.matchAll(/actual rows=([\d.]+)/g)].map(([, count]) => Number(count));
  expect(Math.max(...counts)).toBeLessThanOrEqual(20);
});

it('the facts of rules are read by the indexes of the user and of the account, also of one that everybody pays', async () => {
  const digest = Buffer.alloc(32, 7);
  await sql.query(
    `INSERT INTO order_accounts SELECT merchant_id, order_id, user_id, $1, $1, created_at FROM orders
     ON CONFLICT (merchant_id, order_id) DO UPDATE SET account_digest = excluded.account_digest`,
    [digest],
  );
  await sql.query('ANALYZE order_accounts');
  await sql.query('UPDATE orders SET amount_received_minor = 1, version = version + 1 WHERE order_id = $1', [newestId]);
  const acme = merchantId(running.acme.merchant);
  const orderId = storedPublicId('ord', newestId);
  const orders = [{ orderId, digest }];
  const asked = { sentWithin: [24, 720], sendersWithin: [24, 720], asksForAccount: true };
  const plan = await planOf((database) => findFacts(database, acme, orders, asked));
  expect(plan).not.toContain('Seq Scan');
  expect(plan).toContain('using orders_by_user on orders sent');
  expect(plan).toContain('using order_accounts_of_account on order_accounts account');
  const facts = await findFacts(running.service.database, acme, orders, asked);
  expect([...(facts.get(orderId)?.sendersWithin ?? [])]).toEqual([
    [24, 1],
    [720, 1],
  ]);
});

/** The plan for the values of the call, or the one for all values when the statement is prepared. */
async function planOf(read: (database: Queryable) => Promise<unknown>): Promise<string> {
  const client = await sql.connect();
  let plan = '';
  const explaining: Queryable = {
    async query(statement, ...[named]) {
      const { text, isPlannedEachTime } = statement;
      const values = positionValues(statement, named);
      const mode = isPlannedEachTime ? 'custom' : 'generic';
      await client.query(`SET plan_cache_mode = force_${mode}_plan; PREPARE list AS ${text}`);
      const literals = values.map((value) => client.escapeLiteral(textOf(value)));
      const given = literals.map((literal, place) => (values[place] === null ? 'NULL' : literal));
      const { rows } = await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE list(${given.join(', ')})`);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      await client.query('DEALLOCATE list; RESET plan_cache_mode');
      return [];
    },
  };
  await read(explaining);
  client.release();
  return plan;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.join()}}`;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
