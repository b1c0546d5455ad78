/** Changes an order in the database as if the service had done so: a change that no merchant sees remembers the row. */
import { recordChange } from '../../src/changes/service.js';
import { findOrderById } from '../../src/orders/order/finding.js';
import { digestedOrder } from '../../src/orders/order/row.js';
import type { Remesa } from '../harness/remesa.js';
import { withoutTriggers } from '../harness/without-triggers.js';

/** `assignments` is SQL, such as `state = $2`. The values begin at `$2`. */
export async function rewriteOrder(
  running: Pick<Remesa, 'service' | 'sql'>,
  id: string,
  assignments: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const text = `UPDATE orders SET ${assignments}, version = version + 1 WHERE order_id = $1`;
  await withoutTriggers(running.sql, (client) => client.query(text, [id, ...values]));
  const order = await findOrderById(running.service.database, id);
  const { merchantId, userId, state, version } = order;
  const by = { actor: { kind: 'system', name: 'test' } } as const;
  const change = {
    ...digestedOrder(order),
    ...{ merchantId, action: 'order.change_beneficiary', fromState: state, toState: state, version },
    details: { userId, version },
  };
  await running.service.database.transaction((tx) => recordChange(tx, by, change));
}
