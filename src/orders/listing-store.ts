/** SQL of the lists of orders. There is one statement for each filter that has an index, because PostgreSQL plans by text. */
import type { MerchantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { Order, OrderId } from './order.js';
import { type OrderRow, orderColumns, toOrder } from './row.js';
import type { PublicState } from './transitions.js';

export interface OrderFilter {
  readonly status?: PublicState | undefined;
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

const status = '($2::text IS NULL OR public_state = $2)';
const fiatIn = '($3::text IS NULL OR fiat_in = $3)';
const fiatOut = '($4::text IS NULL OR fiat_out = $4)';
const user = '($5::bigint IS NULL OR user_id = $5)';
const created =
  '($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)';
const page = `(created_at, order_id) < ($8, $9) ORDER BY created_at DESC, order_id DESC LIMIT $10`;

const listAll = statement<OrderRow>(
  'listing-store.page-of-all',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${created} AND ${page}`,
);
const listOfUser = statement<OrderRow>(
  'listing-store.page-of-user',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND user_id = $5 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${created} AND ${page}`,
);
const listOfStatus = statement<OrderRow>(
  'listing-store.page-of-status',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND public_state = $2 AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${created} AND ${page}`,
);
const listOfFiatIn = statement<OrderRow>(
  'listing-store.page-of-fiat-in',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND fiat_in = $3 AND ${status} AND ${fiatOut} AND ${user} AND ${created} AND ${page}`,
);
const listOfFiatOut = statement<OrderRow>(
  'listing-store.page-of-fiat-out',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND fiat_out = $4 AND ${status} AND ${fiatIn} AND ${user} AND ${created} AND ${page}`,
);
const listUpdated = statement<OrderRow>(
  'listing-store.page-of-updated',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${created}
      AND updated_at >= $11 AND (updated_at, order_id) > ($8, $9) ORDER BY updated_at, order_id LIMIT $10`,
);

const findByExternalId = statement<OrderRow>(
  'listing-store.page-of-external-id',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND external_order_id = $9 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user}
      AND ${created} AND ($8::timestamptz IS NULL OR updated_at >= $8)`,
);

/** The newest first, or the oldest change first with `updatedSince`. */
export async function listOrders(
  database: Queryable,
  merchantId: MerchantId,
  filter: OrderFilter,
  { after, limit }: { readonly after: OrderPlace | undefined; readonly limit: number },
): Promise<Order[]> {
  const { updatedSince } = filter;
  const filters = [
    ...[merchantId, filter.status ?? null, filter.fiatIn ?? null, filter.fiatOut ?? null],
    ...[filter.userId ?? null, filter.from ?? null, filter.to ?? null],
  ];
  const start = updatedSince === undefined ? 'infinity' : '-infinity';
  const page = [after?.at ?? start, after?.orderId ?? '', limit];
  const rows = await queryFor(database, filter, filters, page);
  return rows.map((row) => toOrder(merchantId, row));
}

function queryFor(
  database: Queryable,
  { externalOrderId, updatedSince, userId, status, fiatIn, fiatOut }: OrderFilter,
  filters: readonly unknown[],
  page: readonly unknown[],
): Promise<OrderRow[]> {
  // One order has that id, so there is no second page.
  if (externalOrderId !== undefined)
    return database.query(findByExternalId, [...filters, updatedSince ?? null, externalOrderId]);
  if (updatedSince !== undefined) return database.query(listUpdated, [...filters, ...page, updatedSince]);
  // The filter that usually leaves the fewest orders decides on the index.
  const values = [...filters, ...page];
  if (userId !== undefined) return database.query(listOfUser, values);
  if (status !== undefined) return database.query(listOfStatus, values);
  if (fiatOut !== undefined) return database.query(listOfFiatOut, values);
  return database.query(fiatIn === undefined ? listAll : listOfFiatIn, values);
}
