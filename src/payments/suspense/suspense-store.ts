/** SQL that writes and finds suspense records, always within one owner. */
import { type MerchantId, storedPublicId, type TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { OrderId, OrderRef } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { PaymentId } from '../payment.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from './row.js';
import type { SuspenseId, SuspenseRecord, SuspenseRef } from './suspense.js';
import type { SuspenseState } from './transitions.js';

const insertRecord = statement(
  'suspense-store.insert',
  `INSERT INTO suspense_records (merchant_id, suspense_id, payment_id, reason, currency, amount_minor, remaining_minor, order_id)
   VALUES ($merchantId, $suspenseId, $paymentId, $reason, $currency, $amountMinor, $amountMinor, $orderId) RETURNING ${suspenseColumns}`,
).rows<SuspenseRow>();
const findById = statement(
  'suspense-store.find',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND suspense_id = $suspenseId`,
).rows<SuspenseRow>();
const findOfPayment = statement(
  'suspense-store.find-of-payment',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND payment_id = $paymentId`,
).rows<SuspenseRow>();
const listByIds = statement(
  'suspense-store.list-by-ids',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND suspense_id = ANY ($ids)`,
).rows<SuspenseRow>();
const listIds = statement(
  'suspense-store.list-ids',
  `SELECT suspense_id FROM suspense_records WHERE merchant_id = $merchantId AND suspense_id > $after
    ORDER BY suspense_id LIMIT $limit`,
).rows<{ suspense_id: string }>();
const listOfOrder = statement(
  'suspense-store.list-of-order',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY opened_at, suspense_id`,
).rows<SuspenseRow>();
const listIdsOfOrders = statement(
  'suspense-store.list-ids-of-orders',
  `SELECT suspense_id FROM suspense_records
    WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds)
      AND state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED')
    ORDER BY suspense_id`,
).rows<{ suspense_id: string }>();
const sumHeld = statement(
  'suspense-store.sum-held',
  `SELECT currency, state, sum(remaining_minor)::text AS minor FROM suspense_records
    WHERE merchant_id = $merchantId AND state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED') GROUP BY currency, state`,
).rows<{ currency: Amount['currency']; state: SuspenseState; minor: string }>();
const lockById = statement(
  'suspense-store.lock',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND suspense_id = $suspenseId FOR UPDATE`,
).rows<SuspenseRow>();
const updateState = statement(
  'suspense-store.update-state',
  `UPDATE suspense_records
      SET state = $state, remaining_minor = $remainingMinor, handed_to = $handedTo, despite = $despite, version = version + 1, changed_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND suspense_id = $suspenseId AND version = $version
   RETURNING ${suspenseColumns}`,
).rows<SuspenseRow>();

export type NewSuspense = Pick<
  SuspenseRecord,
  'ownerId' | 'suspenseId' | 'paymentId' | 'reason' | 'amount' | 'orderId'
>;

export async function addSuspense(tx: Transaction, record: NewSuspense): Promise<SuspenseRecord> {
  const { ownerId, amount: held } = record;
  const money = { currency: held.currency, amountMinor: held.minor };
  const [row] = await tx.query(insertRecord, { ...record, merchantId: ownerId, ...money });
  if (!row) throw new Error('the suspense record was not inserted');
  return toSuspense(row);
}

export async function findSuspense(
  database: Queryable,
  { ownerId, suspenseId }: SuspenseRef,
): Promise<SuspenseRecord | undefined> {
  const [row] = await database.query(findById, { merchantId: ownerId, suspenseId });
  return row && toSuspense(row);
}

/** A payment has at most one record in the books of each owner. */
export async function findSuspenseOfPayment(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<SuspenseRecord | undefined> {
  const [row] = await database.query(findOfPayment, { merchantId: ownerId, paymentId });
  return row && toSuspense(row);
}

export async function listSuspenseByIds(
  database: Queryable,
  ownerId: TenantId,
  ids: readonly SuspenseId[],
): Promise<SuspenseRecord[]> {
  return (await database.query(listByIds, { merchantId: ownerId, ids })).map(toSuspense);
}

/** The ids of records after this one, in their order. */
export async function listSuspenseIdsAfter(
  database: Queryable,
  ownerId: TenantId,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await database.query(listIds, { merchantId: ownerId, after, limit })).map((row) => row.suspense_id);
}

/** The records in the books of the order's merchant with money that seems to be for the order, the oldest first. */
export async function listSuspenseOfOrder(database: Queryable, order: OrderRef): Promise<SuspenseRecord[]> {
  return (await database.query(listOfOrder, order)).map(toSuspense);
}

/** The records in the books of the merchant with money that seems to be for one of these orders, and is not frozen. */
export async function listHeldOfOrders(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<SuspenseRef[]> {
  const rows = await database.query(listIdsOfOrders, { merchantId, orderIds });
  return rows.map((row) => ({ ownerId: merchantId, suspenseId: storedPublicId('sus', row.suspense_id) }));
}

/** What we hold for all records of the owner, by currency and state. */
export async function sumHeldSuspense(
  database: Queryable,
  ownerId: TenantId,
): Promise<{ readonly state: SuspenseState; readonly currency: Amount['currency']; readonly minor: bigint }[]> {
  const rows = await database.query(sumHeld, { merchantId: ownerId });
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

export async function lockSuspense(
  tx: Transaction,
  { ownerId, suspenseId }: SuspenseRef,
): Promise<SuspenseRecord | undefined> {
  const [row] = await tx.query(lockById, { merchantId: ownerId, suspenseId });
  return row && toSuspense(row);
}

export interface SuspenseChange {
  readonly state: SuspenseState;
  readonly remaining: Amount;
  /** The order whose merchant takes the money over. */
  readonly handedTo?: OrderId | undefined;
  readonly despite: readonly string[];
}

/** Returns undefined when the record is no longer at this version. */
export async function saveSuspense(
  tx: Transaction,
  { ownerId, suspenseId, version }: SuspenseRecord,
  { state, remaining, handedTo, despite }: SuspenseChange,
): Promise<SuspenseRecord | undefined> {
  const [row] = await tx.query(updateState, {
    merchantId: ownerId,
    suspenseId,
    version,
    state,
    remainingMinor: remaining.minor,
    handedTo,
    despite,
  });
  return row && toSuspense(row);
}
