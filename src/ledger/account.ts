/**
 * The ledger says where the money is: double entry, append-only. This file has the chart of accounts. An account is
 * named by its kind, its currency and, for a bank account or a rail, its place: `liability:EUR`, `bank:EUR:main`.
 */
import { type CurrencyCode, currencyCode } from '../money/currency.js';

interface KindOfAccount {
  readonly meaning: string;
  /** Each posting must then name the order, the suspense record or the movement that it is about. */
  readonly isCustomerMoney?: true;
  /** One account for each of these; otherwise one for each currency. */
  readonly place?: 'bank account' | 'rail';
}

/** The chart of accounts. A test compares it with the constraints of the database. */
export const chartOfAccounts = {
  bank: { meaning: 'money on one real bank account', place: 'bank account' },
  payin: { meaning: 'movements that arrived and are not assigned yet', isCustomerMoney: true },
  payout: { meaning: 'converted money that is to be paid out', isCustomerMoney: true },
  refund: { meaning: 'money that is to be paid back', isCustomerMoney: true },
  liability: { meaning: 'money that customers paid in for their orders', isCustomerMoney: true },
  frozen: { meaning: 'money that must not move', isCustomerMoney: true },
  suspense: { meaning: 'money whose owner or order is not known', isCustomerMoney: true },
  fx: { meaning: 'open currency position; a credit is long' },
  settlement: { meaning: 'payouts that a rail has and the bank has not debited yet', place: 'rail' },
  fee: { meaning: 'income from fees' },
  margin: { meaning: 'income from margins' },
  rounding: { meaning: 'what rounding leaves, either sign' },
  charges: { meaning: 'charges of banks' },
  interest: { meaning: 'interest that banks pay or take' },
  writeoff: { meaning: 'losses and unclaimed money' },
  fxresult: { meaning: 'gain or loss of cover trades' },
  funding: { meaning: 'the operator’s own money' },
  transit: { meaning: 'money between two bank accounts of ours' },
  intermerchant: {
    meaning: 'money on a shared bank account, between its owner and the merchant of the order',
  },
} as const satisfies Readonly<Record<string, KindOfAccount>>;

export type AccountKind = keyof typeof chartOfAccounts;
export type KindWithPlace = {
  [Kind in AccountKind]: (typeof chartOfAccounts)[Kind] extends { place: string } ? Kind : never;
}[AccountKind];
export type KindWithoutPlace = Exclude<AccountKind, KindWithPlace>;

declare const brand: unique symbol;
/** Made by `accountOf` and `readAccount` only. */
export type Account = string & { readonly [brand]: 'Account' };

export const accountKinds = Object.keys(chartOfAccounts) as readonly AccountKind[];

const placePattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Throws a TypeError when the place of a bank account or a rail has other characters than letters, digits and `._-`.
 */
export function accountOf(kind: KindWithoutPlace, currency: CurrencyCode): Account;
export function accountOf(kind: KindWithPlace, currency: CurrencyCode, place: string): Account;
export function accountOf(kind: AccountKind, currency: CurrencyCode, place?: string): Account {
  if (place !== undefined && !placePattern.test(place)) throw new TypeError(`not a place: ${place}`);
  return [kind, currency, ...(place === undefined ? [] : [place])].join(':') as Account;
}

/** Returns undefined for anything that is not the name of an account. */
export function readAccount(text: string): Account | undefined {
  const [kind, currency, place, ...rest] = text.split(':');
  if (!isKind(kind) || currencyCode(currency) === undefined || rest.length > 0) return undefined;
  const needsPlace = 'place' in chartOfAccounts[kind];
  const isPlaceGood = place === undefined ? !needsPlace : needsPlace && placePattern.test(place);
  return isPlaceGood ? (text as Account) : undefined;
}

export function kindOf(account: Account): AccountKind {
  return account.slice(0, account.indexOf(':')) as AccountKind;
}

export function currencyOf(account: Account): CurrencyCode {
  return account.split(':')[1] as CurrencyCode;
}

/** The bank account or the rail; empty for an account that has no place. */
export function placeOf(account: Account): string {
  return account.split(':')[2] ?? '';
}

export function isCustomerMoney(kind: AccountKind): boolean {
  return 'isCustomerMoney' in chartOfAccounts[kind];
}

function isKind(text: string | undefined): text is AccountKind {
  return text !== undefined && Object.hasOwn(chartOfAccounts, text);
}
