/** The lists of orders: which page, and the address of the next one. */
import type { Static } from 'typebox';
import { readTime } from '../../../http/body/read-time.js';
import { namesIn } from '../../../http/shapes.js';
import type { MerchantId, UserId } from '../../../ids.js';
import type { Queryable } from '../../../postgres/statement.js';
import type { Order } from '../../order/order.js';
import { publicStates } from '../../order/transitions.js';
import { placeText, readPlace } from '../request.js';
import type { MerchantOrdersQuery, OrdersQuery } from '../schemas.js';
import { listOrders } from './store.js';

const usualLimit = 50;

export interface OrderPage {
  readonly orders: Order[];
  /** The address of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The newest first. */
export function listUserOrders(
  database: Queryable,
  merchantId: MerchantId,
  userId: UserId,
  query: Static<typeof OrdersQuery>,
): Promise<OrderPage> {
  return pageOf(database, merchantId, '/orders', { ...query, userId });
}

/** The newest first, or with `updatedSince` the oldest change first. Throws `invalid_fields` for an impossible time. */
export function listMerchantOrders(
  database: Queryable,
  merchantId: MerchantId,
  query: Static<typeof MerchantOrdersQuery>,
): Promise<OrderPage> {
  return pageOf(database, merchantId, '/merchant/orders', query);
}

async function pageOf(
  database: Queryable,
  merchantId: MerchantId,
  path: string,
  query: Static<typeof MerchantOrdersQuery>,
): Promise<OrderPage> {
  const { limit = usualLimit, after, from, to, updatedSince, status, ...filter } = query;
  const times = {
    from: readTime('from', from),
    to: readTime('to', to),
    updatedSince: readTime('updatedSince', updatedSince),
  };
  const page = { after: readPlace(after), limit };
  const statuses = namesIn(publicStates, status);
  const orders = await listOrders(database, merchantId, { ...filter, ...times, statuses }, page);
  const last = orders.at(-1);
  if (!last || orders.length < limit) return { orders, next: undefined };
  const at = updatedSince === undefined ? last.createdAt : last.updatedAt;
  const next = { ...query, after: placeText({ at, orderId: last.orderId }) };
  const search = new URLSearchParams(Object.entries(next).map(([name, value]) => [name, String(value)]));
  return { orders, next: `${path}?${search}` };
}
