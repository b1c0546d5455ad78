/** SQL on money in suspense that the merchant of an order has yet to take over. Only the instance hands money over. */
import { instanceTenant, storedPublicId } from '../../ids.js';
import type { OrderId } from '../../orders/order.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from './row.js';
import type { SuspenseId, SuspenseRecord, SuspenseRef } from './suspense.js';

const listDue = statement<SuspenseRow & { handed_to: string }>(
  'hand-over-store.list',
  `SELECT ${suspenseColumns}, handed_to FROM suspense_records
    WHERE merchant_id = $1 AND state = 'HANDED_OVER' AND settled_at IS NULL AND suspense_id <> ALL ($2)
    ORDER BY opened_at, suspense_id LIMIT $3`,
);
const findOldest = statement<{ seconds: number }>(
  'hand-over-store.find-oldest',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(changed_at)), 0)::float8 AS seconds
     FROM suspense_records WHERE merchant_id = $1 AND state = 'HANDED_OVER' AND settled_at IS NULL`,
);
const settle = statement(
  'hand-over-store.settle',
  `UPDATE suspense_records SET settled_at = statement_timestamp()
    WHERE merchant_id = $1 AND suspense_id = $2 AND state = 'HANDED_OVER' AND settled_at IS NULL`,
);

export interface HandedOverRecord {
  readonly record: SuspenseRecord;
  readonly orderId: OrderId;
}

/** The oldest first. */
export async function listHandedOver(
  database: Queryable,
  except: readonly SuspenseId[],
  atMost: number,
): Promise<HandedOverRecord[]> {
  const rows = await database.query(listDue, [instanceTenant, except, atMost]);
  return rows.map((row) => ({ record: toSuspense(row), orderId: storedPublicId('ord', row.handed_to) }));
}

export async function oldestHandedOverRecordSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldest, [instanceTenant]);
  return row?.seconds ?? 0;
}

/** The merchant of the order has the money. */
export async function settleHandedOver(tx: Transaction, { ownerId, suspenseId }: SuspenseRef): Promise<void> {
  await tx.query(settle, [ownerId, suspenseId]);
}
