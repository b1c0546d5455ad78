/** SQL that finds the orders that postings of the ledger name. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Order, OrderId } from '../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';

const findByIds = statement(
  'owed.find-orders',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds)`,
).rows<OrderRow>();

export async function findOrders(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<Order[]> {
  const rows = await database.query(findByIds, { merchantId, orderIds });
  return rows.map((row) => toOrder(merchantId, row));
}
