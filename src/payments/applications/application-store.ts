/** SQL on what became of a payment under the merchant of its order. */
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import type { OrderId, OrderRef } from '../../orders/order.js';
import { queryJoined } from '../../postgres/in-step.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { PaymentId } from '../payment.js';
import type { PayerDigests } from '../sealed.js';
import { readOwnerClock } from '../store.js';

const insertApplications = statement<{ payment_id: string; outcome: ApplicationOutcome; applied_at: Date }>(
  'application-store.insert',
  `INSERT INTO payment_applications
     (merchant_id, payment_id, order_id, user_id, outcome, payer_differs, sealed_payer, account_digest, name_digest,
      applied_at)
   SELECT $1::bigint, applied.payment_id, applied.order_id, applied.user_id, applied.outcome, applied.payer_differs,
          applied.sealed_payer, applied.account_digest, applied.name_digest, date_trunc('milliseconds', now.at)
     FROM unnest((SELECT $2::text[]), $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::bytea[], $8::int[], $9::int[])
          AS applied (payment_id, order_id, user_id, outcome, payer_differs, sealed_payer, account_digest, name_digest),
          (SELECT ${merchantNow} AS at) AS now
   ON CONFLICT (merchant_id, payment_id, order_id, outcome) DO NOTHING RETURNING payment_id, outcome, applied_at`,
);
const listOfPayments = statement<{
  payment_id: string;
  user_id: bigint;
  outcome: ApplicationOutcome;
  sealed_payer: Buffer | null;
}>(
  'application-store.list-of-payments',
  `SELECT payment_id, user_id, outcome, sealed_payer FROM payment_applications
    WHERE merchant_id = $1 AND payment_id = ANY ((SELECT $2::text[])::text[]) ORDER BY applied_at`,
);
/** One branch for each index. */
const listByDigests = statement<{ merchant_id: bigint; user_id: bigint; is_same_account: boolean }>(
  'application-store.list-by-digests',
  `(SELECT merchant_id, user_id, true AS is_same_account FROM payment_applications
     WHERE account_digest = $2 AND ($1::bigint IS NULL OR merchant_id = $1) ORDER BY applied_at DESC LIMIT $4)
   UNION ALL
   (SELECT merchant_id, user_id, false FROM payment_applications
     WHERE name_digest = $3 AND ($1::bigint IS NULL OR merchant_id = $1) ORDER BY applied_at DESC LIMIT $4)`,
);
const markReapplied = statement(
  'application-store.mark-reapplied',
  `UPDATE payment_applications SET reapplied_at = date_trunc('milliseconds', now.at)
     FROM (SELECT ${merchantNow} AS at) AS now
    WHERE merchant_id = $1 AND payment_id = $2 AND order_id = $3 AND outcome = 'applied'`,
);
const removeCopies = statement(
  'application-store.remove-copies',
  `UPDATE payment_applications SET sealed_payer = NULL
    WHERE merchant_id = $1 AND payment_id = $2 AND outcome = 'suspense' AND sealed_payer IS NOT NULL`,
);
/** What was taken off the order or taken back by the bank does not count. A payment is taken off only once. */
const isInForce = `NOT EXISTS (SELECT FROM payment_reversals AS reversal
                 WHERE reversal.merchant_id = $1 AND reversal.payment_id = payment_applications.payment_id
                   AND reversal.order_id = payment_applications.order_id
                   AND (reversal.kind = 'clawback' OR payment_applications.reapplied_at IS NULL))`;
const listUnlikePayers = statement<{ order_id: string; payment_id: string }>(
  'application-store.list-unlike-payers',
  `SELECT order_id, payment_id FROM payment_applications
    WHERE merchant_id = $1 AND order_id = ANY ($2) AND outcome = 'applied' AND payer_differs AND ${isInForce}
    ORDER BY applied_at, payment_id`,
);
const listApplied = statement<{ payment_id: string; payer_differs: boolean }>(
  'application-store.list-applied',
  `SELECT payment_id, payer_differs FROM payment_applications
    WHERE merchant_id = $1 AND order_id = $2 AND outcome = 'applied' AND ${isInForce}
    ORDER BY applied_at DESC, payment_id`,
);

const listOfOrder = statement<{ payment_id: string }>(
  'application-store.list-of-order',
  `SELECT payment_id FROM payment_applications WHERE merchant_id = $1 AND order_id = $2
    GROUP BY payment_id ORDER BY min(applied_at)`,
);

/** The oldest first. */
export async function listPaymentIdsOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<PaymentId[]> {
  const rows = await database.query(listOfOrder, [merchantId, orderId]);
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
  const { merchantId, paymentId, orderId, outcome, payerDiffers, sealedPayer, digests } = application;
  const rows = await queryJoined(tx, insertApplications, merchantId, [
    ...[paymentId, orderId, application.userId, outcome, payerDiffers, sealedPayer],
    ...[digests?.account ?? null, digests?.name ?? null],
  ]);
  const row = rows.find((inserted) => inserted.payment_id === paymentId && inserted.outcome === outcome);
  return row?.applied_at ?? readOwnerClock(tx, merchantId);
}

/** The order takes a payment again that was taken off it: it counts again. */
export async function countAgain(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  paymentId: PaymentId,
): Promise<void> {
  await tx.query(markReapplied, [merchantId, paymentId, orderId]);
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
  const rows = await queryJoined(database, listOfPayments, merchantId, [paymentId]);
  return rows
    .filter((row) => row.payment_id === paymentId)
    .map(({ user_id, outcome, sealed_payer }) => ({
      ...{ merchantId, paymentId, outcome, userId: userId(user_id) },
      sealedPayer: sealed_payer ?? undefined,
    }));
}

/** Removes the copies of the payer under the key of the instance: orders have all of the money. */
export async function removeInstanceCopies(
  tx: Transaction,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<void> {
  await tx.query(removeCopies, [merchantId, paymentId]);
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
  atMost: number,
): Promise<{ merchantId: MerchantId; userId: UserId; isSameAccount: boolean }[]> {
  const values = [ofMerchant ?? null, digests.account ?? null, digests.name, atMost];
  const rows = await database.query(listByDigests, values);
  return rows.map(({ merchant_id, user_id, is_same_account }) => ({
    ...{ merchantId: merchantId(merchant_id), userId: userId(user_id), isSameAccount: is_same_account },
  }));
}

export interface AppliedPayment {
  readonly paymentId: PaymentId;
  /** The payer's name is unlike the user's. */
  readonly payerDiffers: boolean;
}

/** The payments that the order took, the newest first. */
export async function listAppliedPayments(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<AppliedPayment[]> {
  const rows = await database.query(listApplied, [merchantId, orderId]);
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
  const rows = await database.query(listUnlikePayers, [merchantId, orderIds]);
  return rows.map((row) => ({
    orderId: storedPublicId('ord', row.order_id),
    paymentId: storedPublicId('pay', row.payment_id),
  }));
}
