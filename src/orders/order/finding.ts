/**
 * Finds an order by the name under which a caller knows it, and locks it. Whoever locks an order does it here: the user
 * first, then the order.
 */
import { RemesaError } from '../../errors.js';
import { type MerchantId, merchantOfPublicId, publicId, type UserId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Order, OrderRef } from './order.js';
import { findOrder, findOrderByExternalId, listOrdersTo, listPublicVersions, lockOrderRow } from './store.js';
import type { OrderScope } from './wire/scope.js';

/** The newest orders of a user to one of their beneficiaries. */
export interface OrdersTo {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly beneficiaryId: string;
  /** Orders placed later, by the clock of the merchant. */
  readonly after: Date;
  readonly atMost: number;
}

export interface LockedOrder {
  readonly order: Order;
  /** The user's retained key. */
  readonly key: Buffer;
}

const externalIdPrefix = 'ext-';

/** By its id, or by `ext-` and the merchant's own id. Throws `order_not_found`. */
export async function findOrderOf(database: Queryable, { merchantId, userId }: OrderScope, id: string): Promise<Order> {
  const order = await findByText(database, merchantId, id);
  if (!order || (userId !== undefined && order.userId !== userId)) throw orderNotFound();
  return order;
}

/** For operators, who name an order by its id alone: the id names the merchant. Throws `order_not_found`. */
export async function findOrderById(database: Queryable, id: string): Promise<Order> {
  const order = await findOrder(database, refOf(id));
  if (!order) throw orderNotFound();
  return order;
}

/**
 * Locks the user, then the order: a transaction runs statements in the order in which they are sent, so both are sent
 * at once. Throws `order_not_found`.
 */
export async function lockOrder(
  tx: Transaction,
  users: Pick<UserService, 'lock'>,
  named: OrderRef & { readonly userId?: UserId },
): Promise<Order> {
  const userId = named.userId ?? (await findOrder(tx, named))?.userId;
  if (userId === undefined) throw orderNotFound();
  const [, order] = await Promise.all([users.lock(tx, named.merchantId, userId), lockOrderRow(tx, named)]);
  if (!order) throw orderNotFound();
  return order;
}

/** Finds it as `findOrderOf` does, and locks it. Throws `order_not_found`. */
export async function lockOrderOf(
  tx: Transaction,
  users: Pick<UserService, 'lock'>,
  scope: OrderScope,
  id: string,
): Promise<Order> {
  return lockOrder(tx, users, await findOrderOf(tx, scope, id));
}

/**
 * For operators, whose notes are sealed. Throws `order_not_found`, also after the user's retained key was destroyed.
 */
export async function lockOrderById(
  tx: Transaction,
  users: Pick<UserService, 'lock' | 'retainedKey'>,
  id: string,
): Promise<LockedOrder> {
  const order = await lockOrder(tx, users, refOf(id));
  const key = await users.retainedKey(tx, order.merchantId, order.userId);
  if (!key) throw orderNotFound();
  return { order, key };
}

/** The newest first. */
export function ordersTo(database: Queryable, to: OrdersTo): Promise<Order[]> {
  return listOrdersTo(database, to);
}

/** The versions that merchants and users see, for those who follow orders. */
export function publicVersionsOf(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return listPublicVersions(database, merchantId, orderIds);
}

/** Throws `order_not_found`. */
export async function merchantOf(id: string): Promise<MerchantId> {
  return refOf(id).merchantId;
}

/** The name under which the audit log and approvals know an order. */
export function recordOf({ orderId }: Pick<Order, 'orderId'>): string {
  return `order:${orderId}`;
}

async function findByText(database: Queryable, merchantId: MerchantId, id: string): Promise<Order | undefined> {
  if (id.startsWith(externalIdPrefix)) {
    return findOrderByExternalId(database, merchantId, id.slice(externalIdPrefix.length));
  }
  const orderId = publicId('ord', id);
  return orderId && findOrder(database, { merchantId, orderId });
}

function refOf(id: string): OrderRef {
  const orderId = publicId('ord', id);
  const merchantId = orderId && merchantOfPublicId(orderId);
  if (!orderId || !merchantId) throw orderNotFound();
  return { orderId, merchantId };
}

export function orderNotFound(): RemesaError {
  return new RemesaError('not_found', 'order_not_found', 'There is no such order.');
}
