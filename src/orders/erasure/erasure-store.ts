/** SQL on the orders of a user who is about to be erased. */
import type { MerchantId, UserId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';
import { openStates } from '../order/transitions.js';

const findOpen = statement(
  'orders.find-open',
  `SELECT order_id FROM orders WHERE merchant_id = $merchantId AND user_id = $userId AND state = ANY ($states) LIMIT 1`,
).rows<{ order_id: string }>();
/**
 * Also an order whose payment was taken off again: the law wants to know who paid, and so does whoever pays it back.
 */
const findPaid = statement(
  'orders.find-paid',
  `SELECT placed.order_id FROM orders AS placed
    WHERE placed.merchant_id = $merchantId AND placed.user_id = $userId
      AND (placed.amount_received_minor > 0
           OR EXISTS (SELECT FROM order_timeline AS entry
                       WHERE entry.merchant_id = placed.merchant_id AND entry.order_id = placed.order_id
                         AND cardinality(entry.journal_ids) > 0))
    LIMIT 1`,
).rows<{ order_id: string }>();
const forgetMetadata = statement(
  'orders.forget-metadata',
  `UPDATE orders SET metadata = NULL
    WHERE merchant_id = $merchantId AND user_id = $userId AND metadata IS NOT NULL`,
);

export async function hasOpenOrder(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<boolean> {
  return (await tx.query(findOpen, { merchantId, userId, states: openStates })).length > 0;
}

/** Whether money ever came for an order of the user. */
export async function hasPaidOrder(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<boolean> {
  return (await tx.query(findPaid, { merchantId, userId })).length > 0;
}

export async function dropMetadata(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
  await tx.query(forgetMetadata, { merchantId, userId });
}
