/** SQL on what the person behind a user sent, over all accounts of the person, whichever merchants they belong to. */

import type { Account } from '../../persons/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { statement } from '../../postgres/statement.js';
import { type Window, windowHours } from '../limits/limits.js';
import type { OrderId } from '../order/order.js';

interface PaidRow {
  order_id: string;
  hours: number;
  orders: number;
  accounts: number;
  usd_minor: bigint;
}

/**
 * Orders by the moment of their first payment, up to that of the order that is asked about. Orders that are paid within
 * five minutes count for one another: two that are examined at the same moment may not see each other otherwise. A full
 * refund counts as an order of no value, as for limits.
 */
const sumPaid = statement(
  'person-store.sum-paid',
  `SELECT this.order_id, asked.hours, count(*)::int AS orders,
          count(DISTINCT (paid.merchant_id, paid.user_id))::int AS accounts,
          coalesce(sum(CASE WHEN paid.state = 'REFUNDED'
                                 AND paid.amount_refunded_minor >= least(paid.amount_in_minor,
                                   paid.amount_received_minor)
                            THEN 0 ELSE paid.usd_minor END), 0)::bigint AS usd_minor
     FROM unnest($orderIds::text[], $ownMerchantIds::bigint[], $merchantIds::bigint[], $userIds::bigint[])
            AS account (order_id, own_merchant_id, merchant_id, user_id)
     JOIN orders AS this ON this.merchant_id = account.own_merchant_id AND this.order_id = account.order_id
    CROSS JOIN unnest($hours::int[]) AS asked (hours)
     JOIN orders AS paid ON paid.merchant_id = account.merchant_id AND paid.user_id = account.user_id
          AND paid.first_paid_at > this.first_paid_at - make_interval(hours => asked.hours)
          AND paid.first_paid_at <= this.first_paid_at + interval '5 minutes'
    GROUP BY this.order_id, asked.hours`,
).rows<PaidRow>();
/** What the other accounts of the person ordered up to the creation of an order, counted as rules count a user. */
const sumOrdered = statement(
  'person-store.sum-ordered',
  `SELECT this.order_id, asked.hours, count(*)::int AS orders, 0 AS accounts,
          coalesce(sum(CASE WHEN sent.state = 'REFUNDED'
                                 AND sent.amount_refunded_minor >= least(sent.amount_in_minor,
                                   sent.amount_received_minor)
                            THEN 0 ELSE sent.usd_minor END), 0)::bigint AS usd_minor
     FROM unnest($orderIds::text[], $ownMerchantIds::bigint[], $merchantIds::bigint[], $userIds::bigint[])
            AS account (order_id, own_merchant_id, merchant_id, user_id)
     JOIN orders AS this ON this.merchant_id = account.own_merchant_id AND this.order_id = account.order_id
    CROSS JOIN unnest($hours::int[]) AS asked (hours)
     JOIN orders AS sent ON sent.merchant_id = account.merchant_id AND sent.user_id = account.user_id
          AND sent.created_at > this.created_at - make_interval(hours => asked.hours)
          AND sent.created_at <= this.created_at
    WHERE NOT (sent.state IN ('CANCELLED', 'EXPIRED') AND sent.amount_received_minor = 0)
    GROUP BY this.order_id, asked.hours`,
).rows<PaidRow>();

export interface PaidInWindow {
  readonly window: Window;
  readonly orders: number;
  /** In how many users the person paid. */
  readonly accounts: number;
  readonly usdMinor: bigint;
}

/** An order, and accounts whose orders count with it. */
export interface OrderOfPerson {
  readonly merchantId: Account['merchantId'];
  readonly orderId: OrderId;
  readonly accounts: readonly Account[];
}

const windows = Object.entries(windowHours) as [Window, number][];

export async function findPaidByPerson(
  database: Queryable,
  orders: readonly OrderOfPerson[],
): Promise<ReadonlyMap<OrderId, readonly PaidInWindow[]>> {
  const hours = windows.map(([, each]) => each);
  const rows = await database.query(sumPaid, { ...columnsOf(orders), hours });
  return byOrder(orders, rows, (row) => {
    const [window = '24h'] = windows.find(([, each]) => each === row.hours) ?? [];
    return { window, orders: row.orders, accounts: row.accounts, usdMinor: row.usd_minor };
  });
}

export interface SentWithin {
  readonly hours: number;
  readonly orders: number;
  readonly usdMinor: bigint;
}

/** Without accounts, nothing is asked. */
export async function findOrderedByPerson(
  database: Queryable,
  orders: readonly OrderOfPerson[],
  hours: readonly number[],
): Promise<ReadonlyMap<OrderId, readonly SentWithin[]>> {
  const concerned = orders.filter(({ accounts }) => accounts.length > 0);
  if (concerned.length === 0 || hours.length === 0) return new Map();
  const rows = await database.query(sumOrdered, { ...columnsOf(concerned), hours });
  return byOrder(concerned, rows, (row) => ({ hours: row.hours, orders: row.orders, usdMinor: row.usd_minor }));
}

function columnsOf(orders: readonly OrderOfPerson[]) {
  const pairs = orders.flatMap((order) => order.accounts.map((account) => ({ order, account })));
  return {
    orderIds: pairs.map(({ order }) => order.orderId),
    ownMerchantIds: pairs.map(({ order }) => order.merchantId),
    merchantIds: pairs.map(({ account }) => account.merchantId),
    userIds: pairs.map(({ account }) => account.userId),
  };
}

function byOrder<Found>(orders: readonly OrderOfPerson[], rows: readonly PaidRow[], read: (row: PaidRow) => Found) {
  const rowsOf = (orderId: string) => rows.filter((row) => row.order_id === orderId).map(read);
  return new Map(orders.map(({ orderId }) => [orderId, rowsOf(orderId)]));
}
