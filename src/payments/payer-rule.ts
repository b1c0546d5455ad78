/** The rule that an order paid by somebody else must be seen by a person before it is paid out. */
import type { GateRule } from '../orders/gate/examination.js';
import type { RuleFinding } from '../orders/gate/gate.js';
import { findPaymentOfAnother } from './application-store.js';

export const payerRule: GateRule = {
  /** The key is another one for another payment. */
  async check(database, order): Promise<readonly RuleFinding[]> {
    const paymentId = await findPaymentOfAnother(database, order);
    if (paymentId === undefined) return [];
    const explanation = `The payer of ${paymentId} has a name unlike the user's.`;
    return [{ rule: 'payer_differs', key: paymentId, explanation }];
  },
};
