/** SQL on the orders of a user who is about to be erased. */
import { type MerchantId, storedPublicId, type UserId } from '../ids.js';
import { statement, type Transaction } from '../postgres/statement.js';
import type { OrderId } from './order/order.js';
import { openStates } from './order/transitions.js';

const findOpen = statement(
  'orders.find-open',
  `SELECT order_id FROM orders WHERE merchant_id = $merchantId AND user_id = $userId AND state = ANY ($states) LIMIT 1`,
).rows<{ order_id: string }>();
const listOfUser = statement(
  'orders.list-of-user',
  'SELECT order_id FROM orders WHERE merchant_id = $merchantId AND user_id = $userId',
).rows<{ order_id: string }>();
const forgetMetadata = statement(
  'orders.forget-metadata',
  `UPDATE orders SET metadata = NULL
    WHERE merchant_id = $merchantId AND user_id = $userId AND metadata IS NOT NULL`,
);

export async function hasOpenOrder(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<boolean> {
  return (await tx.query(findOpen, { merchantId, userId, states: openStates })).length > 0;
}

export async function listOrderIds(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<OrderId[]> {
  const rows = await tx.query(listOfUser, { merchantId, userId });
  return rows.map((row) => storedPublicId('ord', row.order_id));
}

export async function dropMetadata(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
  await tx.query(forgetMetadata, { merchantId, userId });
}
