/** Changes that remember orders which were written past the service: without them no order is moved on. */
import type pg from 'pg';
import { recordChange } from '../../src/changes/service.js';
import { type MerchantId, storedPublicId } from '../../src/ids.js';
import { digestedOrder } from '../../src/orders/order/row.js';
import { findOrders } from '../../src/orders/owed/store.js';
import type { Database } from '../../src/postgres/database.js';

const atOnce = 500;
const by = { actor: { kind: 'system', name: 'bench' } } as const;

/** Of the merchant's orders in this state, those whose newest version no change remembers. */
export async function rememberOrders(
  { database, sql }: { readonly database: Database; readonly sql: pg.Client },
  merchantId: MerchantId,
  state: string,
): Promise<void> {
  const { rows } = await sql.query(
    `SELECT order_id FROM orders
      WHERE merchant_id = $1 AND state = $2
        AND NOT EXISTS (SELECT FROM changes WHERE merchant_id = $1 AND subject = 'order:' || order_id
                           AND changes.version = orders.version)`,
    [merchantId, state],
  );
  const ids = rows.map((row) => storedPublicId('ord', row.order_id));
  for (let first = 0; first < ids.length; first += atOnce) {
    const orders = await findOrders(database, merchantId, ids.slice(first, first + atOnce));
    await database.transaction(async (tx) => {
      const changes = orders.map((order) => ({
        ...digestedOrder(order),
        ...{ merchantId, action: 'order.create', version: order.version },
      }));
      await Promise.all(changes.map((change) => recordChange(tx, by, change)));
    });
  }
}
