/** SQL on what the rules count, always within one merchant, and on the accounts that orders are paid out to. */
import { type MerchantId, merchantId, type UserId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Order, OrderId, OrderRef } from '../order/order.js';
import type { AskedFacts, RuleFacts } from './facts.js';

interface FactRow {
  order_id: string;
  fact: 'order' | 'sent' | 'senders' | 'known';
  hours: number;
  number: number;
  usd_minor: bigint | null;
}

/**
 * Everything is counted up to one moment of the order, and orders of the same moment count for one another. What a user
 * sent ends with the creation of the order. It is counted as limits count it: cancelled and expired orders only when
 * something was paid, and a full refund as an order of no value. Who paid the account ends with the first payment of
 * the order: counted up to its creation, people could order first and pay afterwards. Of the orders to the account it
 * reads the newest 1000: no rule allows more senders. Reads through `orders_by_user` and `order_accounts_of_account`.
 */
const loadFacts = statement(
  'facts-store.load',
  `WITH this AS (
     SELECT orders.order_id, orders.user_id, orders.created_at, orders.usd_minor, asked.digest,
            coalesce(orders.first_paid_at, orders.created_at) AS paid_at
       FROM unnest($ids::text[], $digests::bytea[]) AS asked (order_id, digest)
       JOIN orders ON orders.merchant_id = $merchantId AND orders.order_id = asked.order_id)
   SELECT this.order_id, 'order' AS fact, 0 AS hours, 1 AS number, this.usd_minor FROM this
   UNION ALL
   SELECT this.order_id, 'sent', asked.hours, count(*)::int,
          coalesce(sum(CASE WHEN sent.state = 'REFUNDED'
                                 AND sent.amount_refunded_minor >= least(sent.amount_in_minor,
                                   sent.amount_received_minor)
                            THEN 0 ELSE sent.usd_minor END), 0)::bigint
     FROM this CROSS JOIN unnest($sentWithin::int[]) AS asked (hours)
     JOIN orders AS sent ON sent.merchant_id = $merchantId AND sent.user_id = this.user_id
          AND sent.created_at > this.created_at - make_interval(hours => asked.hours)
          AND sent.created_at <= this.created_at
    WHERE NOT (sent.state IN ('CANCELLED', 'EXPIRED') AND sent.amount_received_minor = 0)
    GROUP BY this.order_id, asked.hours
   UNION ALL
   SELECT this.order_id, 'senders', asked.hours, count(DISTINCT payer.user_id)::int, NULL
     FROM this CROSS JOIN unnest($sendersWithin::int[]) AS asked (hours)
    CROSS JOIN LATERAL (
          SELECT account.user_id
            FROM order_accounts AS account
            JOIN orders AS paid ON paid.merchant_id = account.merchant_id AND paid.order_id = account.order_id
           WHERE account.merchant_id = $merchantId AND account.account_digest = this.digest
             AND account.ordered_at > this.paid_at - make_interval(hours => asked.hours + $longestUnpaidHours::int)
             AND account.ordered_at <= this.paid_at
             AND (paid.order_id = this.order_id
                  OR paid.first_paid_at > this.paid_at - make_interval(hours => asked.hours)
                     AND paid.first_paid_at <= this.paid_at)
           ORDER BY account.ordered_at DESC LIMIT 1000) AS payer
    GROUP BY this.order_id, asked.hours
   UNION ALL
   SELECT this.order_id, 'known', 0, floor(extract(epoch
     FROM this.created_at - min(earlier.created_at)) / 3600)::int, NULL
     FROM this
     JOIN orders AS earlier ON earlier.merchant_id = $merchantId AND earlier.user_id = this.user_id
          AND earlier.created_at < this.created_at AND earlier.state = 'COMPLETED'
     JOIN order_accounts AS account ON account.merchant_id = $merchantId AND account.order_id = earlier.order_id
          AND account.account_digest = this.digest
    GROUP BY this.order_id, this.created_at`,
).rows<FactRow>();
/** Who has paid the account of an order up to now, whenever the order was paid. */
const countSenders = statement(
  'facts-store.count-senders-now',
  `SELECT count(DISTINCT payer.user_id)::int AS senders
     FROM order_accounts AS this
     JOIN order_accounts AS payer ON payer.merchant_id = $merchantId AND payer.account_digest = this.account_digest
     JOIN orders AS paid ON paid.merchant_id = $merchantId AND paid.order_id = payer.order_id
    WHERE this.merchant_id = $merchantId AND this.order_id = $orderId
      AND payer.ordered_at > ${merchantNow} - make_interval(hours => $hours::int + $longestUnpaidHours::int)
      AND paid.first_paid_at > ${merchantNow} - make_interval(hours => $hours::int)`,
).rows<{ senders: number }>();
const saveAccount = statement(
  'facts-store.save-account',
  `INSERT INTO order_accounts (merchant_id, order_id, user_id, account_digest, shared_digest, ordered_at)
     VALUES ($merchantId, $orderId, $userId, $digest, $shared, $createdAt)
   ON CONFLICT (merchant_id, order_id) DO UPDATE
     SET account_digest = excluded.account_digest, shared_digest = excluded.shared_digest`,
);
const listSenders = statement(
  'facts-store.list-senders',
  `SELECT DISTINCT merchant_id, user_id FROM order_accounts WHERE shared_digest = $shared
    ORDER BY merchant_id, user_id LIMIT 500`,
).rows<{ merchant_id: bigint; user_id: bigint }>();
const deleteAccounts = statement(
  'facts-store.delete-accounts',
  'DELETE FROM order_accounts WHERE merchant_id = $merchantId AND user_id = $userId',
);

/** No order waits longer for its payment: 720 hours until it is due, and a day for late reports. */
const longestUnpaidHours = 744;

/** An order to count for. `digest` is that of its account; undefined when no rule asks about the account. */
export interface CountedOrder {
  readonly orderId: OrderId;
  readonly digest: Buffer | undefined;
}

/** One statement for all these orders of a merchant. */
export async function findFacts(
  database: Queryable,
  merchantId: MerchantId,
  orders: readonly CountedOrder[],
  { sentWithin, sendersWithin }: AskedFacts,
): Promise<ReadonlyMap<OrderId, RuleFacts>> {
  const ids = orders.map(({ orderId }) => orderId);
  const digests = orders.map(({ digest }) => digest ?? null);
  const rows = await database.query(loadFacts, {
    merchantId,
    ids,
    digests,
    sentWithin,
    sendersWithin,
    longestUnpaidHours,
  });
  const rowsOf = new Map<string, FactRow[]>();
  for (const row of rows) rowsOf.set(row.order_id, [...(rowsOf.get(row.order_id) ?? []), row]);
  return new Map(ids.map((id) => [id, toFacts(rowsOf.get(id) ?? [])]));
}

function toFacts(rows: readonly FactRow[]): RuleFacts {
  const of = (fact: FactRow['fact']) => rows.filter((row) => row.fact === fact);
  const sent = of('sent').map(
    ({ hours, number, usd_minor }) => [hours, { orders: number, usdMinor: usd_minor ?? 0n }] as const,
  );
  return {
    usdMinor: of('order')[0]?.usd_minor ?? undefined,
    sentWithin: new Map(sent),
    sendersWithin: new Map(of('senders').map(({ hours, number }) => [hours, number])),
    knownForHours: of('known')[0]?.number,
  };
}

/** How many users have paid the account of the order within so many hours up to now. */
export async function countSendersNow(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
  hours: number,
): Promise<number> {
  const [row] = await database.query(countSenders, { merchantId, orderId, hours, longestUnpaidHours });
  return row?.senders ?? 0;
}

/** Adds the account of a new order, or replaces it after a correction. */
export async function saveAccountOf(
  tx: Transaction,
  { merchantId, orderId, userId, createdAt }: Order,
  { digest, shared }: { readonly digest: Buffer; readonly shared: Buffer },
): Promise<void> {
  await tx.query(saveAccount, { merchantId, orderId, userId, digest, shared, createdAt });
}

/** The users of all merchants with an order to the account. */
export async function listSendersOf(database: Queryable, shared: Buffer): Promise<Account[]> {
  const rows = await database.query(listSenders, { shared });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

export async function forgetAccountsOf(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
  await tx.query(deleteAccounts, { merchantId, userId });
}
