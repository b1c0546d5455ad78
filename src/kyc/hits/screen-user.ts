/** Screens a user outside of a case, as before a payout, and records what is new. */
import type { MerchantId, UserId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import { lockCasesOfUser } from '../store.js';
import type { HitService, ListsSnapshot, Screened } from './service.js';

export interface ScreenUserOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly hits: HitService;
}

/** Returns false for a deleted user. Afterwards `HitService.listBlocking` lists everything that these lists have against the user. */
export async function screenUser(
  options: ScreenUserOptions,
  merchantId: MerchantId,
  userId: UserId,
  snapshot: ListsSnapshot,
): Promise<boolean> {
  const screened = await options.hits.screen(options.database, merchantId, userId, snapshot);
  if (!screened) return false;
  return screened.matches.length === 0 || (await recordMatches(options, screened));
}

/** Locks the user, then the cases, as every change of a case does. Returns false when the user was deleted meanwhile. */
function recordMatches({ database, users, hits }: ScreenUserOptions, screened: Screened): Promise<boolean> {
  const { merchantId, userId } = screened.person;
  return database.transaction(async (tx) => {
    if (!(await users.hold(tx, merchantId, userId))) return false;
    await lockCasesOfUser(tx, merchantId, userId);
    await hits.record(tx, screened);
    return true;
  });
}
