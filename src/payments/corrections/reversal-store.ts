/** SQL on payments that were taken off their order or taken back by the payer's bank. */
import { type OperatorId, type TenantId, tenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { OrderId } from '../../orders/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Task, TaskPage } from '../../tasks/task.js';
import type { PaymentId } from '../payment.js';

const insertReversal = statement(
  'reversal-store.insert',
  `INSERT INTO payment_reversals (merchant_id, payment_id, kind, order_id, currency, amount_minor, lost_minor,
                                  bank_reference, booked_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const listOfPayment = statement<{ kind: ReversalKind }>(
  'reversal-store.list-of-payment',
  'SELECT kind FROM payment_reversals WHERE merchant_id = $1 AND payment_id = $2',
);
const settleLoss = statement<{ payment_id: string }>(
  'reversal-store.settle',
  `UPDATE payment_reversals SET settled_at = statement_timestamp(), settled_by = $3
    WHERE merchant_id = $1 AND payment_id = $2 AND lost_minor > 0 AND settled_at IS NULL RETURNING payment_id`,
);
const listLosses = statement<{
  merchant_id: bigint;
  payment_id: string;
  currency: string;
  at_micros: string;
}>(
  'reversal-store.list-losses',
  `SELECT merchant_id, payment_id, currency, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS at_micros
     FROM payment_reversals
    WHERE lost_minor > 0 AND settled_at IS NULL
      AND (recorded_at, payment_id) > (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2)
      AND ($4::text IS NULL OR payment_id = $4)
    ORDER BY recorded_at, payment_id LIMIT $3`,
);

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
  const { ownerId, paymentId, kind, orderId, amount, lost, booking } = reversal;
  await tx.query(insertReversal, [
    ...[ownerId, paymentId, kind, orderId ?? null, amount.currency, amount.minor, lost?.minor ?? 0n],
    ...[booking?.bankReference ?? null, booking?.bookedAt ?? null],
  ]);
}

export async function listReversalsOf(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<ReversalKind[]> {
  return (await database.query(listOfPayment, [ownerId, paymentId])).map(({ kind }) => kind);
}

/** Returns false when there is no loss that waits for an operator. */
export async function markLossSettled(
  tx: Transaction,
  ownerId: TenantId,
  paymentId: PaymentId,
  operator: OperatorId,
): Promise<boolean> {
  return (await tx.query(settleLoss, [ownerId, paymentId, operator])).length > 0;
}

export async function listLossTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { after, limit, only = null } = page;
  const rows = await database.query(listLosses, [after.sinceMicros, after.id, limit, only]);
  return rows.map((row) => ({
    id: row.payment_id,
    merchantId: tenantId(row.merchant_id) || undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: `Claim a loss in ${row.currency}: the payer's bank took a payment back that was paid out.`,
    path: `/operator/payments/${row.payment_id}/corrections/clawback`,
  }));
}
