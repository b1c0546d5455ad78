/** What operators say when they reverse a payment, and why one command does not reverse it. */
import { RemesaError } from '../../errors.js';
import type { Order } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import { locatePayment, type PaymentLocation } from '../shares/payment-location.js';

export interface Correction {
  /** Of the order or of the suspense record that has the payment. */
  readonly version: number;
  readonly note: string;
}

/** The line of the bank statement that shows that the money was taken back. */
export interface BankClawback extends Correction {
  readonly bankReference: string;
  readonly bookedAt: Date;
}

export function notReversible(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_not_reversible', `The payment cannot be reversed. ${message}`);
}

/** Where the payment is. Throws `payment_not_found`. */
export async function locate(database: Queryable, id: string): Promise<PaymentLocation> {
  const found = await locatePayment(database, id);
  if (!found) throw new RemesaError('not_found', 'payment_not_found', 'There is no such payment.');
  return found;
}

export function changed({ orderId, version }: Order): RemesaError {
  return new RemesaError('conflict', 'payment_changed', 'The order has changed since you read it.', {
    members: { orderId, version },
  });
}
