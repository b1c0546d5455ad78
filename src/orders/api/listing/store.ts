/**
 * SQL of the lists of orders. The statements are planned for the filters of each call. One plan for all calls would not
 * know which filters are there, and sort all orders of the merchant.
 */
import type { MerchantId } from '../../../ids.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { Order, OrderId } from '../../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../../order/row.js';
import type { PublicState } from '../../order/transitions.js';

export interface OrderFilter {
  readonly statuses?: readonly PublicState[] | undefined;
  readonly fiatIn?: string | undefined;
  readonly fiatOut?: string | undefined;
  readonly userId?: number | undefined;
  readonly externalOrderId?: string | undefined;
  /** By creation: from this moment on, and before `to`. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Changed at this moment or later. The list then begins with the oldest change. */
  readonly updatedSince?: Date | undefined;
}

/** The place of an order in a list: its time and its id. */
export interface OrderPlace {
  readonly at: Date;
  readonly orderId: OrderId;
}

/** One status is compared by itself: only then is the index of statuses also in the order of the list. */
const filters = `($status::text IS NULL OR public_state = $status)
      AND ($statuses::text[] IS NULL OR public_state = ANY ($statuses)) AND ($fiatIn::text IS NULL OR fiat_in = $fiatIn)
      AND ($fiatOut::text IS NULL OR fiat_out = $fiatOut) AND ($ofUser::bigint IS NULL OR user_id = $ofUser)
      AND ($externalOrderId::text IS NULL OR external_order_id = $externalOrderId) AND created_at >= $from`;

const listNewest = statement(
  'listing.page-of-newest',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $merchantId AND ${filters} AND (created_at, order_id) < ($startAt, $startId)
    ORDER BY created_at DESC, order_id DESC LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<OrderRow>();
const listUpdated = statement(
  'listing.page-of-updated',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $merchantId AND ${filters} AND (updated_at, order_id) > ($startAt, $startId)
      AND created_at < $to
    ORDER BY updated_at, order_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<OrderRow>();

/** The newest first, or the oldest change first with `updatedSince`. */
export async function listOrders(
  database: Queryable,
  merchantId: MerchantId,
  { statuses, fiatIn, fiatOut, userId, externalOrderId, from, to, updatedSince }: OrderFilter,
  { after, limit }: { readonly after: OrderPlace | undefined; readonly limit: number },
): Promise<Order[]> {
  const end = to ?? 'infinity';
  // The first page begins at the bound itself: every id is greater than the empty text.
  const start = after ?? { at: updatedSince ?? end, orderId: '' };
  const values = {
    merchantId,
    status: statuses?.length === 1 ? (statuses[0] ?? null) : null,
    statuses: statuses && statuses.length > 1 ? statuses : null,
    fiatIn: fiatIn ?? null,
    fiatOut: fiatOut ?? null,
    ofUser: userId ?? null,
    externalOrderId: externalOrderId ?? null,
    from: from ?? '-infinity',
    startAt: start.at,
    startId: start.orderId,
    limit,
  };
  const rows =
    updatedSince === undefined
      ? await database.query(listNewest, values)
      : await database.query(listUpdated, { ...values, to: end });
  return rows.map((row) => toOrder(merchantId, row));
}
