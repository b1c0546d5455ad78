/** The rule that an order paid by somebody else must be seen by a person before it is paid out. */
import type { GateRule } from '../orders/gate/examination.js';
import type { RuleFinding } from '../orders/gate/gate.js';
import { listPaymentsOfOthers } from './application-store.js';

export const payerRule: GateRule = {
  /** One finding for each payment, so that an approval clears the payers that it was about, and no later one. */
  async check(database, order): Promise<readonly RuleFinding[]> {
    const payments = await listPaymentsOfOthers(database, order);
    return payments.map((paymentId) => ({
      rule: 'payer_differs',
      key: paymentId,
      explanation: `The payer of ${paymentId} has a name unlike the user's.`,
    }));
  },
};
