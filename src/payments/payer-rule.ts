/** The rule that an order paid by somebody else must be seen by a person before it is paid out. */
import type { OrderRef } from '../orders/order.js';
import type { Queryable } from '../postgres/statement.js';
import { findPaymentOfAnother } from './application-store.js';

/** As the gate of orders reads it. `key` is another one for another payment. */
interface PayerFinding {
  readonly rule: 'payer_differs';
  readonly key: string;
  readonly explanation: string;
}

export const payerRule = {
  /** Empty when no payer of the order has a name unlike the user's. */
  async check(database: Queryable, order: OrderRef): Promise<readonly PayerFinding[]> {
    const paymentId = await findPaymentOfAnother(database, order);
    if (paymentId === undefined) return [];
    const explanation = `The payer of ${paymentId} has a name unlike the user's.`;
    return [{ rule: 'payer_differs', key: paymentId, explanation }];
  },
};
