/** SQL of the lists of orders. There is one statement for each filter that has an index, because PostgreSQL plans by text. */
import type { MerchantId } from '../ids.js';
import { type Queryable, type Statement, statement } from '../postgres/statement.js';
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
/** Bounds that are always there are found by the index; `IS NULL OR` would read every order up to the first of the page. */
const page = `created_at >= $6 AND (created_at, order_id) < ($7, $8) ORDER BY created_at DESC, order_id DESC LIMIT $9`;

const listAll = statement<OrderRow>(
  'listing-store.page-of-all',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${page}`,
);
const listOfUser = statement<OrderRow>(
  'listing-store.page-of-user',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND user_id = $5 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${page}`,
);
const listOfStatus = statement<OrderRow>(
  'listing-store.page-of-status',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND public_state = $2 AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${page}`,
);
const listOfFiatIn = statement<OrderRow>(
  'listing-store.page-of-fiat-in',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND fiat_in = $3 AND ${status} AND ${fiatOut} AND ${user} AND ${page}`,
);
const listOfFiatOut = statement<OrderRow>(
  'listing-store.page-of-fiat-out',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND fiat_out = $4 AND ${status} AND ${fiatIn} AND ${user} AND ${page}`,
);
/** Here the index by changes must be used. It gives the order, and PostgreSQL takes two bounds for more selective than one. */
const created = `($6::timestamptz = '-infinity' OR created_at >= $6) AND ($10::timestamptz = 'infinity' OR created_at < $10)`;
const listUpdated = statement<OrderRow>(
  'listing-store.page-of-updated',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user} AND ${created}
      AND (updated_at, order_id) > ($7, $8) ORDER BY updated_at, order_id LIMIT $9`,
);
const findByExternalId = statement<OrderRow>(
  'listing-store.page-of-external-id',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $1 AND external_order_id = $7 AND ${status} AND ${fiatIn} AND ${fiatOut} AND ${user}
      AND created_at >= $6 AND created_at < $8 AND updated_at >= $9`,
);

/** The newest first, or the oldest change first with `updatedSince`. */
export async function listOrders(
  database: Queryable,
  merchantId: MerchantId,
  filter: OrderFilter,
  page: { readonly after: OrderPlace | undefined; readonly limit: number },
): Promise<Order[]> {
  const values = [
    ...[merchantId, filter.status ?? null, filter.fiatIn ?? null, filter.fiatOut ?? null],
    ...[filter.userId ?? null, filter.from ?? '-infinity'],
  ];
  const rows = await queryFor(database, filter, values, page);
  return rows.map((row) => toOrder(merchantId, row));
}

function queryFor(
  database: Queryable,
  { externalOrderId, updatedSince, to = 'infinity', ...filter }: Bounds,
  values: readonly unknown[],
  { after, limit }: { readonly after: OrderPlace | undefined; readonly limit: number },
): Promise<OrderRow[]> {
  // One order has that id, so there is no second page.
  if (externalOrderId !== undefined)
    return database.query(findByExternalId, [...values, externalOrderId, to, updatedSince ?? '-infinity']);
  // The first page begins at the bound itself: every id is greater than the empty text.
  const from = [after?.at ?? updatedSince ?? to, after?.orderId ?? '', limit];
  if (updatedSince !== undefined) return database.query(listUpdated, [...values, ...from, to]);
  return database.query(statementFor(filter), [...values, ...from]);
}

type Bounds = Omit<OrderFilter, 'to'> & { readonly to?: Date | 'infinity' | undefined };

/** The filter that usually leaves the fewest orders decides on the index. */
function statementFor({ userId, status, fiatIn, fiatOut }: OrderFilter): Statement<OrderRow> {
  if (userId !== undefined) return listOfUser;
  if (status !== undefined) return listOfStatus;
  if (fiatOut !== undefined) return listOfFiatOut;
  return fiatIn === undefined ? listAll : listOfFiatIn;
}
