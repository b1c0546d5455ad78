/**
 * What customers are owed, against the money on the bank accounts that are kept apart for them: PSD2 art. 10, and the
 * outstanding liabilities of money transmitters in the United States. Pure.
 */
import { type Account, currencyOf, kindOf } from '../../ledger/account.js';
import type { CurrencyCode } from '../../money/currency.js';

/** Of the chart of accounts. `settlement` is owed until the bank has debited it: the payout is in flight. */
export const owedKinds = ['liability', 'payin', 'payout', 'refund', 'suspense', 'frozen', 'settlement'] as const;
export type OwedKind = (typeof owedKinds)[number];

export interface SafeguardedFunds {
  readonly currency: CurrencyCode;
  /** In minor units, by kind of account. */
  readonly owed: Readonly<Record<OwedKind, bigint>>;
  readonly owedMinor: bigint;
  /** What the books say is on the accounts that are kept apart. */
  readonly heldMinor: bigint;
}

/** One entry for each currency in which something is owed or held, sorted. A debit is positive in `balances`. */
export function safeguardedFunds(
  balances: ReadonlyMap<Account, bigint>,
  isSafeguarded: (account: Account) => boolean,
): SafeguardedFunds[] {
  const accounts = [...balances].filter(([account]) => isOwed(account) || isSafeguarded(account));
  const currencies = [...new Set(accounts.map(([account]) => currencyOf(account)))].sort();
  return currencies.map((currency) => {
    const ofCurrency = accounts.filter(([account]) => currencyOf(account) === currency);
    const owed = Object.fromEntries(owedKinds.map((kind) => [kind, owedOf(kind, ofCurrency)])) as Record<
      OwedKind,
      bigint
    >;
    const held = ofCurrency.filter(([account]) => isSafeguarded(account));
    return {
      currency,
      owed,
      owedMinor: Object.values(owed).reduce((sum, minor) => sum + minor, 0n),
      heldMinor: held.reduce((sum, [, minor]) => sum + minor, 0n),
    };
  });
}

export function isShort({ owedMinor, heldMinor }: Pick<SafeguardedFunds, 'owedMinor' | 'heldMinor'>): boolean {
  return heldMinor < owedMinor;
}

/** The day before the one of this moment, as `2026-11-15`, in UTC: the newest that has ended. */
export function lastDayBefore(moment: Date): string {
  return dayAfter(moment.toISOString().slice(0, 10), -1);
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days that have ended and are not recorded yet, the oldest first: a month at most, however long a stop was. */
export function daysToRecord(newest: string | undefined, last: string): string[] {
  const oldest = dayAfter(last, -30);
  const days: string[] = [];
  for (let day = newest === undefined ? last : dayAfter(newest); day <= last; day = dayAfter(day))
    if (day >= oldest) days.push(day);
  return days;
}

function isOwed(account: Account): boolean {
  return (owedKinds as readonly string[]).includes(kindOf(account));
}

/** What a partner holds for us ahead of payouts is not owed, and does not lessen what is owed elsewhere. */
function owedOf(kind: OwedKind, balances: readonly (readonly [Account, bigint])[]): bigint {
  const minors = balances.filter(([account]) => kindOf(account) === kind).map(([, minor]) => -minor);
  if (kind !== 'settlement') return minors.reduce((sum, minor) => sum + minor, 0n);
  return minors.reduce((sum, minor) => (minor > 0n ? sum + minor : sum), 0n);
}
