/** SQL that finds the orders that postings of the ledger name. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Order, OrderId } from '../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';

const findByIds = statement(
  'owed.find-orders',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds)`,
).rows<OrderRow>();

const listIds = statement(
  'owed.list-order-ids',
  `SELECT order_id FROM orders WHERE merchant_id = $merchantId AND order_id > $after ORDER BY order_id LIMIT $limit`,
).rows<{ order_id: string }>();

/** The ids of orders after this one, in their order. */
export async function listOrderIdsAfter(
  database: Queryable,
  merchantId: MerchantId,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await database.query(listIds, { merchantId, after, limit })).map((row) => row.order_id);
}

export async function findOrders(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<Order[]> {
  const rows = await database.query(findByIds, { merchantId, orderIds });
  return rows.map((row) => toOrder(merchantId, row));
}
