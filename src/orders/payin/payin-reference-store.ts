/** SQL that finds orders by what payers wrote on their transfers. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';

const listByReferences = statement(
  'payin-reference-store.list',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND payin_reference = ANY ($payinReferences)`,
).rows<OrderRow>();

export async function listOrdersByPayinReferences(
  database: Queryable,
  merchantId: MerchantId,
  payinReferences: readonly string[],
): Promise<Order[]> {
  const rows = await database.query(listByReferences, { merchantId, payinReferences });
  return rows.map((row) => toOrder(merchantId, row));
}
