/** Compares what a bank or a partner says that an account holds with the ledger. Pure. */
import type { Account } from '../../ledger/account.js';
import type { Counted } from '../../ledger/balances/place-balances.js';

export const explanationKinds = ['recorded_later', 'recorded_earlier', 'payouts_in_flight'] as const;

/** What a statement has and the ledger of that moment has not (positive), or the reverse (negative). */
export interface Explanation extends Counted {
  readonly kind: (typeof explanationKinds)[number];
}

/** What an operator read on a statement. */
export interface BankStatement {
  readonly account: Account;
  readonly at: Date;
  readonly minor: bigint;
  readonly note: string | undefined;
  readonly recordedAt: Date;
}

/** An account that is compared again and again. */
export interface AccountWatch {
  readonly account: Account;
  readonly minimumMinor: bigint | undefined;
  /** Counts the changes of the minimum. */
  readonly version: number;
  readonly differsSince: Date | undefined;
  readonly lowSince: Date | undefined;
}

export interface Compared {
  readonly statement: BankStatement;
  /** The ledger at the moment of the statement. */
  readonly ledgerMinor: bigint;
  readonly explanations: readonly Explanation[];
}

/** The statement less the ledger. */
export function differenceOf({ statement, ledgerMinor }: Compared): bigint {
  return statement.minor - ledgerMinor;
}

/** What is left of the difference. Zero: the statement and the ledger agree. */
export function unexplainedOf(compared: Compared): bigint {
  return compared.explanations.reduce((left, { minor }) => left - minor, differenceOf(compared));
}

/** Below the minimum by the ledger of now, or by the newest statement. Never without a minimum. */
export function isLow(
  minimumMinor: bigint | undefined,
  ledgerNowMinor: bigint,
  statement: BankStatement | undefined,
): boolean {
  if (minimumMinor === undefined) return false;
  return ledgerNowMinor < minimumMinor || (statement !== undefined && statement.minor < minimumMinor);
}
