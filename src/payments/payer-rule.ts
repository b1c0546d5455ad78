/** The rule that an order paid by somebody else must be seen by a person before it is paid out. */
import type { GateRule } from '../orders/gate/facts.js';
import { listPaymentsOfOthers } from './application-store.js';

export const payerRule: GateRule = {
  /** The key is another one for another payment. */
  async check(database, merchantId, orders) {
    const orderIds = orders.map(({ order }) => order.orderId);
    const payments = await listPaymentsOfOthers(database, merchantId, orderIds);
    return new Map(
      payments.map(({ orderId, paymentId }) => {
        const explanation = `The payer of ${paymentId} has a name unlike the user's.`;
        return [orderId, [{ rule: 'payer_differs', key: paymentId, explanation }]];
      }),
    );
  },
};
