/** What a report moves on a bank account, in the same amounts as its journal. Pure. */
import type { Attempt } from '../attempt.js';
import type { Report } from '../rail.js';
import type { AttemptEvent } from '../transitions.js';

export interface BankMovement {
  /** The place of the account in the ledger. */
  readonly bank: string;
  readonly sign: 'credit' | 'debit';
  readonly amountMinor: bigint;
}

/** `bank`: what was named, or found out. Undefined where the report moves nothing on a bank account. */
export function bankMovementOf(
  attempt: Attempt,
  event: AttemptEvent,
  { charge }: Pick<Report, 'charge'>,
  bank: string | undefined,
): BankMovement | undefined {
  const { amount, state, direction } = attempt;
  const place = bank ?? placeOf(attempt);
  const charged = direction === 'payout' ? (charge?.minor ?? 0n) : 0n;
  if (place === undefined) return undefined;
  const moved = (sign: BankMovement['sign'], amountMinor: bigint): BankMovement | undefined =>
    amountMinor > 0n ? { bank: place, sign, amountMinor } : undefined;
  if (event === 'pay') return moved('debit', amount.minor + charged);
  if (event === 'return' && state === 'PAID') return moved('credit', amount.minor - charged);
  return event === 'accept' ? undefined : moved('debit', charged);
}

/** The account of a refund that a rail paid is that of the rail. */
function placeOf(attempt: Attempt): string | undefined {
  if (attempt.direction === 'payout') return undefined;
  return attempt.orderId === undefined ? attempt.bank : attempt.rail;
}
