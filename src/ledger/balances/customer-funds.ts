/** What safeguarding asks of the ledger: the balance of each account at a moment, over the books of all merchants. */
import type { Queryable } from '../../postgres/statement.js';
import type { Account } from '../account.js';
import { findBalances } from './balance-store.js';
import { listLedgers } from './day-totals-store.js';

/** In minor units; a debit is positive. Only what occurred before the moment. */
export async function balancesBefore(database: Queryable, before: Date): Promise<ReadonlyMap<Account, bigint>> {
  const sums = new Map<Account, bigint>();
  // One after the other, so that a report does not take all connections.
  for (const tenant of await listLedgers(database))
    for (const [account, minor] of await findBalances(database, tenant, { before }))
      sums.set(account, (sums.get(account) ?? 0n) + minor);
  return sums;
}
