/** Ranks the orders that money in suspense could be for. Pure. */
import { type Amount, compare } from '../../../money/amount.js';
import type { Order, OrderId } from '../../../orders/order/order.js';
import { missingOf } from '../../../orders/order/payable.js';
import { matchableAmount } from '../matchable.js';
import type { SuspenseRecord } from '../suspense.js';

export const candidateReasons = [
  'reference',
  'mistyped_reference',
  'payer_account',
  'payer_name',
  'user_name',
  'amount',
] as const;
/**
 * `reference`: the text names the order. `mistyped_reference`: it nearly does, by the check digits. `payer_account`,
 * `payer_name`: an earlier payment for this user came from the same account or name. `user_name`: the payer has the
 * user's name. `amount`: it is exactly what the order waits for.
 */
export type CandidateReason = (typeof candidateReasons)[number];

export interface CandidateOrder {
  readonly order: Order;
  /** What the order waits for. */
  readonly missing: Amount;
  /** The strongest first. */
  readonly reasons: readonly CandidateReason[];
}

/** A reference outweighs everything else. An equal amount alone is weak: many orders have round amounts. */
const weights: Readonly<Record<CandidateReason, number>> = {
  reference: 32,
  mistyped_reference: 32,
  payer_account: 8,
  payer_name: 4,
  user_name: 4,
  amount: 3,
};
const mostCandidates = 5;

export interface Clue {
  readonly order: Order;
  readonly reason: CandidateReason;
}

/** The best first, few, and only orders that can take the money. Of equal ones, the oldest first. */
export function rankCandidates(record: SuspenseRecord, clues: readonly Clue[]): CandidateOrder[] {
  const found = new Map<OrderId, { order: Order; reasons: Set<CandidateReason> }>();
  for (const { order, reason } of clues) {
    if (typeof matchableAmount(record, order) === 'string') continue;
    const known = found.get(order.orderId) ?? { order, reasons: new Set() };
    known.reasons.add(reason);
    if (compare(record.remaining, missingOf(order)) === 0) known.reasons.add('amount');
    found.set(order.orderId, known);
  }
  return [...found.values()]
    .sort((left, right) => weightOf(right.reasons) - weightOf(left.reasons) || byAge(left.order, right.order))
    .slice(0, mostCandidates)
    .map(({ order, reasons }) => ({
      order,
      missing: missingOf(order),
      reasons: candidateReasons.filter((reason) => reasons.has(reason)),
    }));
}

/** Who paid under the user's name before says it once more, and counts once. */
function weightOf(reasons: ReadonlySet<CandidateReason>): number {
  const counted = [...reasons].filter((reason) => reason !== 'user_name' || !reasons.has('payer_name'));
  return counted.reduce((sum, reason) => sum + weights[reason], 0);
}

function byAge(left: Order, right: Order): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.orderId < right.orderId ? -1 : 1);
}
