/** SQL of the operators' list of orders, of all merchants or of one. Planned for the filters of each call. */
import { type MerchantId, merchantId, type UserId } from '../../../ids.js';
import type { Amount } from '../../../money/amount.js';
import type { CurrencyCode } from '../../../money/currency.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { OrderPlace } from '../../api/listing/store.js';
import type { Order } from '../../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../../order/row.js';
import type { OrderState } from '../../order/transitions.js';

interface OwnedRow extends OrderRow {
  merchant_id: bigint;
}

/** One state is compared by itself: only then is the index of states also in the order of the list. */
const filters = `($state::text IS NULL OR state = $state) AND ($states::text[] IS NULL OR state = ANY ($states)) AND ($userId::bigint IS NULL
   OR user_id = $userId) AND created_at >= $from
      AND (created_at, order_id) < ($startAt, $startId)
    ORDER BY created_at DESC, order_id DESC LIMIT $limit`;

/** By the expressions that the indexes over all merchants have. */
const pageOfAll = statement(
  'desk-store.page-of-all',
  `SELECT merchant_id, ${orderColumns} FROM orders
    WHERE $merchantId::bigint IS NULL AND ($state::text IS NULL OR state || '' = $state) AND ($states::text[] IS NULL OR state = ANY ($states))
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

const countCreatedOfAll = statement(
  'desk-store.count-created-of-all',
  `SELECT state, fiat_in AS currency, count(*)::int AS count, sum(amount_in_minor)::bigint AS minor FROM orders
    WHERE timezone('UTC', created_at) >= timezone('UTC', $from::timestamptz)
      AND timezone('UTC', created_at) < timezone('UTC', $to::timestamptz)
    GROUP BY state, fiat_in ORDER BY state, fiat_in`,
).rows<CreatedRow>();
const countCreatedOfMerchant = statement(
  'desk-store.count-created-of-merchant',
  `SELECT state, fiat_in AS currency, count(*)::int AS count, sum(amount_in_minor)::bigint AS minor FROM orders
    WHERE merchant_id = $merchantId AND created_at >= $from AND created_at < $to
    GROUP BY state, fiat_in ORDER BY state, fiat_in`,
).rows<CreatedRow>();

/** By the index of states, which no list of one merchant uses. */
const countInStates = statement(
  'desk-store.count-in-states',
  `SELECT state, count(*)::int AS count FROM orders WHERE state || '' = ANY ($states::text[]) GROUP BY state`,
  { isPlannedEachTime: true },
).rows<{ state: OrderState; count: number }>();

interface CreatedRow {
  state: OrderState;
  currency: CurrencyCode;
  count: number;
  minor: bigint;
}

/** Orders that were created in a period, by the state that they have now and by what is paid in. */
export interface CreatedOrders {
  readonly state: OrderState;
  readonly count: number;
  readonly amountIn: Amount;
}

export async function countCreatedOrders(
  database: Queryable,
  merchant: MerchantId | undefined,
  period: { readonly from: Date; readonly to: Date },
): Promise<CreatedOrders[]> {
  const rows =
    merchant === undefined
      ? await database.query(countCreatedOfAll, period)
      : await database.query(countCreatedOfMerchant, { ...period, merchantId: merchant });
  return rows.map(({ state, count, currency, minor }) => ({ state, count, amountIn: { currency, minor } }));
}

/** Orders of all merchants that are in these states now. */
export async function countOrdersIn(
  database: Queryable,
  states: readonly OrderState[],
): Promise<ReadonlyMap<OrderState, number>> {
  const rows = await database.query(countInStates, { states });
  return new Map(rows.map(({ state, count }) => [state, count]));
}

export interface DeskFilter {
  readonly merchantId?: MerchantId | undefined;
  readonly states?: readonly OrderState[] | undefined;
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
  const { merchantId: merchant, states, userId, from, to } = filter;
  const start = after ?? { at: to ?? 'infinity', orderId: '' };
  const page = merchant === undefined ? pageOfAll : pageOfMerchant;
  const rows = await database.query(page, {
    merchantId: merchant ?? null,
    state: states?.length === 1 ? (states[0] ?? null) : null,
    states: states && states.length > 1 ? states : null,
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
