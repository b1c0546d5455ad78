/** SQL on movements: orders of all merchants by the moment at which their money came. */
import { type MerchantId, merchantId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Movement } from './rule.js';

interface MovementRow {
  merchant_id: bigint;
  user_id: bigint;
  order_id: string;
  shared_digest: Buffer | null;
  payout_country: string;
  usd_minor: bigint;
  first_paid_at: Date;
  went_back_at: Date | null;
}
const columns = `paid.merchant_id, paid.user_id, paid.order_id, account.shared_digest, paid.payout_country,
  coalesce(paid.usd_minor, 0) AS usd_minor, paid.first_paid_at,
  CASE WHEN paid.state IN ('REFUND_PENDING', 'REFUNDED') THEN paid.updated_at END AS went_back_at` as const;
const withAccount = `LEFT JOIN order_accounts AS account
  ON account.merchant_id = paid.merchant_id AND account.order_id = paid.order_id` as const;

const listPeriod = statement(
  'movement-store.list-period',
  `SELECT ${columns} FROM orders AS paid ${withAccount}
    WHERE paid.first_paid_at >= $from AND paid.first_paid_at < $until
    ORDER BY paid.first_paid_at, paid.order_id LIMIT $limit::int`,
).rows<MovementRow>();
const listMerchants = statement(
  'movement-store.list-merchants',
  'SELECT merchant_id FROM merchants ORDER BY merchant_id',
).rows<{ merchant_id: bigint }>();
const listNew = statement(
  'movement-store.list-new',
  `SELECT ${columns} FROM orders AS paid ${withAccount}
    WHERE paid.merchant_id = $merchantId AND paid.first_paid_at > coalesce($seenUntil, '-infinity'::timestamptz)
    ORDER BY paid.first_paid_at, paid.order_id LIMIT $limit::int`,
).rows<MovementRow>();
const listLate = statement(
  'movement-store.list-late',
  `SELECT ${columns} FROM orders AS paid ${withAccount}
    WHERE paid.merchant_id = $merchantId AND paid.first_paid_at <= $seenUntil::timestamptz
      AND paid.first_paid_at > $seenUntil::timestamptz - interval '10 minutes'
    ORDER BY paid.first_paid_at DESC, paid.order_id LIMIT $limit::int`,
).rows<MovementRow>();
const findProgress = statement(
  'movement-store.find-progress',
  'SELECT seen_until FROM monitoring_progress WHERE merchant_id = $merchantId',
).rows<{ seen_until: Date }>();
const listHistory = statement(
  'movement-store.list-history',
  `SELECT ${columns}
     FROM unnest($merchantIds::bigint[], $userIds::bigint[]) AS asked (merchant_id, user_id)
     JOIN orders AS paid ON paid.merchant_id = asked.merchant_id AND paid.user_id = asked.user_id
          AND paid.first_paid_at >= $from ${withAccount}
   UNION
   SELECT ${columns}
     FROM order_accounts AS same
     JOIN orders AS paid ON paid.merchant_id = same.merchant_id AND paid.order_id = same.order_id
          AND paid.first_paid_at >= $from ${withAccount}
    WHERE same.shared_digest = ANY ($digests::bytea[])
    ORDER BY first_paid_at, order_id LIMIT $limit::int`,
).rows<MovementRow>();
const saveProgress = statement(
  'movement-store.save-progress',
  `INSERT INTO monitoring_progress (merchant_id, seen_until) VALUES ($merchantId, $seenUntil)
   ON CONFLICT (merchant_id) DO UPDATE SET seen_until = excluded.seen_until`,
);

/** A movement before it is known which users are one person. */
export type StoredMovement = Omit<Movement, 'person'>;

const newAtMost = 5_000;
const historyAtMost = 50_000;
export const replayedAtMost = 100_000;

/** The oldest first; one more than `replayedAtMost` says that there are too many. */
export async function listMovementsBetween(database: Queryable, from: Date, until: Date): Promise<StoredMovement[]> {
  return (await database.query(listPeriod, { from, until, limit: replayedAtMost + 1 })).map(toMovement);
}

export async function listMonitoredMerchants(database: Queryable): Promise<MerchantId[]> {
  return (await database.query(listMerchants)).map((row) => merchantId(row.merchant_id));
}

/**
 * The oldest first. With them come the last ten minutes of what was seen: a transaction may commit after a later one.
 * Empty when nothing is new.
 */
export async function listNewMovements(database: Queryable, merchant: MerchantId): Promise<StoredMovement[]> {
  const [progress] = await database.query(findProgress, { merchantId: merchant });
  const seenUntil = progress?.seen_until ?? null;
  const asked = { merchantId: merchant, seenUntil, limit: newAtMost };
  const fresh = await database.query(listNew, asked);
  const late = seenUntil && fresh.length > 0 ? await database.query(listLate, asked) : [];
  return [...late.reverse(), ...fresh].map(toMovement);
}

/** What these users paid and what was paid to these accounts since then, the oldest first. */
export async function listHistoryOf(
  database: Queryable,
  {
    users,
    accounts,
    from,
  }: { readonly users: readonly Account[]; readonly accounts: readonly string[]; readonly from: Date },
): Promise<StoredMovement[]> {
  const rows = await database.query(listHistory, {
    merchantIds: users.map((user) => user.merchantId),
    userIds: users.map((user) => user.userId),
    digests: accounts.map((account) => Buffer.from(account, 'hex')),
    from,
    limit: historyAtMost,
  });
  return rows.map(toMovement);
}

export async function saveMonitored(tx: Transaction, merchant: MerchantId, seenUntil: Date): Promise<void> {
  await tx.query(saveProgress, { merchantId: merchant, seenUntil });
}

function toMovement(row: MovementRow): StoredMovement {
  return {
    merchantId: merchantId(row.merchant_id),
    userId: userId(row.user_id),
    orderId: row.order_id,
    account: row.shared_digest?.toString('hex'),
    country: row.payout_country,
    usdMinor: row.usd_minor,
    paidAt: row.first_paid_at,
    wentBackAt: row.went_back_at ?? undefined,
  };
}
