/** How much of a suspense record an order can take, or why none of it. Pure. */
import { type Amount, subtract } from '../../money/amount.js';
import type { Order } from '../../orders/order.js';
import { isUnderReview } from '../../orders/review/review.js';
import { stateAfter } from '../../orders/transitions.js';
import type { SuspenseRecord } from './suspense.js';

/** `not_payable`: the order is paid, has ended, or is under review. */
export const matchObstacles = ['other_merchant', 'wrong_currency', 'not_payable'] as const;
export type MatchObstacle = (typeof matchObstacles)[number];

/** All of the record, or what the order is missing. Money in the books of the instance can be for every merchant. */
export function matchableAmount(
  { ownerId, remaining }: Pick<SuspenseRecord, 'ownerId' | 'remaining'>,
  order: Order,
): Amount | MatchObstacle {
  if (ownerId !== 0 && ownerId !== order.merchantId) return 'other_merchant';
  if (remaining.currency !== order.amountIn.currency) return 'wrong_currency';
  const missing = subtract(order.amountIn, order.amountReceived);
  if (missing.minor <= 0n || isUnderReview(order)) return 'not_payable';
  const isAll = remaining.minor >= missing.minor;
  if (stateAfter(order.state, isAll ? 'complete_payment' : 'record_payment') === undefined)
    return 'not_payable';
  return isAll ? missing : remaining;
}
