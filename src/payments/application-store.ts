/** SQL on what became of a payment under the merchant of its order. */
import { type MerchantId, storedPublicId, type UserId, userId } from '../ids.js';
import type { OrderId, OrderRef } from '../orders/order.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { PaymentId } from './payment.js';

const insertApplication = statement<{ applied_at: Date }>(
  'application-store.insert',
  `INSERT INTO payment_applications
     (merchant_id, payment_id, order_id, user_id, outcome, payer_differs, sealed_payer, applied_at)
   SELECT $1::bigint, $2, $3, $4::bigint, $5, $6::boolean, $7::bytea, date_trunc('milliseconds', ${merchantNow})
   RETURNING applied_at`,
);
const findApplication = statement<{ user_id: bigint; outcome: ApplicationOutcome; sealed_payer: Buffer }>(
  'application-store.find',
  'SELECT user_id, outcome, sealed_payer FROM payment_applications WHERE merchant_id = $1 AND payment_id = $2',
);
const listUnlikePayers = statement<{ order_id: string; payment_id: string }>(
  'application-store.list-unlike-payers',
  `SELECT order_id, payment_id FROM payment_applications
    WHERE merchant_id = $1 AND order_id = ANY ($2) AND outcome = 'applied' AND payer_differs
    ORDER BY applied_at, payment_id`,
);
const listApplied = statement<{ payment_id: string; payer_differs: boolean }>(
  'application-store.list-applied',
  `SELECT payment_id, payer_differs FROM payment_applications
    WHERE merchant_id = $1 AND order_id = $2 AND outcome = 'applied' ORDER BY applied_at DESC, payment_id`,
);

const listOfOrder = statement<{ payment_id: string }>(
  'application-store.list-of-order',
  'SELECT payment_id FROM payment_applications WHERE merchant_id = $1 AND order_id = $2 ORDER BY applied_at',
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
}

/** Returns the time by the merchant's clock. */
export async function addApplication(tx: Transaction, application: NewApplication): Promise<Date> {
  const { merchantId, paymentId, orderId, outcome, payerDiffers, sealedPayer } = application;
  const values = [merchantId, paymentId, orderId, application.userId, outcome, payerDiffers, sealedPayer];
  const [row] = await tx.query(insertApplication, values);
  if (!row) throw new Error('the application was not inserted');
  return row.applied_at;
}

export interface Application {
  readonly userId: UserId;
  readonly outcome: ApplicationOutcome;
  readonly sealedPayer: Buffer;
}

export async function findApplicationOf(
  database: Queryable,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<Application | undefined> {
  const [row] = await database.query(findApplication, [merchantId, paymentId]);
  return row && { userId: userId(row.user_id), outcome: row.outcome, sealedPayer: row.sealed_payer };
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
