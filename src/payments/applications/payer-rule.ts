/** The rule that an order paid by somebody else must be seen by a person before it is paid out. */
import type { GateRule } from '../../orders/gate/facts.js';
import type { RuleFinding } from '../../orders/order/gate.js';
import type { OrderId } from '../../orders/order/order.js';
import { listPaymentsOfOthers } from './application-store.js';

export const payerRule: GateRule = {
  /** One finding for each payment, so that an approval clears the payers that it was about, and no later one. */
  async check(database, merchantId, orders) {
    const found = new Map<OrderId, RuleFinding[]>();
    const orderIds = orders.map(({ order }) => order.orderId);
    for (const { orderId, paymentId } of await listPaymentsOfOthers(database, merchantId, orderIds)) {
      const explanation = `The payer of ${paymentId} has a name unlike the user's.`;
      const finding = { rule: 'payer_differs', key: paymentId, explanation };
      found.set(orderId, [...(found.get(orderId) ?? []), finding]);
    }
    return found;
  },
};
