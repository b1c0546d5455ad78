/** How much of a suspense record an order can take, or why none of it. Pure. */
import type { Amount } from '../../money/amount.js';
import type { Order } from '../../orders/order/order.js';
import { isPayable, missingOf } from '../../orders/order/payable.js';
import type { SuspenseRecord } from './suspense.js';

/** `not_payable`: the order is paid, has ended, is being cancelled, or is under review. */
export type MatchObstacle = 'other_merchant' | 'wrong_currency' | 'not_payable';

/** All of the record, or what the order is missing. Money in the books of the instance can be for every merchant. */
export function matchableAmount(
  { ownerId, remaining }: Pick<SuspenseRecord, 'ownerId' | 'remaining'>,
  order: Order,
): Amount | MatchObstacle {
  if (ownerId !== 0 && ownerId !== order.merchantId) return 'other_merchant';
  if (remaining.currency !== order.amountIn.currency) return 'wrong_currency';
  if (!isPayable(order)) return 'not_payable';
  const missing = missingOf(order);
  return remaining.minor >= missing.minor ? missing : remaining;
}
