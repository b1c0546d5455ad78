/** Orders whose payment has arrived, of senders who were approved and screened before. */
import type pg from 'pg';
import { type MerchantId, userId } from '../../src/ids.js';
import type { Database } from '../../src/postgres/database.js';
import type { UserService } from '../../src/users/service.js';
import { makeApprovedPeople } from './approved-people.js';
import { rememberOrders } from './remembered.js';
import { makeUnpaidOrders, type Sender } from './unpaid-orders.js';

export interface PaidOrdersPlace {
  readonly database: Database;
  readonly sql: pg.Client;
  readonly users: UserService;
  readonly merchantId: MerchantId;
}

export async function makeApprovedSenders(place: PaidOrdersPlace, count: number): Promise<Sender[]> {
  const { database, sql, users, merchantId } = place;
  await makeApprovedPeople({ database, sql }, merchantId, count);
  const { rows } = await sql.query('SELECT user_id FROM kyc_cases WHERE merchant_id = $1', [merchantId]);
  const senders: Sender[] = [];
  for (const row of rows) {
    const id = userId(BigInt(row.user_id));
    const key = await users.retainedKey(database, merchantId, id);
    if (key) senders.push({ userId: id, key });
  }
  return senders;
}

/** They wait for the worker. Without triggers: the payments are not booked. */
export async function makePaidOrders(
  { database, sql, merchantId }: PaidOrdersPlace,
  senders: readonly Sender[],
  count: number,
): Promise<void> {
  await makeUnpaidOrders(sql, { merchantId, senders }, count, async () => {});
  await withoutTriggers(sql, () =>
    sql.query(
      `UPDATE orders SET state = 'PAYMENT_RECEIVED', amount_received_minor = amount_in_minor, version = 2, public_version = 2
        WHERE merchant_id = $1 AND state = 'AWAITING_PAYMENT'`,
      [merchantId],
    ),
  );
  await rememberOrders({ database, sql }, merchantId, 'PAYMENT_RECEIVED');
  await sql.query('VACUUM (ANALYZE) orders');
  await sql.query('CHECKPOINT');
}

const varied: Readonly<Record<string, string>> = {
  order_id: `'ord_' || lpad(n::text, 26, '0')`,
  quote_code: `'rt_' || lpad(n::text, 26, '0')`,
  payin_reference: `'RF' || lpad(n::text, 23, '0')`,
};

/** Copies of a paid order with numbers for ids, for scripts of pgbench, which open nothing that is sealed. */
export async function copyPaidOrder(
  sql: pg.Client,
  orderId: string,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  const { rows } = await sql.query(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'orders' AND is_generated = 'NEVER'`,
  );
  const names: string[] = rows.map(({ name }) => name);
  const changed: Readonly<Record<string, string>> = {
    ...varied,
    ...{ state: `'PAYMENT_RECEIVED'`, version: '2', public_version: '2', try_at: 'NULL', waits_for: 'NULL' },
  };
  await withoutTriggers(sql, () =>
    sql.query(
      `INSERT INTO orders (${names.join(', ')})
       SELECT ${names.map((name) => changed[name] ?? name).join(', ')}
         FROM orders, generate_series($2::bigint, $2::bigint + $3::bigint - 1) AS n WHERE order_id = $1`,
      [orderId, first, count],
    ),
  );
  await sql.query('VACUUM (ANALYZE) orders');
  await sql.query('CHECKPOINT');
}

async function withoutTriggers(sql: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await sql.query("SET session_replication_role = 'replica'");
  await work();
  await sql.query("SET session_replication_role = 'origin'");
}
