/** SQL that adds a user with the two keys that every user has. */
import { statement, type Transaction } from '../postgres/statement.js';
import { columnsOf } from './keys/key-rows.js';
import type { GroupKey, WrappedUserKey } from './keys/user-key.js';
import type { User } from './user.js';

/** Names no index, because two transactions that add the same id at the same moment can collide in any unique index. */
const withNewKeys = `ON CONFLICT DO NOTHING RETURNING user_id),
   keys AS (
     INSERT INTO user_keys (merchant_id, external_client_id, purpose, wrapped_key, master_key_version, key_group, generation)
     SELECT $1, $3, purpose, wrapped_key, $7, $8, $9
       FROM added, (VALUES ('profile', $5::bytea), ('retained', $6::bytea)) AS key (purpose, wrapped_key))
   SELECT user_id FROM added`;
const insertUser = statement<{ user_id: bigint }>(
  'users.insert',
  `WITH added AS (
     INSERT INTO users (merchant_id, user_id, external_client_id, profile) VALUES ($1, $2, $3, $4)
     ${withNewKeys}`,
);
/** Adds nothing when the group key was replaced or must be. Otherwise the check of the foreign key locks it until COMMIT. */
const insertUserUnder = statement<{ user_id: bigint }>(
  'users.insert-under',
  `WITH added AS (
     INSERT INTO users (merchant_id, user_id, external_client_id, profile)
     SELECT merchant_id, $2, $3, $4 FROM group_keys
      WHERE merchant_id = $1 AND key_group = $8 AND generation = $9 AND wrapped_key = $10 AND NOT must_be_replaced
     ${withNewKeys}`,
);

/** Returns false, and adds nothing, when the merchant has a user of that id. */
export async function addUser(
  tx: Transaction,
  user: User,
  wrappedKeys: readonly WrappedUserKey[],
): Promise<boolean> {
  return (await tx.query(insertUser, rowOf(user, wrappedKeys))).length > 0;
}

/**
 * Like `addUser`, when the transaction has not locked the group key that wraps the user's keys. Also returns false, and adds
 * nothing, when that group key was replaced or must be.
 */
export async function addUserUnder(
  tx: Transaction,
  { wrapped }: GroupKey,
  user: User,
  wrappedKeys: readonly WrappedUserKey[],
): Promise<boolean> {
  return (await tx.query(insertUserUnder, [...rowOf(user, wrappedKeys), wrapped])).length > 0;
}

/** Both keys must be wrapped by the same key. */
function rowOf(user: User, [profileKey, retainedKey]: readonly WrappedUserKey[]): unknown[] {
  if (!profileKey || !retainedKey) throw new Error('the vault wrapped nothing');
  const { merchantId, userId: id, externalClientId, sealedProfile } = user;
  const keys = [profileKey.wrapped, retainedKey.wrapped, ...columnsOf(profileKey.by)];
  return [merchantId, id, externalClientId, sealedProfile, ...keys];
}
