/** The parts of which journals are made: debits and credits on accounts. Pure. */
import { type Amount, amount } from '../money/amount.js';
import { accountOf, type KindWithoutPlace } from './account.js';
import type { JournalContent, Posting } from './journal.js';

/** Leaves out postings of zero, such as the fee of an order without one. */
export function journal(event: string, ...postings: readonly Posting[]): JournalContent {
  return { event, postings: postings.filter(({ minor }) => minor !== 0n) };
}

export function debit(kind: KindWithoutPlace, { currency, minor }: Amount, reference?: string): Posting {
  return { account: accountOf(kind, currency), minor, ...(reference === undefined ? {} : { reference }) };
}

export function credit(kind: KindWithoutPlace, { currency, minor }: Amount, reference?: string): Posting {
  return debit(kind, amount(currency, -minor), reference);
}

export function debitPlace(
  kind: 'bank' | 'settlement',
  place: string,
  { currency, minor }: Amount,
  reference?: string,
): Posting {
  return {
    account: accountOf(kind, currency, place),
    minor,
    ...(reference === undefined ? {} : { reference }),
  };
}

export function creditPlace(
  kind: 'bank' | 'settlement',
  place: string,
  { currency, minor }: Amount,
  reference?: string,
): Posting {
  return debitPlace(kind, place, amount(currency, -minor), reference);
}
