/** SQL on movements: orders by the moment at which their money came. */
import { type MerchantId, merchantId, type UserId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { type Queryable, statement } from '../../postgres/statement.js';

interface MovementRow {
  merchant_id: bigint;
  user_id: bigint;
  order_id: string;
  shared_digest: Buffer | null;
  payout_country: string;
  usd_minor: bigint;
  first_paid_at: Date;
  at_micros: string;
  went_back_at: Date | null;
}
const columns = `paid.merchant_id, paid.user_id, paid.order_id, account.shared_digest, paid.payout_country,
  coalesce(paid.usd_minor, 0) AS usd_minor, paid.first_paid_at,
  (extract(epoch FROM paid.first_paid_at) * 1000000)::bigint::text AS at_micros,
  CASE WHEN paid.state IN ('REFUND_PENDING', 'REFUNDED') THEN paid.updated_at END AS went_back_at` as const;
const withAccount = `LEFT JOIN order_accounts AS account
  ON account.merchant_id = paid.merchant_id AND account.order_id = paid.order_id` as const;
const after = `(to_timestamp(0) + $afterMicros::bigint * interval '1 microsecond', $afterId)` as const;

const listNext = statement(
  'movements.list-next',
  `SELECT ${columns} FROM orders AS paid ${withAccount}
    WHERE paid.merchant_id = $merchantId AND (paid.first_paid_at, paid.order_id) > ${after}
      AND paid.first_paid_at < coalesce($until, 'infinity'::timestamptz)
    ORDER BY paid.first_paid_at, paid.order_id LIMIT $limit::int`,
).rows<MovementRow>();
const listLate = statement(
  'movements.list-late',
  `SELECT ${columns} FROM orders AS paid ${withAccount}
    WHERE paid.merchant_id = $merchantId AND (paid.first_paid_at, paid.order_id) <= ${after}
      AND paid.first_paid_at > to_timestamp(0) + $afterMicros::bigint * interval '1 microsecond' - interval '1 minute'
    ORDER BY paid.first_paid_at DESC, paid.order_id DESC LIMIT $limit::int`,
).rows<MovementRow>();
/** `UNION` because an order may be of one of the users and to one of the accounts. */
const listHistory = statement(
  'movements.list-history',
  `SELECT ${columns}
     FROM unnest($merchantIds::bigint[], $userIds::bigint[]) AS asked (merchant_id, user_id)
     JOIN orders AS paid ON paid.merchant_id = asked.merchant_id AND paid.user_id = asked.user_id ${withAccount}
    WHERE paid.first_paid_at >= $from AND paid.first_paid_at <= $until
      AND (paid.first_paid_at, paid.order_id) <
          (to_timestamp(0) + $beforeMicros::bigint * interval '1 microsecond', $beforeId)
   UNION
   SELECT ${columns}
     FROM order_accounts AS same
     JOIN orders AS paid ON paid.merchant_id = same.merchant_id AND paid.order_id = same.order_id ${withAccount}
    WHERE same.shared_digest = ANY ($digests::bytea[])
      AND paid.first_paid_at >= $from AND paid.first_paid_at <= $until
      AND (paid.first_paid_at, paid.order_id) <
          (to_timestamp(0) + $beforeMicros::bigint * interval '1 microsecond', $beforeId)
    ORDER BY first_paid_at DESC, order_id DESC LIMIT $limit::int`,
).rows<MovementRow>();

/** A place among the movements of a merchant, which are sorted by time, then by id. */
export interface MovementPlace {
  readonly micros: bigint;
  readonly orderId: string;
}

/** An order whose money came. */
export interface PaidMovement {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly orderId: string;
  /** The account that is paid, as a digest; undefined when it is not kept any more. */
  readonly account: string | undefined;
  readonly country: string;
  readonly usdMinor: bigint;
  readonly paidAt: Date;
  /** When the money went back to whoever paid it; undefined otherwise. */
  readonly wentBackAt: Date | undefined;
  readonly place: MovementPlace;
}

export interface NextAsked {
  /** Only movements after this place. */
  readonly after: MovementPlace;
  /** Only movements earlier than this. */
  readonly until?: Date;
  readonly limit: number;
}

/** The oldest first. */
export async function listNextMovements(database: Queryable, of: MerchantId, asked: NextAsked) {
  const rows = await database.query(listNext, {
    merchantId: of,
    afterMicros: asked.after.micros,
    afterId: asked.after.orderId,
    until: asked.until ?? null,
    limit: asked.limit,
  });
  return rows.map(toMovement);
}

/** Of the minute before that place, the newest of them; the oldest first. */
export async function listLateMovements(database: Queryable, of: MerchantId, asked: NextAsked) {
  const { after: place, limit } = asked;
  const values = { merchantId: of, afterMicros: place.micros, afterId: place.orderId, limit };
  return (await database.query(listLate, values)).map(toMovement).reverse();
}

export interface HistoryAsked {
  readonly users: readonly Account[];
  /** Digests, as movements have them. */
  readonly accounts: readonly string[];
  readonly from: Date;
  /** The last moment that counts. */
  readonly until: Date;
}

/** The newest before that place; the newest first. */
export async function listHistoryBefore(
  database: Queryable,
  { users, accounts, from, until }: HistoryAsked,
  before: MovementPlace,
  limit: number,
): Promise<PaidMovement[]> {
  const rows = await database.query(listHistory, {
    merchantIds: users.map((user) => user.merchantId),
    userIds: users.map((user) => user.userId),
    digests: accounts.map((account) => Buffer.from(account, 'hex')),
    from,
    until,
    beforeMicros: before.micros,
    beforeId: before.orderId,
    limit,
  });
  return rows.map(toMovement);
}

function toMovement(row: MovementRow): PaidMovement {
  return {
    merchantId: merchantId(row.merchant_id),
    userId: userId(row.user_id),
    orderId: row.order_id,
    account: row.shared_digest?.toString('hex'),
    country: row.payout_country,
    usdMinor: row.usd_minor,
    paidAt: row.first_paid_at,
    wentBackAt: row.went_back_at ?? undefined,
    place: { micros: BigInt(row.at_micros), orderId: row.order_id },
  };
}
