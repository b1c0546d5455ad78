/** SQL that upgrades users whose data is sealed in format 1, merchant by merchant. */
import { type MerchantId, merchantId, storedPublicId, userId } from '../ids.js';
import type { WrappedKey } from '../keys/vault.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { KeyPurpose } from './keys/user-key.js';
import type { UserRef } from './user.js';

interface UserRow {
  user_id: bigint;
  external_client_id: string;
  profile: Buffer | null;
  retained_profile: Buffer | null;
}
interface KeyRow {
  external_client_id: string;
  purpose: KeyPurpose;
  master_key_version: number;
  wrapped_key: Buffer;
}

const findMerchant = statement<{ merchant_id: bigint }>(
  'sealing-upgrade-store.find-merchant',
  'SELECT merchant_id FROM users WHERE sealing = 1 ORDER BY merchant_id LIMIT 1',
);
const lockUsers = statement<UserRow>(
  'sealing-upgrade-store.lock-users',
  `SELECT user_id, external_client_id, profile, retained_profile FROM users
    WHERE merchant_id = $1 AND sealing = 1 ORDER BY user_id LIMIT $2 FOR UPDATE`,
);
const lockKeys = statement<KeyRow>(
  'sealing-upgrade-store.lock-keys',
  `SELECT external_client_id, purpose, master_key_version, wrapped_key FROM user_keys
    WHERE merchant_id = $1 AND external_client_id = ANY ($2) FOR UPDATE`,
);
const saveUsers = statement(
  'sealing-upgrade-store.save-users',
  `UPDATE users AS u SET profile = fresh.profile, retained_profile = fresh.retained_profile, sealing = 2
     FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS fresh (user_id, profile, retained_profile)
    WHERE u.merchant_id = $1 AND u.user_id = fresh.user_id`,
);
const saveKeys = statement(
  'sealing-upgrade-store.save-keys',
  `UPDATE user_keys AS k SET wrapped_key = fresh.wrapped_key
     FROM unnest($2::text[], $3::text[], $4::bytea[]) AS fresh (external_client_id, purpose, wrapped_key)
    WHERE k.merchant_id = $1 AND k.external_client_id = fresh.external_client_id AND k.purpose = fresh.purpose`,
);

/** Wrapped by the master key, as all keys were. */
export interface EarlyKey extends WrappedKey {
  readonly purpose: KeyPurpose;
}

export interface SealedUser extends UserRef {
  readonly profile: Buffer | null;
  readonly retainedProfile: Buffer | null;
  readonly keys: readonly EarlyKey[];
}

/** Returns a merchant with users in format 1, or undefined when none is left. */
export async function findMerchantToUpgrade(database: Queryable): Promise<MerchantId | undefined> {
  const [row] = await database.query(findMerchant);
  return row && merchantId(row.merchant_id);
}

/** Users in format 1 with their keys, locked until the transaction ends. */
export async function lockFirstFormatUsers(
  tx: Transaction,
  merchant: MerchantId,
  atMost: number,
): Promise<SealedUser[]> {
  const users = await tx.query(lockUsers, [merchant, atMost]);
  const keys = await tx.query(lockKeys, [merchant, users.map((row) => row.external_client_id)]);
  const keysOf = new Map<string, EarlyKey[]>();
  for (const { external_client_id: owner, ...row } of keys) {
    const key = { purpose: row.purpose, version: row.master_key_version, wrapped: row.wrapped_key };
    keysOf.set(owner, [...(keysOf.get(owner) ?? []), key]);
  }
  return users.map((row) => ({
    merchantId: merchant,
    userId: userId(row.user_id),
    externalClientId: storedPublicId('cli', row.external_client_id),
    profile: row.profile,
    retainedProfile: row.retained_profile,
    keys: keysOf.get(row.external_client_id) ?? [],
  }));
}

export async function saveUpgradedUsers(
  tx: Transaction,
  merchant: MerchantId,
  users: readonly SealedUser[],
): Promise<void> {
  await tx.query(saveUsers, [
    merchant,
    users.map((user) => user.userId),
    users.map((user) => user.profile),
    users.map((user) => user.retainedProfile),
  ]);
  const keys = users.flatMap((user) => user.keys.map((key) => ({ ...user, ...key })));
  await tx.query(saveKeys, [
    merchant,
    keys.map((key) => key.externalClientId),
    keys.map((key) => key.purpose),
    keys.map((key) => key.wrapped),
  ]);
}
