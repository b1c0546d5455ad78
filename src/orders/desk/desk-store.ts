/** SQL of the operators' list of orders, of all merchants or of one. Planned for the filters of each call. */
import { type MerchantId, merchantId, type UserId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { OrderPlace } from '../listing/store.js';
import type { Order } from '../order.js';
import { type OrderRow, orderColumns, toOrder } from '../row.js';
import type { OrderState } from '../transitions.js';

interface OwnedRow extends OrderRow {
  merchant_id: bigint;
}

const filters = `($2::text IS NULL OR state = $2) AND ($3::bigint IS NULL OR user_id = $3) AND created_at >= $4
      AND (created_at, order_id) < ($5, $6)
    ORDER BY created_at DESC, order_id DESC LIMIT $7`;

/** By the expressions that the indexes over all merchants have. */
const pageOfAll = statement<OwnedRow>(
  'desk-store.page-of-all',
  `SELECT merchant_id, ${orderColumns} FROM orders
    WHERE $1::bigint IS NULL AND ($2::text IS NULL OR state || '' = $2) AND ($3::bigint IS NULL OR user_id + 0 = $3)
      AND timezone('UTC', created_at) >= timezone('UTC', $4::timestamptz)
      AND (timezone('UTC', created_at), order_id) < (timezone('UTC', $5::timestamptz), $6)
    ORDER BY timezone('UTC', created_at) DESC, order_id DESC LIMIT $7`,
  { isPlannedEachTime: true },
);
const pageOfMerchant = statement<OwnedRow>(
  'desk-store.page-of-merchant',
  `SELECT merchant_id, ${orderColumns} FROM orders WHERE merchant_id = $1 AND ${filters}`,
  { isPlannedEachTime: true },
);
const listByExternalId = statement<OwnedRow>(
  'desk-store.list-by-external-id',
  `SELECT merchant_id, ${orderColumns} FROM orders
    WHERE external_order_id IS NOT NULL AND external_order_id || '' = $1 ORDER BY created_at DESC LIMIT $2`,
);

export interface DeskFilter {
  readonly merchantId?: MerchantId | undefined;
  readonly state?: OrderState | undefined;
  readonly userId?: UserId | undefined;
  /** By creation: from this moment on, and before `to`. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The newest first. */
export async function listOrdersOfAll(
  database: Queryable,
  filter: DeskFilter,
  { after, limit }: { readonly after: OrderPlace | undefined; readonly limit: number },
): Promise<Order[]> {
  const { merchantId: merchant, state, userId, from, to } = filter;
  const start = after ?? { at: to ?? 'infinity', orderId: '' };
  const page = merchant === undefined ? pageOfAll : pageOfMerchant;
  const values = [merchant ?? null, state ?? null, userId ?? null, from ?? '-infinity'];
  return toOrders(await database.query(page, [...values, start.at, start.orderId, limit]));
}

/** Each merchant may have one with this id. */
export async function listOrdersByExternalId(
  database: Queryable,
  externalOrderId: string,
  atMost: number,
): Promise<Order[]> {
  return toOrders(await database.query(listByExternalId, [externalOrderId, atMost]));
}

function toOrders(rows: readonly OwnedRow[]): Order[] {
  return rows.map((row) => toOrder(merchantId(row.merchant_id), row));
}
