/** What is being corrected waits: until a second operator has decided, nothing of its money is paid out or back. */
import type { ApprovalAction } from '../../approval.js';
import type { FindPending } from '../../http/four-eyes.js';
import type { Queryable } from '../../postgres/statement.js';
import { recordOf } from '../order/finding.js';
import type { Order, OrderId } from '../order/order.js';

/** They decide what became of money that was recorded: paid after all, taken back by a bank, never arrived. */
export const correctingActions: readonly ApprovalAction[] = ['order.correct', 'payment.clawback', 'payment.void'];

/** Those of these orders that have a correction which waits for a second operator. */
export async function ordersBeingCorrected(
  findPending: FindPending,
  database: Queryable,
  orders: readonly Order[],
): Promise<ReadonlySet<OrderId>> {
  const pending = await findPending(database, orders.map(recordOf), correctingActions);
  const corrected = orders.filter((order) => pending.has(recordOf(order)));
  return new Set(corrected.map(({ orderId }) => orderId));
}
