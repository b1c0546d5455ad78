/** Records what was found about a user outside of a case, as before a payout. */
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { lockCasesOfUser } from '../cases/store.js';
import type { HitService, Screened } from './service.js';

export interface RecordMatchesOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly hits: HitService;
}

/**
 * Records the matches as hits, if there are any. Returns false when the user was deleted meanwhile. Afterwards
 * `HitService.listBlocking` lists everything that these lists have against the user.
 */
export function recordMatches({ database, users, hits }: RecordMatchesOptions, screened: Screened): Promise<boolean> {
  const { merchantId, userId } = screened.person;
  // The user, then the cases, as every change of a case locks them.
  return database.transaction(async (tx) => {
    if (!(await users.hold(tx, merchantId, userId))) return false;
    await recordMatchesOfLocked(tx, hits, screened);
    return true;
  });
}

/** The same, in a transaction that has locked the user. */
export async function recordMatchesOfLocked(tx: Transaction, hits: HitService, screened: Screened): Promise<void> {
  const { merchantId, userId } = screened.person;
  await lockCasesOfUser(tx, merchantId, userId);
  await hits.record(tx, screened);
}
