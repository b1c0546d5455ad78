/** Finds and locks the order that an operator names by its id alone. */
import { RemesaError } from '../../errors.js';
import { type MerchantId, merchantOfPublicId, publicId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Order, OrderRef } from './order.js';
import { findOrder, lockOrder } from './store.js';

export interface LockedOrder {
  readonly order: Order;
  /** The user's retained key. */
  readonly key: Buffer;
}

/** The id of an order names its merchant. Throws `order_not_found`. */
export function refOf(id: string): OrderRef {
  const orderId = publicId('ord', id);
  const merchantId = orderId && merchantOfPublicId(orderId);
  if (!orderId || !merchantId) throw orderNotFound();
  return { orderId, merchantId };
}

/** Throws `order_not_found`. */
export async function merchantOf(id: string): Promise<MerchantId> {
  return refOf(id).merchantId;
}

/** Locks the user, then the order. Throws `order_not_found`. */
export async function lockForOperator(users: UserService, tx: Transaction, id: string): Promise<LockedOrder> {
  const ref = refOf(id);
  const found = await findOrder(tx, ref);
  if (!found) throw orderNotFound();
  await users.lock(tx, found.merchantId, found.userId);
  const order = await lockOrder(tx, ref);
  const key = await users.retainedKey(tx, found.merchantId, found.userId);
  if (!order || !key) throw orderNotFound();
  return { order, key };
}

/** The name under which the audit log and approvals know an order. */
export function recordOf({ orderId }: Pick<Order, 'orderId'>): string {
  return `order:${orderId}`;
}

export function orderNotFound(): RemesaError {
  return new RemesaError('not_found', 'order_not_found', 'There is no such order.');
}
