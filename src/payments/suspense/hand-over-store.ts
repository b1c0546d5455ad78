/** SQL on money in suspense that the merchant of an order has yet to take over. Only the instance hands money over. */
import { instanceTenant, storedPublicId } from '../../ids.js';
import type { OrderId } from '../../orders/order/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from './row.js';
import type { SuspenseId, SuspenseRecord, SuspenseRef } from './suspense.js';

const listDue = statement(
  'hand-over-store.list',
  `SELECT ${suspenseColumns} FROM suspense_records
    WHERE merchant_id = $merchantId AND state = 'HANDED_OVER' AND settled_at IS NULL AND suspense_id <> ALL ($except)
    ORDER BY opened_at, suspense_id LIMIT $limit`,
).rows<SuspenseRow & { handed_to: string }>();
const findOldest = statement(
  'hand-over-store.find-oldest',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(changed_at)), 0)::float8 AS seconds
     FROM suspense_records WHERE merchant_id = $merchantId AND state = 'HANDED_OVER' AND settled_at IS NULL`,
).rows<{ seconds: number }>();
const settle = statement(
  'hand-over-store.settle',
  `UPDATE suspense_records SET settled_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND suspense_id = $suspenseId AND state = 'HANDED_OVER' AND settled_at IS NULL`,
);

export interface HandedOverRecord {
  readonly record: SuspenseRecord;
  readonly orderId: OrderId;
}

/** The oldest first. */
export async function listHandedOver(
  database: Queryable,
  except: readonly SuspenseId[],
  limit: number,
): Promise<HandedOverRecord[]> {
  const rows = await database.query(listDue, { merchantId: instanceTenant, except, limit });
  return rows.map((row) => ({ record: toSuspense(row), orderId: storedPublicId('ord', row.handed_to) }));
}

export async function oldestHandedOverRecordSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldest, { merchantId: instanceTenant });
  return row?.seconds ?? 0;
}

/** The merchant of the order has the money. */
export async function settleHandedOver(tx: Transaction, { ownerId, suspenseId }: SuspenseRef): Promise<void> {
  await tx.query(settle, { merchantId: ownerId, suspenseId });
}
