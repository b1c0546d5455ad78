/** SQL on what became of a payment under the merchant of its order. */
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import type { OrderId, OrderRef } from '../../orders/order/order.js';
import { merchantNow, readMerchantClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { PaymentId } from '../payment.js';
import type { PayerDigests } from '../sealed.js';

const insertApplication = statement(
  'application-store.insert',
  `INSERT INTO payment_applications
     (merchant_id, payment_id, order_id, user_id, outcome, payer_differs, sealed_payer, account_digest, name_digest,
      applied_at)
   SELECT $merchantId::bigint, $paymentId, $orderId, $userId::bigint, $outcome, $payerDiffers::boolean,
          $sealedPayer::bytea, $accountDigest::int, $nameDigest::int, date_trunc('milliseconds', ${merchantNow})
   ON CONFLICT (merchant_id, payment_id, order_id, outcome) DO NOTHING RETURNING applied_at`,
).rows<{ applied_at: Date }>();
const listOfPayment = statement(
  'application-store.list-of-payment',
  `SELECT user_id, outcome, sealed_payer FROM payment_applications
    WHERE merchant_id = $merchantId AND payment_id = $paymentId ORDER BY applied_at`,
).rows<{ user_id: bigint; outcome: ApplicationOutcome; sealed_payer: Buffer | null }>();
/** One branch for each index. */
const listByDigests = statement(
  'application-store.list-by-digests',
  `(SELECT merchant_id, user_id, true AS is_same_account FROM payment_applications
     WHERE account_digest = $account AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
     ORDER BY applied_at DESC LIMIT $limit)
   UNION ALL
   (SELECT merchant_id, user_id, false FROM payment_applications
     WHERE name_digest = $name AND ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
     ORDER BY applied_at DESC LIMIT $limit)`,
).rows<{ merchant_id: bigint; user_id: bigint; is_same_account: boolean }>();
const markReapplied = statement(
  'application-store.mark-reapplied',
  `UPDATE payment_applications SET reapplied_at = date_trunc('milliseconds', now.at)
     FROM (SELECT ${merchantNow} AS at) AS now
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND order_id = $orderId AND outcome = 'applied'`,
);
const removeCopies = statement(
  'application-store.remove-copies',
  `UPDATE payment_applications SET sealed_payer = NULL
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND outcome = 'suspense' AND sealed_payer IS NOT NULL`,
);
/** What was taken off the order, voided or taken back by the bank does not count. A payment is taken off only once. */
const isInForce = `NOT EXISTS (SELECT FROM payment_reversals AS reversal
                 WHERE reversal.merchant_id = $merchantId AND reversal.payment_id = payment_applications.payment_id
                   AND reversal.order_id = payment_applications.order_id
                   AND (reversal.kind IN ('clawback', 'void') OR payment_applications.reapplied_at IS NULL))` as const;
const listUnlikePayers = statement(
  'application-store.list-unlike-payers',
  `SELECT order_id, payment_id FROM payment_applications
    WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds) AND outcome = 'applied' AND payer_differs
      AND ${isInForce}
    ORDER BY applied_at, payment_id`,
).rows<{ order_id: string; payment_id: string }>();
const listPayers = statement(
  'application-store.list-payers',
  `SELECT order_id, payment_id, user_id, payer_differs, sealed_payer FROM payment_applications
    WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds) AND outcome = 'applied' AND sealed_payer IS NOT NULL
      AND ${isInForce}
    ORDER BY applied_at, payment_id`,
).rows<{ order_id: string; payment_id: string; user_id: bigint; payer_differs: boolean; sealed_payer: Buffer }>();
const listApplied = statement(
  'application-store.list-applied',
  `SELECT payment_id, payer_differs FROM payment_applications
    WHERE merchant_id = $merchantId AND order_id = $orderId AND outcome = 'applied' AND ${isInForce}
    ORDER BY applied_at DESC, payment_id`,
).rows<{ payment_id: string; payer_differs: boolean }>();
const listOfOrder = statement(
  'application-store.list-of-order',
  `SELECT payment_id FROM payment_applications WHERE merchant_id = $merchantId AND order_id = $orderId
    GROUP BY payment_id ORDER BY min(applied_at)`,
).rows<{ payment_id: string }>();

/** The oldest first. */
export async function listPaymentIdsOf(database: Queryable, order: OrderRef): Promise<PaymentId[]> {
  const rows = await database.query(listOfOrder, order);
  return rows.map((row) => storedPublicId('pay', row.payment_id));
}

export type ApplicationOutcome = 'applied' | 'suspense';

export interface NewApplication extends OrderRef {
  readonly paymentId: PaymentId;
  readonly userId: UserId;
  readonly outcome: ApplicationOutcome;
  readonly payerDiffers: boolean;
  readonly sealedPayer: Buffer;
  /** Undefined for money that the order does not have. */
  readonly digests: PayerDigests | undefined;
}

/** Once for each order and outcome: again changes nothing. Returns the time by the merchant's clock. */
export async function addApplication(tx: Transaction, application: NewApplication): Promise<Date> {
  const { digests, ...values } = application;
  const [accountDigest, nameDigest] = [digests?.account ?? null, digests?.name ?? null];
  const [row] = await tx.query(insertApplication, { ...values, accountDigest, nameDigest });
  return row?.applied_at ?? readMerchantClock(tx, application.merchantId);
}

/** The order takes a payment again that was taken off it: it counts again. */
export async function countAgain(tx: Transaction, order: OrderRef, paymentId: PaymentId): Promise<void> {
  await tx.query(markReapplied, { ...order, paymentId });
}

export interface Application {
  readonly merchantId: MerchantId;
  readonly paymentId: PaymentId;
  readonly userId: UserId;
  readonly outcome: ApplicationOutcome;
  /** Undefined once this copy was removed. */
  readonly sealedPayer: Buffer | undefined;
}

/** The oldest first. A payment that an operator divided has several. */
export async function listApplicationsOf(
  database: Queryable,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<Application[]> {
  const rows = await database.query(listOfPayment, { merchantId, paymentId });
  return rows.map(({ user_id, outcome, sealed_payer }) => ({
    merchantId,
    paymentId,
    outcome,
    userId: userId(user_id),
    sealedPayer: sealed_payer ?? undefined,
  }));
}

/** Removes the copies of the payer under the key of the instance: orders have all of the money. */
export async function removeInstanceCopies(
  tx: Transaction,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<void> {
  await tx.query(removeCopies, { merchantId, paymentId });
}

/** Users for whom a payer with one of these digests has paid, the newest first. */
export async function listUsersPaidFor(
  database: Queryable,
  {
    merchantId: ofMerchant,
    digests,
  }: {
    /** Undefined: users of all merchants. */
    readonly merchantId: MerchantId | undefined;
    readonly digests: PayerDigests;
  },
  limit: number,
): Promise<{ merchantId: MerchantId; userId: UserId; isSameAccount: boolean }[]> {
  const { account = null, name } = digests;
  const rows = await database.query(listByDigests, { merchantId: ofMerchant ?? null, account, name, limit });
  return rows.map(({ merchant_id, user_id, is_same_account }) => ({
    merchantId: merchantId(merchant_id),
    userId: userId(user_id),
    isSameAccount: is_same_account,
  }));
}

export interface SealedPayer extends AppliedPayment {
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly userId: UserId;
  readonly sealedPayer: Buffer;
}

/** Who made the payments that these orders took, the oldest first. */
export async function listSealedPayers(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<SealedPayer[]> {
  const rows = await database.query(listPayers, { merchantId, orderIds });
  return rows.map((row) => ({
    merchantId,
    orderId: storedPublicId('ord', row.order_id),
    paymentId: storedPublicId('pay', row.payment_id),
    userId: userId(row.user_id),
    payerDiffers: row.payer_differs,
    sealedPayer: row.sealed_payer,
  }));
}

export interface AppliedPayment {
  readonly paymentId: PaymentId;
  /** The payer's name is unlike the user's. */
  readonly payerDiffers: boolean;
}

/** The payments that the order took, the newest first. */
export async function listAppliedPayments(database: Queryable, order: OrderRef): Promise<AppliedPayment[]> {
  const rows = await database.query(listApplied, order);
  return rows.map((row) => ({
    paymentId: storedPublicId('pay', row.payment_id),
    payerDiffers: row.payer_differs,
  }));
}

/** The payments that these orders took from somebody with a name unlike the user's, the oldest first. */
export async function listPaymentsOfOthers(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<{ orderId: OrderId; paymentId: PaymentId }[]> {
  const rows = await database.query(listUnlikePayers, { merchantId, orderIds });
  return rows.map((row) => ({
    orderId: storedPublicId('ord', row.order_id),
    paymentId: storedPublicId('pay', row.payment_id),
  }));
}
