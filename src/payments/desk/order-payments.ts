/** What the operators' desk asks of payments: which belong to an order, what of it is in suspense, and which orders a text leads to. */
import { publicId, tenantOfPublicId } from '../../ids.js';
import type { OrderRef } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import { listPaymentIdsOf } from '../applications/application-store.js';
import type { Payment, PaymentId } from '../payment.js';
import { findPayment, listPaymentsWithBankReference } from '../store.js';

/** Money that came for the order and that it does not have, the oldest first. */
export { listSuspenseOfOrder as listSuspenseOf } from '../suspense/suspense-store.js';

export { sumPaymentsAcross } from './payment-booking-store.js';

/** The oldest first. A payment on a shared account is recorded under the instance, which its id says. */
export async function listPaymentsOf(database: Queryable, order: OrderRef): Promise<Payment[]> {
  const ids = await listPaymentIdsOf(database, order);
  const payments = await Promise.all(ids.map((paymentId) => findById(database, paymentId)));
  return payments.flatMap((payment) => payment ?? []);
}

/** The orders of the payment with this id, or of those with this reference of the bank. */
export async function listOrdersPaidBy(database: Queryable, text: string, atMost: number): Promise<OrderRef[]> {
  const paymentId = publicId('pay', text);
  const payments = paymentId
    ? [await findById(database, paymentId)]
    : await listPaymentsWithBankReference(database, text, atMost);
  return payments.flatMap((payment) => payment?.order ?? []);
}

function findById(database: Queryable, paymentId: PaymentId): Promise<Payment | undefined> {
  return findPayment(database, tenantOfPublicId(paymentId), paymentId);
}
