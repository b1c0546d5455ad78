/**
 * Compares what the ledger owes for an order or a suspense record with what its state says. The rooms that own those
 * records implement `OwedBalances`, because the ledger does not know their states.
 */
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import { type Account, type AccountKind, isCustomerMoney, kindOf } from '../account.js';
import { findBalances } from '../balances/balance-store.js';
import { type ReferenceBalance, sumOfReferences } from './verify-store.js';

/** What we owe on one account, as a positive amount of minor units. */
export interface Owed {
  readonly account: Account;
  readonly least: bigint;
  readonly most: bigint;
}

/** All that we owe for a record. On accounts that are not named we owe nothing. */
export type OwedSet = readonly Owed[];

export interface OwedBalances {
  /**
   * What the state of each record says that we owe: one set, or several of which one must hold, where the state leaves
   * it open. Records that it does not know are left out of the answer, and are not compared.
   */
  owedFor(
    database: Queryable,
    merchantId: TenantId,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, readonly OwedSet[]>>;
  /** Kinds of accounts on which nothing but these records has money: all of it, in positive minor units. */
  readonly wholeAccounts?: readonly WholeAccounts[];
}

export interface WholeAccounts {
  readonly kind: AccountKind;
  sum(database: Queryable, merchantId: TenantId): Promise<ReadonlyMap<Account, bigint>>;
}

/**
 * Returns the differences. A record whose journals change during the comparison is left out: its newest journal brings
 * it to the next verification.
 */
export async function owedFaults(
  database: Queryable,
  merchantId: TenantId,
  references: readonly string[],
  owedBalances: OwedBalances,
): Promise<string[]> {
  if (references.length === 0) return [];
  const before = byReference(await sumOfReferences(database, merchantId, references));
  const owed = await owedBalances.owedFor(database, merchantId, references);
  const after = byReference(await sumOfReferences(database, merchantId, references));
  return [...owed].flatMap(([reference, sets]) => {
    const balances = before.get(reference) ?? new Map<Account, bigint>();
    if (!isEqual(balances, after.get(reference) ?? new Map())) return [];
    const found = sets.map((expected) => differences(reference, balances, expected));
    return found.some((faults) => faults.length === 0) ? [] : (found[0] ?? []);
  });
}

/**
 * Compares whole accounts with the sum of their records: so a record without postings is found, and a posting without a
 * record. Compares twice, because amounts that come and go during one comparison can look like a fault; a real one
 * shows both times.
 */
export async function wholeAccountFaults(
  database: Queryable,
  merchantId: TenantId,
  { wholeAccounts = [] }: OwedBalances,
): Promise<string[]> {
  if (wholeAccounts.length === 0) return [];
  const first = await compareWholeAccounts(database, merchantId, wholeAccounts);
  if (first.length === 0) return [];
  const again = await compareWholeAccounts(database, merchantId, wholeAccounts);
  const isSame = (left: AccountFault, right: AccountFault) =>
    left.account === right.account && left.balance - left.owed === right.balance - right.owed;
  return again
    .filter((fault) => first.some((other) => isSame(fault, other)))
    .map(({ account, balance, owed }) => `${account} has ${balance}, but its records have ${owed} (minor units)`);
}

interface AccountFault {
  readonly account: Account;
  readonly balance: bigint;
  readonly owed: bigint;
}

/** An account whose balance changes during the comparison is left out. */
async function compareWholeAccounts(
  database: Queryable,
  merchantId: TenantId,
  wholeAccounts: readonly WholeAccounts[],
): Promise<AccountFault[]> {
  const before = await findBalances(database, merchantId);
  const sums = await Promise.all(wholeAccounts.map(({ sum }) => sum(database, merchantId)));
  const after = await findBalances(database, merchantId);
  const owedOn = new Map(sums.flatMap((sum) => [...sum]));
  const kinds = wholeAccounts.map(({ kind }) => kind);
  const posted = [...after.keys()].filter((account) => kinds.includes(kindOf(account)));
  return [...new Set([...posted, ...owedOn.keys()])].sort().flatMap((account) => {
    const balance = -(before.get(account) ?? 0n);
    const owed = owedOn.get(account) ?? 0n;
    if (balance === owed || balance !== -(after.get(account) ?? 0n)) return [];
    return [{ account, balance, owed }];
  });
}

type Balances = ReadonlyMap<Account, bigint>;

function differences(reference: string, balances: Balances, expected: OwedSet): string[] {
  const accounts = new Set([...balances.keys(), ...expected.map(({ account }) => account)]);
  return [...accounts].sort().flatMap((account) => {
    const { least, most } = expected.find((owed) => owed.account === account) ?? { least: 0n, most: 0n };
    const owed = -(balances.get(account) ?? 0n);
    if (owed >= least && owed <= most) return [];
    const range = least === most ? `${least}` : `${least} to ${most}`;
    return [`${reference} has ${owed} on ${account} instead of ${range} (minor units)`];
  });
}

function byReference(rows: readonly ReferenceBalance[]): ReadonlyMap<string, Map<Account, bigint>> {
  const found = new Map<string, Map<Account, bigint>>();
  for (const { reference, account, minor } of rows) {
    if (!isCustomerMoney(kindOf(account))) continue;
    const balances = found.get(reference) ?? new Map<Account, bigint>();
    found.set(reference, balances.set(account, minor));
  }
  return found;
}

function isEqual(left: Balances, right: Balances): boolean {
  return left.size === right.size && [...left].every(([account, minor]) => right.get(account) === minor);
}
