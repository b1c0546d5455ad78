/** SQL of the operators' list of orders, of all merchants or of one. Planned for the filters of each call. */
import { type MerchantId, merchantId, type UserId } from '../../../ids.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { OrderPlace } from '../../api/listing/store.js';
import type { Order } from '../../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../../order/row.js';
import type { OrderState } from '../../order/transitions.js';

interface OwnedRow extends OrderRow {
  merchant_id: bigint;
}

const filters = `($state::text IS NULL OR state = $state) AND ($userId::bigint IS NULL
   OR user_id = $userId) AND created_at >= $from
      AND (created_at, order_id) < ($startAt, $startId)
    ORDER BY created_at DESC, order_id DESC LIMIT $limit`;

/** By the expressions that the indexes over all merchants have. */
const pageOfAll = statement(
  'desk-store.page-of-all',
  `SELECT merchant_id, ${orderColumns} FROM orders
    WHERE $merchantId::bigint IS NULL AND ($state::text IS NULL OR state || '' = $state)
      AND ($userId::bigint IS NULL OR user_id + 0 = $userId)
      AND timezone('UTC', created_at) >= timezone('UTC', $from::timestamptz)
      AND (timezone('UTC', created_at), order_id) < (timezone('UTC', $startAt::timestamptz), $startId)
    ORDER BY timezone('UTC', created_at) DESC, order_id DESC LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<OwnedRow>();
const pageOfMerchant = statement(
  'desk-store.page-of-merchant',
  `SELECT merchant_id, ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND ${filters}`,
  { isPlannedEachTime: true },
).rows<OwnedRow>();
const listByExternalId = statement(
  'desk-store.list-by-external-id',
  `SELECT merchant_id, ${orderColumns} FROM orders
    WHERE external_order_id IS NOT NULL AND external_order_id || '' = $externalOrderId
      ORDER BY created_at DESC LIMIT $limit`,
).rows<OwnedRow>();

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
  const rows = await database.query(page, {
    merchantId: merchant ?? null,
    state: state ?? null,
    userId: userId ?? null,
    from: from ?? '-infinity',
    startAt: start.at,
    startId: start.orderId,
    limit,
  });
  return toOrders(rows);
}

/** Each merchant may have one with this id. */
export async function listOrdersByExternalId(
  database: Queryable,
  externalOrderId: string,
  atMost: number,
): Promise<Order[]> {
  return toOrders(await database.query(listByExternalId, { externalOrderId, limit: atMost }));
}

function toOrders(rows: readonly OwnedRow[]): Order[] {
  return rows.map((row) => toOrder(merchantId(row.merchant_id), row));
}
