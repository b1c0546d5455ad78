/** Whether something puts a complaint right: a refund of its order, or a later order of the same user. */
import { RemesaError } from '../errors.js';
import { publicId } from '../ids.js';
import { isZero } from '../money/amount.js';
import { findOrderById, findOrderOf } from '../orders/order/finding.js';
import type { Order, RefundState } from '../orders/order/order.js';
import { isPaid } from '../orders/order/payable.js';
import { isOnItsWay } from '../orders/order/wire/order-view.js';
import type { Transaction } from '../postgres/statement.js';
import type { Complaint } from './complaint.js';

const moving: readonly RefundState[] = ['pending', 'submitted', 'paid'];

export async function isRemedy(tx: Transaction, { remedy, orderId, userId, merchantId }: Complaint, reference: string) {
  if (orderId === undefined) return false;
  const order = await findOrderById(tx, orderId);
  if (remedy === 'refund')
    return order.refunds.some(({ refundId, state }) => refundId === reference && moving.includes(state));
  if (reference === orderId || publicId('ord', reference) === undefined) return false;
  const other = await findOrderOf(tx, { merchantId, userId }, reference).catch((error) => {
    if (error instanceof RemesaError && error.code === 'order_not_found') return undefined;
    throw error;
  });
  return other !== undefined && sendsAgain(other, order);
}

/** Paid, not on its way back, and without another charge. */
function sendsAgain(other: Order, order: Order): boolean {
  return other.createdAt > order.createdAt && isPaid(other) && isOnItsWay(other) && isZero(other.fee);
}
