/** SQL that reads several users of a merchant with their keys, in one statement. */
import { type MerchantId, storedPublicId, type UserId, userId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { SealedUser } from './personal-data.js';
import type { UserRef } from './user.js';
import type { UserKey } from './user-keys.js';

interface SealedRow {
  user_id: bigint;
  external_client_id: string;
  profile: Buffer | null;
  profile_key: Buffer | null;
  profile_key_version: number | null;
  retained_key: Buffer | null;
  retained_key_version: number | null;
}

/** The profile of a deleted user is null. */
const listSealed = statement(
  'sealed-users-store.list',
  `SELECT u.user_id, u.external_client_id, CASE WHEN u.status = 'active' THEN u.profile END AS profile,
          opening.wrapped_key AS profile_key, opening.master_key_version AS profile_key_version,
          kept.wrapped_key AS retained_key, kept.master_key_version AS retained_key_version
     FROM users AS u
     LEFT JOIN user_keys AS opening
       ON opening.merchant_id = u.merchant_id AND opening.user_id = u.user_id AND opening.purpose = 'profile'
     LEFT JOIN user_keys AS kept
       ON kept.merchant_id = u.merchant_id AND kept.user_id = u.user_id AND kept.purpose = 'retained'
    WHERE u.merchant_id = $merchantId AND u.user_id = ANY ($userIds)`,
).rows<SealedRow>();

const findRetained = statement(
  'sealed-users-store.find-retained',
  `SELECT external_client_id, retained_profile FROM users
    WHERE merchant_id = $merchantId AND user_id = $userId AND retained_profile IS NOT NULL`,
).rows<{ external_client_id: string; retained_profile: Buffer }>();

/** What the law wants kept of an erased user. Undefined for everybody else. */
export async function findRetainedProfile(
  database: Queryable,
  merchantId: MerchantId,
  user: UserId,
): Promise<{ readonly ref: UserRef; readonly sealed: Buffer } | undefined> {
  const [row] = await database.query(findRetained, { merchantId, userId: user });
  const externalClientId = row && storedPublicId('cli', row.external_client_id);
  return (
    row && externalClientId && { ref: { merchantId, userId: user, externalClientId }, sealed: row.retained_profile }
  );
}

export async function listSealedUsers(
  database: Queryable,
  merchantId: MerchantId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, SealedUser>> {
  const rows = await database.query(listSealed, { merchantId, userIds });
  return new Map(rows.map((row) => [userId(row.user_id), toSealedUser(merchantId, row)]));
}

function toSealedUser(merchantId: MerchantId, row: SealedRow): SealedUser {
  const owner = { merchantId, userId: userId(row.user_id) };
  const keyOf = (purpose: UserKey['purpose'], wrapped: Buffer | null, version: number | null): UserKey | undefined =>
    wrapped === null || version === null ? undefined : { ...owner, purpose, wrapped, version };
  return {
    ...owner,
    externalClientId: storedPublicId('cli', row.external_client_id),
    sealedProfile: row.profile ?? undefined,
    profileKey: keyOf('profile', row.profile_key, row.profile_key_version),
    retainedKey: keyOf('retained', row.retained_key, row.retained_key_version),
  };
}
