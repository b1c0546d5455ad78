/** A journal: one event that moved money, as postings that sum to zero in each currency. Pure. */
import type { TenantId } from '../ids.js';
import { largestMinor } from '../money/amount.js';
import { minorUnits } from '../money/currency.js';
import { writeFixed } from '../money/decimal.js';
import { type Account, currencyOf, isCustomerMoney, kindOf } from './account.js';

export interface Posting {
  readonly account: Account;
  /** In minor units of the account's currency. A debit is positive, a credit negative, and zero is not allowed. */
  readonly minor: bigint;
  /** The id of the order, the suspense record or the movement. Customer money always has one. */
  readonly reference?: string;
}

/** The event and its postings, before it is known when it happened. */
export interface JournalContent {
  readonly event: string;
  readonly postings: readonly Posting[];
}

export interface JournalDraft extends JournalContent {
  /** By the merchant's clock. */
  readonly occurredAt: Date;
  /** Why somebody booked it by hand. Contains nothing personal, because it is never erased. */
  readonly reason?: string;
  /** The journal whose postings this one negates. */
  readonly reverses?: bigint;
}

export interface Journal extends JournalDraft {
  readonly merchantId: TenantId;
  readonly journalId: bigint;
  /** When it was written, in real time. */
  readonly recordedAt: Date;
}

/** A journal that is about to be written, with the seal that it gets. */
export interface PreparedJournal extends Journal {
  readonly seal: Buffer;
}

/** A journal as it is stored. */
export interface StoredJournal extends Journal {
  /** Undefined until the numbering job has given it. */
  readonly number: bigint | undefined;
  readonly reversedBy: bigint | undefined;
}

const mostPostings = 100;

/** Returns what is wrong with the postings. The database refuses the same; this says it in words for people. */
export function faultsOf(postings: readonly Posting[]): string[] {
  const faults: string[] = [];
  if (postings.length < 2) faults.push('a journal needs at least two postings');
  if (postings.length > mostPostings) faults.push(`a journal has at most ${mostPostings} postings`);
  for (const { account, minor, reference } of postings) {
    if (minor === 0n) faults.push(`the posting on ${account} is zero`);
    if (minor > largestMinor || minor < -largestMinor) faults.push(`the posting on ${account} is too large`);
    if (reference === undefined && isCustomerMoney(kindOf(account)))
      faults.push(`the posting on ${account} must name its order, suspense record or movement`);
  }
  for (const [currency, sum] of sumsByCurrency(postings))
    if (sum !== 0n) faults.push(`the postings in ${currency} do not sum to zero`);
  return faults;
}

export function sumsByCurrency(postings: readonly Posting[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, minor } of postings) {
    const currency = currencyOf(account);
    sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  }
  return sums;
}

export function negated(postings: readonly Posting[]): Posting[] {
  return postings.map((posting) => ({ ...posting, minor: -posting.minor }));
}

/** Minor units as a decimal in the currency of the account: `-12.50`. A sum may exceed the largest amount. */
export function minorText(account: Account, minor: bigint): string {
  return writeFixed(minor, minorUnits(currencyOf(account)));
}
