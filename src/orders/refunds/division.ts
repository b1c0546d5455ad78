/** Divides what goes back among those who paid: each payer gets what that payer paid. Pure. */
import { type Amount, add, amount, compare, isZero, subtract } from '../../money/amount.js';
import { divideByWeight } from '../../money/division.js';
import type { PaidPart } from '../order/ports.js';

/** What the smallest payers paid beyond this many refunds is one refund, which an operator pays by hand. */
export const mostRefunds = 20;

/**
 * What is kept for charges of banks is borne in proportion to what each paid. What nobody is known to have paid is a
 * part of its own. Parts of nothing are left out.
 */
export function divideRefund(due: Amount, parts: readonly PaidPart[]): readonly PaidPart[] {
  const paid = sumOf(due, parts);
  const isMore = compare(due, paid) > 0;
  const all = isMore ? [...parts, { paymentIds: [], amount: subtract(due, paid) }] : parts;
  const shares = divideByWeight(
    due.minor,
    all.map((part) => part.amount.minor),
  );
  const divided = all.map((part, index) => ({ ...part, amount: amount(due.currency, shares[index] ?? 0n) }));
  const payable = divided.filter((part) => !isZero(part.amount));
  return payable.length > mostRefunds ? withSmallestTogether(due, payable) : payable;
}

function withSmallestTogether(due: Amount, parts: readonly PaidPart[]): readonly PaidPart[] {
  const largestFirst = [...parts].sort((one, other) => compare(other.amount, one.amount));
  const smallest = largestFirst.slice(mostRefunds - 1);
  const paymentIds = smallest.flatMap((part) => part.paymentIds);
  return [...largestFirst.slice(0, mostRefunds - 1), { paymentIds, amount: sumOf(due, smallest) }];
}

function sumOf({ currency }: Amount, parts: readonly PaidPart[]): Amount {
  return parts.reduce((sum, part) => add(sum, part.amount), amount(currency, 0n));
}
