/**
 * SQL that finds orders that were not paid or not answered in time, merchant by merchant and by each merchant's clock.
 */
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderId, OrderRef } from '../order/order.js';

/** Clocks only move forward, so what is due in real time is due for every merchant. */
const listMerchants = statement(
  'expiry-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM (
     SELECT merchant_id FROM orders
      WHERE state = 'AWAITING_PAYMENT' AND expires_at <= statement_timestamp()
        ORDER BY expires_at LIMIT $limit) AS unpaid
   UNION
   SELECT DISTINCT merchant_id FROM (
     SELECT merchant_id FROM orders
      WHERE state = 'ACTION_REQUIRED' AND action_required_by <= statement_timestamp()
      ORDER BY action_required_by LIMIT $limit) AS unanswered
   UNION
   SELECT merchant_id FROM (
     SELECT unpaid.merchant_id
       FROM merchant_clocks AS clock JOIN orders AS unpaid ON unpaid.merchant_id = clock.merchant_id
      WHERE unpaid.state = 'AWAITING_PAYMENT' AND unpaid.expires_at <= ${nowByClock}
      ORDER BY unpaid.expires_at LIMIT $limit) AS unpaid_ahead
   UNION
   SELECT merchant_id FROM (
     SELECT unanswered.merchant_id
       FROM merchant_clocks AS clock JOIN orders AS unanswered ON unanswered.merchant_id = clock.merchant_id
      WHERE unanswered.state = 'ACTION_REQUIRED' AND unanswered.action_required_by <= ${nowByClock}
      ORDER BY unanswered.action_required_by LIMIT $limit) AS unanswered_ahead`,
).rows<{ merchant_id: bigint }>();
const listOfMerchant = statement(
  'expiry-store.list-of-merchant',
  `(SELECT order_id, user_id FROM orders
     WHERE merchant_id = $merchantId AND state = 'AWAITING_PAYMENT' AND expires_at <= ${merchantNow}
       AND order_id <> ALL ($except)
     ORDER BY expires_at LIMIT $limit)
   UNION ALL
   (SELECT order_id, user_id FROM orders
     WHERE merchant_id = $merchantId AND state = 'ACTION_REQUIRED' AND action_required_by <= ${merchantNow}
       AND order_id <> ALL ($except)
     ORDER BY action_required_by LIMIT $limit)`,
).rows<{ order_id: string; user_id: bigint }>();
const findDue = statement(
  'expiry-store.find-due',
  `SELECT order_id FROM orders
    WHERE merchant_id = $merchantId AND order_id = $orderId
      AND (state = 'AWAITING_PAYMENT' AND expires_at <= ${merchantNow}
           OR state = 'ACTION_REQUIRED' AND action_required_by <= ${merchantNow})`,
).rows<{ order_id: string }>();

export interface ExpiredOrder extends OrderRef {
  readonly userId: UserId;
}

export async function listMerchantsWithExpired(database: Queryable, atMost: number): Promise<MerchantId[]> {
  return (await database.query(listMerchants, { limit: atMost })).map((row) => merchantId(row.merchant_id));
}

export async function listExpiredOf(
  database: Queryable,
  merchant: MerchantId,
  except: readonly OrderId[],
  atMost: number,
): Promise<ExpiredOrder[]> {
  const rows = await database.query(listOfMerchant, { merchantId: merchant, except, limit: atMost });
  return rows.map((row) => ({
    merchantId: merchant,
    orderId: storedPublicId('ord', row.order_id),
    userId: userId(row.user_id),
  }));
}

/** Call it after the order was locked, so that the clock is read after the lock was granted. */
export async function isExpired(tx: Transaction, { merchantId: merchant, orderId }: OrderRef): Promise<boolean> {
  return (await tx.query(findDue, { merchantId: merchant, orderId })).length > 0;
}
