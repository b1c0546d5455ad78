/** SQL on payments that were taken off their order or taken back by the payer's bank. */
import { type OperatorId, type TenantId, tenantId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { OrderId } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { PaymentId } from '../payment.js';

const insertReversal = statement(
  'reversal-store.insert',
  `INSERT INTO payment_reversals (merchant_id, payment_id, kind, order_id, currency, amount_minor, lost_minor,
                                  bank_reference, booked_at)
   VALUES ($merchantId, $paymentId, $kind, $orderId, $currency, $amountMinor, $lostMinor, $bankReference, $bookedAt)`,
);
const listOfPayment = statement(
  'reversal-store.list-of-payment',
  'SELECT kind FROM payment_reversals WHERE merchant_id = $merchantId AND payment_id = $paymentId',
).rows<{ kind: ReversalKind }>();
const settleLoss = statement(
  'reversal-store.settle',
  `UPDATE payment_reversals SET settled_at = statement_timestamp(), settled_by = $operator
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND lost_minor > 0 AND settled_at IS NULL RETURNING payment_id`,
).rows<{ payment_id: string }>();
const listLosses = statement(
  'reversal-store.list-losses',
  `SELECT merchant_id, payment_id, order_id, currency, lost_minor, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS at_micros
     FROM payment_reversals
    WHERE lost_minor > 0 AND settled_at IS NULL
      AND (recorded_at, payment_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR payment_id = $only)
    ORDER BY recorded_at, payment_id LIMIT $limit`,
).rows<{
  merchant_id: bigint;
  payment_id: string;
  order_id: string | null;
  currency: CurrencyCode;
  lost_minor: bigint;
  at_micros: string;
}>();

export type ReversalKind = 'taken_off' | 'clawback';

export interface NewReversal {
  readonly ownerId: TenantId;
  readonly paymentId: PaymentId;
  readonly kind: ReversalKind;
  readonly orderId: OrderId | undefined;
  readonly amount: Amount;
  readonly lost: Amount | undefined;
  /** The line of the bank statement that shows a clawback. */
  readonly booking: { readonly bankReference: string; readonly bookedAt: Date } | undefined;
}

/** Throws the database's error on `payment_reversed_once` when it was done before. */
export async function addReversal(tx: Transaction, reversal: NewReversal): Promise<void> {
  const { ownerId, amount, lost, booking } = reversal;
  await tx.query(insertReversal, {
    ...reversal,
    merchantId: ownerId,
    currency: amount.currency,
    amountMinor: amount.minor,
    lostMinor: lost?.minor ?? 0n,
    bankReference: booking?.bankReference,
    bookedAt: booking?.bookedAt,
  });
}

export async function listReversalsOf(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<ReversalKind[]> {
  return (await database.query(listOfPayment, { merchantId: ownerId, paymentId })).map(({ kind }) => kind);
}

/** Returns false when there is no loss that waits for an operator. */
export async function markLossSettled(
  tx: Transaction,
  ownerId: TenantId,
  paymentId: PaymentId,
  operator: OperatorId,
): Promise<boolean> {
  return (await tx.query(settleLoss, { merchantId: ownerId, paymentId, operator })).length > 0;
}

export async function listLossTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listLosses, pageValues(page));
  return rows.map((row) => ({
    id: row.payment_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Claim a loss in ${row.currency}: the payer's bank took a payment back that was paid out.`,
    path: row.order_id === null ? '/operator/suspense' : `/operator/orders/${row.order_id}`,
    amount: amount(row.currency, row.lost_minor),
    orderId: row.order_id ?? undefined,
  }));
}
