/** Whether something puts a complaint right: a refund of its order, or another order of the same user. */
import { RemesaError } from '../errors.js';
import { publicId } from '../ids.js';
import { findOrderById, findOrderOf } from '../orders/order/finding.js';
import type { Transaction } from '../postgres/statement.js';
import type { Complaint } from './complaint.js';

export async function isRemedy(tx: Transaction, { remedy, orderId, userId, merchantId }: Complaint, reference: string) {
  if (orderId === undefined) return false;
  if (remedy === 'refund') {
    const { refunds } = await findOrderById(tx, orderId);
    return refunds.some(({ refundId }) => refundId === reference);
  }
  if (reference === orderId || publicId('ord', reference) === undefined) return false;
  const other = await findOrderOf(tx, { merchantId, userId }, reference).catch((error) => {
    if (error instanceof RemesaError && error.code === 'order_not_found') return undefined;
    throw error;
  });
  return other !== undefined;
}
