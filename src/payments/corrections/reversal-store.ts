/** SQL on payments that were taken off their order, voided, or taken back by the payer's bank. */
import { type OperatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { type Amount, amount as amountOf } from '../../money/amount.js';
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
const handBack = statement(
  'reversal-store.hand-back',
  `UPDATE payment_reversals SET handed_back_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND kind = 'void' AND handed_back_at IS NULL`,
);
const listToHandBack = statement(
  'reversal-store.list-to-hand-back',
  `SELECT merchant_id, payment_id FROM payment_reversals
    WHERE kind = 'void' AND handed_back_at IS NULL AND payment_id <> ALL ($except)
    ORDER BY recorded_at, payment_id LIMIT $limit`,
).rows<{ merchant_id: bigint; payment_id: string }>();
const findOldestToHandBack = statement(
  'reversal-store.find-oldest-to-hand-back',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(recorded_at)), 0)::float8 AS seconds
     FROM payment_reversals WHERE kind = 'void' AND handed_back_at IS NULL`,
).rows<{ seconds: number }>();
const listDetails = statement(
  'reversal-store.list-details',
  `SELECT kind, order_id, currency, amount_minor, lost_minor, bank_reference, booked_at, recorded_at, settled_at
     FROM payment_reversals WHERE merchant_id = $merchantId AND payment_id = $paymentId ORDER BY recorded_at, kind`,
).rows<{
  kind: ReversalKind;
  order_id: string | null;
  currency: CurrencyCode;
  amount_minor: bigint;
  lost_minor: bigint;
  bank_reference: string | null;
  booked_at: Date | null;
  recorded_at: Date;
  settled_at: Date | null;
}>();
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

/** `void`: it never arrived like this. */
export type ReversalKind = 'taken_off' | 'clawback' | 'void';

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

export interface Reversal {
  readonly kind: ReversalKind;
  readonly orderId: string | undefined;
  readonly amount: Amount;
  readonly lost: Amount;
  readonly bankReference: string | undefined;
  readonly bookedAt: Date | undefined;
  readonly recordedAt: Date;
  /** When an operator had dealt with the loss. */
  readonly settledAt: Date | undefined;
}

/** The oldest first. */
export async function listReversalDetails(
  database: Queryable,
  tenant: TenantId,
  paymentId: PaymentId,
): Promise<Reversal[]> {
  const rows = await database.query(listDetails, { merchantId: tenant, paymentId });
  return rows.map((row) => ({
    kind: row.kind,
    orderId: row.order_id ?? undefined,
    amount: amountOf(row.currency, row.amount_minor),
    lost: amountOf(row.currency, row.lost_minor),
    bankReference: row.bank_reference ?? undefined,
    bookedAt: row.booked_at ?? undefined,
    recordedAt: row.recorded_at,
    settledAt: row.settled_at ?? undefined,
  }));
}

/** A payment that its merchant has voided, and that the owner of its account has yet to void. */
export interface ToHandBack {
  readonly merchantId: TenantId;
  readonly paymentId: PaymentId;
}

/** The oldest first. */
export async function listPaymentsToHandBack(
  database: Queryable,
  except: readonly PaymentId[],
  limit: number,
): Promise<ToHandBack[]> {
  const rows = await database.query(listToHandBack, { except, limit });
  return rows.map((row) => ({
    merchantId: tenantId(row.merchant_id),
    paymentId: storedPublicId('pay', row.payment_id),
  }));
}

export async function oldestToHandBackSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldestToHandBack))[0]?.seconds ?? 0;
}

export async function markHandedBack(tx: Transaction, merchantId: TenantId, paymentId: PaymentId): Promise<void> {
  await tx.query(handBack, { merchantId, paymentId });
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
    amount: amountOf(row.currency, row.lost_minor),
    orderId: row.order_id ?? undefined,
  }));
}
