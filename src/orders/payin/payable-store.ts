/**
 * SQL that finds orders which could take a payment, for a person who looks for the right one. Each reads a bounded
 * number.
 */
import type { MerchantId, UserId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';

/** So many of the newest unpaid orders of a merchant are looked through. */
const ordersRead = 1000;
/** So many of the newest orders of a user are looked through. */
const ordersOfUserRead = 50;

const listByMissing = statement(
  'payable-store.list-by-missing',
  `SELECT ${orderColumns}
     FROM (SELECT * FROM orders WHERE merchant_id = $merchantId AND state = 'AWAITING_PAYMENT'
            ORDER BY expires_at DESC LIMIT $ordersRead) AS awaiting
    WHERE merchant_id = $merchantId AND fiat_in = $currency AND amount_in_minor - amount_received_minor = $minor
    ORDER BY created_at, order_id LIMIT $limit`,
).rows<OrderRow>();
const listAwaiting = statement(
  'payable-store.list-awaiting',
  `SELECT ${orderColumns}
     FROM (SELECT * FROM orders WHERE merchant_id = $merchantId AND state = 'AWAITING_PAYMENT'
            ORDER BY expires_at DESC LIMIT $ordersRead) AS awaiting
    WHERE merchant_id = $merchantId AND fiat_in = $currency
    ORDER BY created_at DESC, order_id LIMIT $limit`,
).rows<OrderRow>();
const listOfUsers = statement(
  'payable-store.list-of-users',
  `SELECT ${orderColumns} FROM unnest($users::bigint[]) AS payer (id)
    CROSS JOIN LATERAL (SELECT * FROM orders WHERE merchant_id = $merchantId AND user_id = payer.id
                         ORDER BY created_at DESC LIMIT $ordersOfUserRead) AS newest
    WHERE fiat_in = $currency AND state IN ('AWAITING_PAYMENT', 'ACTION_REQUIRED')
    ORDER BY created_at, order_id LIMIT $limit`,
).rows<OrderRow>();

/** Orders that wait for exactly this amount, the oldest first. */
export async function listOrdersMissing(
  database: Queryable,
  merchantId: MerchantId,
  { currency, minor }: Amount,
  atMost: number,
): Promise<Order[]> {
  const rows = await database.query(listByMissing, {
    merchantId,
    currency,
    minor,
    limit: atMost,
    ordersRead,
  });
  return rows.map((row) => toOrder(merchantId, row));
}

/** Orders that wait for money in this currency, the newest first. */
export async function listOrdersAwaiting(
  database: Queryable,
  merchantId: MerchantId,
  currency: CurrencyCode,
  atMost: number,
): Promise<Order[]> {
  const rows = await database.query(listAwaiting, { merchantId, currency, limit: atMost, ordersRead });
  return rows.map((row) => toOrder(merchantId, row));
}

/** Unpaid orders of these users in this currency, the oldest first. */
export async function listUnpaidOf(
  database: Queryable,
  merchantId: MerchantId,
  { users, currency }: { readonly users: readonly UserId[]; readonly currency: CurrencyCode },
  atMost: number,
): Promise<Order[]> {
  const rows = await database.query(listOfUsers, {
    merchantId,
    users,
    currency,
    limit: atMost,
    ordersOfUserRead,
  });
  return rows.map((row) => toOrder(merchantId, row));
}
