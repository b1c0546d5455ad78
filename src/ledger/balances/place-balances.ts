/**
 * What the operators' desk asks of the ledger: the balance of a real account. A bank account or a partner's account is
 * in the books of every merchant whose money moves there, so its balance is the sum over all of them.
 */
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Account } from '../account.js';
import { findBalances, listPlacesOfAll } from './balance-store.js';

export interface Counted {
  readonly count: number;
  /** Negative for money that left. */
  readonly minor: bigint;
}

/** Movements that the bank booked on the other side of a moment than we recorded them. */
export interface AcrossMoment extends Counted {
  /** Recorded after the moment, although the bank booked it before; otherwise the reverse. */
  readonly isRecordedLater: boolean;
}

/** The accounts of banks and rails, each with the tenants that have it in their books. Sorted by name. */
export async function listPlaces(database: Queryable): Promise<ReadonlyMap<Account, readonly TenantId[]>> {
  const places = new Map<Account, TenantId[]>();
  for (const { account, merchantId } of await listPlacesOfAll(database))
    places.set(account, [...(places.get(account) ?? []), merchantId]);
  return places;
}

/** In minor units; a debit is positive. `before`: only what occurred before that moment. */
export async function balanceOf(
  database: Queryable,
  account: Account,
  tenants: readonly TenantId[],
  before?: Date,
): Promise<bigint> {
  let sum = 0n;
  // One after the other: an account that all merchants share must not take all connections.
  for (const tenant of tenants) sum += (await findBalances(database, tenant, { account, before })).get(account) ?? 0n;
  return sum;
}
