/** SQL that reads several users of a merchant with their keys, in one statement. */
import { type MerchantId, storedPublicId, type UserId, userId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import { toKeyAbove } from './keys/key-rows.js';
import { groupOf, type UserKey } from './keys/user-key.js';
import type { SealedUser } from './personal-data.js';

interface SealedRow {
  user_id: bigint;
  external_client_id: string;
  profile: Buffer | null;
  profile_key: Buffer | null;
  profile_key_version: number | null;
  profile_generation: number | null;
  profile_group_key_version: number | null;
  profile_group_key: Buffer | null;
  retained_key: Buffer | null;
  retained_key_version: number | null;
  retained_generation: number | null;
  retained_group_key_version: number | null;
  retained_group_key: Buffer | null;
}

/** The profile of a deleted user is null. */
const listSealed = statement<SealedRow>(
  'sealed-users-store.list',
  `SELECT u.user_id, u.external_client_id, CASE WHEN u.status = 'active' THEN u.profile END AS profile,
          opening.wrapped_key AS profile_key, opening.master_key_version AS profile_key_version,
          opening.generation AS profile_generation, above_opening.master_key_version AS profile_group_key_version,
          above_opening.wrapped_key AS profile_group_key,
          kept.wrapped_key AS retained_key, kept.master_key_version AS retained_key_version,
          kept.generation AS retained_generation, above_kept.master_key_version AS retained_group_key_version,
          above_kept.wrapped_key AS retained_group_key
     FROM users AS u
     LEFT JOIN user_keys AS opening
       ON opening.merchant_id = u.merchant_id AND opening.external_client_id = u.external_client_id
      AND opening.purpose = 'profile'
     LEFT JOIN group_keys AS above_opening
       ON above_opening.merchant_id = opening.merchant_id AND above_opening.key_group = opening.key_group
      AND above_opening.generation = opening.generation
     LEFT JOIN user_keys AS kept
       ON kept.merchant_id = u.merchant_id AND kept.external_client_id = u.external_client_id
      AND kept.purpose = 'retained'
     LEFT JOIN group_keys AS above_kept
       ON above_kept.merchant_id = kept.merchant_id AND above_kept.key_group = kept.key_group
      AND above_kept.generation = kept.generation
    WHERE u.merchant_id = $1 AND u.user_id = ANY ($2)`,
);

export async function listSealedUsers(
  database: Queryable,
  merchantId: MerchantId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, SealedUser>> {
  const rows = await database.query(listSealed, [merchantId, userIds]);
  return new Map(rows.map((row) => [userId(row.user_id), toSealedUser(merchantId, row)]));
}

function toSealedUser(merchantId: MerchantId, row: SealedRow): SealedUser {
  return {
    merchantId,
    userId: userId(row.user_id),
    externalClientId: storedPublicId('cli', row.external_client_id),
    sealedProfile: row.profile ?? undefined,
    profileKey: keyOf(row, 'profile'),
    retainedKey: keyOf(row, 'retained'),
  };
}

function keyOf(row: SealedRow, purpose: 'profile' | 'retained'): UserKey | undefined {
  const wrapped = row[`${purpose}_key`];
  if (wrapped === null) return undefined;
  const by = toKeyAbove({
    master_key_version: row[`${purpose}_key_version`],
    key_group: groupOf(userId(row.user_id)),
    generation: row[`${purpose}_generation`],
    group_key_version: row[`${purpose}_group_key_version`],
    group_key: row[`${purpose}_group_key`],
  });
  return { purpose, wrapped, by };
}
