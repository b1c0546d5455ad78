/** SQL that sums up what a user's orders count for. */
import type { MerchantId, UserId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { OrderRef } from '../order/order.js';
import { type Usage, windowHours } from './limits.js';

interface UsageRow {
  amount_24h: bigint;
  amount_30d: bigint;
  amount_365d: bigint;
  orders_24h: number;
  orders_30d: number;
  unpaid_pairs: string[];
}

// The order was created in the window, by the merchant's clock.
const within24h = `created_at > ${merchantNow} - make_interval(hours => $hours24)` as const;
const within30d = `created_at > ${merchantNow} - make_interval(hours => $hours30d)` as const;
const within365d = `created_at > ${merchantNow} - make_interval(hours => $hours365d)` as const;

/**
 * Cancelled and expired orders do not count unless something was paid, except as orders of a corridor that counts them.
 * A full refund counts as an order, but for no amount. Reads the user's orders of the longest window through the index
 * `orders_by_user`.
 */
const sumUsage = statement(
  'limits.sum-usage',
  `SELECT coalesce(sum(usd_minor) FILTER (WHERE ${within24h}), 0)::bigint AS amount_24h,
          coalesce(sum(usd_minor) FILTER (WHERE ${within30d}), 0)::bigint AS amount_30d,
          coalesce(sum(usd_minor), 0)::bigint AS amount_365d,
          count(*) FILTER (WHERE ${within24h})::int AS orders_24h,
          count(*) FILTER (WHERE ${within30d})::int AS orders_30d,
          coalesce(array_agg(pair) FILTER (WHERE is_unpaid), '{}') AS unpaid_pairs
     FROM (SELECT created_at, fiat_in || fiat_out AS pair, state = 'AWAITING_PAYMENT' AND amount_received_minor = 0 AS is_unpaid,
                  CASE WHEN state = 'REFUNDED'
                            AND amount_refunded_minor >= least(amount_in_minor, amount_received_minor)
                            OR state IN ('CANCELLED', 'EXPIRED') AND amount_received_minor = 0
                       THEN 0 ELSE usd_minor END AS usd_minor
             FROM orders
            WHERE merchant_id = $merchantId AND user_id = $userId AND ${within365d}
              AND (NOT (state IN ('CANCELLED', 'EXPIRED') AND amount_received_minor = 0)
                   OR fiat_in || fiat_out = ANY ($countingPairs::text[]))) AS counted`,
).rows<UsageRow>();

const findUsd = statement(
  'limits.find-usd-of-order',
  'SELECT usd_minor FROM orders WHERE merchant_id = $merchantId AND order_id = $orderId',
).rows<{ usd_minor: bigint | null }>();

/**
 * Call it under the lock of the user, where an order is to be added. `countingPairs` are the corridors in which orders
 * that ended unpaid count.
 */
export async function findUsage(
  database: Queryable,
  merchant: MerchantId,
  user: UserId,
  countingPairs: readonly string[],
): Promise<Usage> {
  const [row] = await database.query(sumUsage, {
    merchantId: merchant,
    userId: user,
    hours24: windowHours['24h'],
    hours30d: windowHours['30d'],
    hours365d: windowHours['365d'],
    countingPairs,
  });
  if (!row) throw new Error('the database returned no sums');
  return {
    amount: { '24h': row.amount_24h, '30d': row.amount_30d, '365d': row.amount_365d },
    orders: { '24h': row.orders_24h, '30d': row.orders_30d },
    unpaidPairs: row.unpaid_pairs,
  };
}

/** What an order is worth, in cents of a US dollar. Undefined where no rate is known. */
export async function findUsdValue(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<bigint | undefined> {
  const [row] = await database.query(findUsd, { merchantId, orderId });
  return row?.usd_minor ?? undefined;
}
