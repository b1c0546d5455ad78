/** SQL that writes and finds suspense records, always within one owner. */
import type { TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { OrderId, OrderRef } from '../../orders/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { PaymentId } from '../payment.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from './row.js';
import type { SuspenseId, SuspenseRecord, SuspenseRef } from './suspense.js';
import type { SuspenseState } from './transitions.js';

const insertRecord = statement<SuspenseRow>(
  'suspense-store.insert',
  `INSERT INTO suspense_records (merchant_id, suspense_id, payment_id, reason, currency, amount_minor, remaining_minor, order_id)
   VALUES ($1, $2, $3, $4, $5, $6, $6, $7) RETURNING ${suspenseColumns}`,
);
const findById = statement<SuspenseRow>(
  'suspense-store.find',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $1 AND suspense_id = $2`,
);
const findOfPayment = statement<SuspenseRow>(
  'suspense-store.find-of-payment',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $1 AND payment_id = $2`,
);
const listByIds = statement<SuspenseRow>(
  'suspense-store.list-by-ids',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $1 AND suspense_id = ANY ($2)`,
);
const listOfOrder = statement<SuspenseRow>(
  'suspense-store.list-of-order',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $1 AND order_id = $2 ORDER BY opened_at, suspense_id`,
);
const sumHeld = statement<{ currency: Amount['currency']; state: SuspenseState; minor: string }>(
  'suspense-store.sum-held',
  `SELECT currency, state, sum(remaining_minor)::text AS minor FROM suspense_records
    WHERE merchant_id = $1 AND state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED') GROUP BY currency, state`,
);
const lockById = statement<SuspenseRow>(
  'suspense-store.lock',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $1 AND suspense_id = $2 FOR UPDATE`,
);
const updateState = statement<SuspenseRow>(
  'suspense-store.update-state',
  `UPDATE suspense_records
      SET state = $4, remaining_minor = $5, handed_to = $6, version = version + 1, changed_at = statement_timestamp()
    WHERE merchant_id = $1 AND suspense_id = $2 AND version = $3
   RETURNING ${suspenseColumns}`,
);

export type NewSuspense = Pick<
  SuspenseRecord,
  'ownerId' | 'suspenseId' | 'paymentId' | 'reason' | 'amount' | 'orderId'
>;

export async function addSuspense(tx: Transaction, record: NewSuspense): Promise<SuspenseRecord> {
  const { ownerId, suspenseId, paymentId, reason, amount: held, orderId } = record;
  const values = [ownerId, suspenseId, paymentId, reason, held.currency, held.minor, orderId ?? null];
  const [row] = await tx.query(insertRecord, values);
  if (!row) throw new Error('the suspense record was not inserted');
  return toSuspense(row);
}

export async function findSuspense(
  database: Queryable,
  { ownerId, suspenseId }: SuspenseRef,
): Promise<SuspenseRecord | undefined> {
  const [row] = await database.query(findById, [ownerId, suspenseId]);
  return row && toSuspense(row);
}

/** A payment has at most one record in the books of each owner. */
export async function findSuspenseOfPayment(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<SuspenseRecord | undefined> {
  const [row] = await database.query(findOfPayment, [ownerId, paymentId]);
  return row && toSuspense(row);
}

export async function listSuspenseByIds(
  database: Queryable,
  ownerId: TenantId,
  ids: readonly SuspenseId[],
): Promise<SuspenseRecord[]> {
  return (await database.query(listByIds, [ownerId, ids])).map(toSuspense);
}

/** The records in the books of the order's merchant with money that seems to be for the order, the oldest first. */
export async function listSuspenseOfOrder(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<SuspenseRecord[]> {
  return (await database.query(listOfOrder, [merchantId, orderId])).map(toSuspense);
}

/** What we hold for all records of the owner, by currency and state. */
export async function sumHeldSuspense(
  database: Queryable,
  ownerId: TenantId,
): Promise<
  { readonly state: SuspenseState; readonly currency: Amount['currency']; readonly minor: bigint }[]
> {
  const rows = await database.query(sumHeld, [ownerId]);
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

export async function lockSuspense(
  tx: Transaction,
  { ownerId, suspenseId }: SuspenseRef,
): Promise<SuspenseRecord | undefined> {
  const [row] = await tx.query(lockById, [ownerId, suspenseId]);
  return row && toSuspense(row);
}

export interface SuspenseChange {
  readonly state: SuspenseState;
  readonly remaining: Amount;
  /** The order whose merchant takes the money over. */
  readonly handedTo?: OrderId | undefined;
}

/** Returns undefined when the record is no longer at this version. */
export async function saveSuspense(
  tx: Transaction,
  { ownerId, suspenseId, version }: SuspenseRecord,
  { state, remaining, handedTo }: SuspenseChange,
): Promise<SuspenseRecord | undefined> {
  const values = [ownerId, suspenseId, version, state, remaining.minor, handedTo ?? null];
  const [row] = await tx.query(updateState, values);
  return row && toSuspense(row);
}
