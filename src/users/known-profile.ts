/** For operators: the profile of a user, and of an erased one what the law wants kept. Whoever reads it is audited. */
import type { MerchantId, UserId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import { openProfile } from './personal-data.js';
import { findRetainedProfile } from './sealed-users-store.js';
import type { UserService } from './service.js';
import type { Profile } from './user.js';

/** Undefined for a user who does not exist, or of whom nothing is kept any more. Throws `BrokenSeal`. */
export async function knownProfile(
  users: Pick<UserService, 'profile' | 'retainedKey'>,
  database: Queryable,
  merchantId: MerchantId,
  userId: UserId,
): Promise<Profile | undefined> {
  const profile = await users.profile(database, merchantId, userId);
  if (profile) return profile;
  const kept = await findRetainedProfile(database, merchantId, userId);
  const key = kept && (await users.retainedKey(database, merchantId, userId));
  return kept && key && openProfile(key, kept.ref, 'retained', kept.sealed);
}
