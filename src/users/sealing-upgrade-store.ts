/** SQL that upgrades users of all merchants whose data is sealed in format 1. */
import { merchantId, storedPublicId, userId } from '../ids.js';
import { statement, type Transaction } from '../postgres/statement.js';
import type { KeyPurpose, UserKey } from './personal-data.js';
import type { UserRef } from './user.js';

interface UserRow {
  merchant_id: bigint;
  user_id: bigint;
  external_client_id: string;
  profile: Buffer | null;
  retained_profile: Buffer | null;
}
interface KeyRow {
  merchant_id: bigint;
  external_client_id: string;
  purpose: KeyPurpose;
  master_key_version: number;
  wrapped_key: Buffer;
}

const lockUsersBefore = statement<UserRow>(
  'sealing-upgrade-store.lock-users',
  `SELECT merchant_id, user_id, external_client_id, profile, retained_profile FROM users
    WHERE sealing = 1 ORDER BY merchant_id, user_id LIMIT $1 FOR UPDATE`,
);
const listKeysOf = statement<KeyRow>(
  'sealing-upgrade-store.list-keys',
  `SELECT k.merchant_id, k.external_client_id, k.purpose, k.master_key_version, k.wrapped_key
     FROM user_keys AS k JOIN unnest($1::bigint[], $2::text[]) AS owner (merchant_id, external_client_id)
       ON k.merchant_id = owner.merchant_id AND k.external_client_id = owner.external_client_id
    FOR UPDATE OF k`,
);
const saveUsers = statement(
  'sealing-upgrade-store.save-users',
  `UPDATE users AS u SET profile = fresh.profile, retained_profile = fresh.retained_profile, sealing = 2
     FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[])
       AS fresh (merchant_id, user_id, profile, retained_profile)
    WHERE u.merchant_id = fresh.merchant_id AND u.user_id = fresh.user_id`,
);
const saveKeys = statement(
  'sealing-upgrade-store.save-keys',
  `UPDATE user_keys AS k SET wrapped_key = fresh.wrapped_key
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[])
       AS fresh (merchant_id, external_client_id, purpose, wrapped_key)
    WHERE k.merchant_id = fresh.merchant_id AND k.external_client_id = fresh.external_client_id
      AND k.purpose = fresh.purpose`,
);

export interface SealedUser extends UserRef {
  readonly profile: Buffer | null;
  readonly retainedProfile: Buffer | null;
  readonly keys: readonly UserKey[];
}

/** Users in format 1 with their keys, locked until the transaction ends. */
export async function lockFirstFormatUsers(tx: Transaction, atMost: number): Promise<SealedUser[]> {
  const users = await tx.query(lockUsersBefore, [atMost]);
  const merchants = users.map((row) => row.merchant_id);
  const keys = await tx.query(listKeysOf, [merchants, users.map((row) => row.external_client_id)]);
  const keysOf = new Map<string, UserKey[]>();
  for (const row of keys) {
    const key = { purpose: row.purpose, version: row.master_key_version, wrapped: row.wrapped_key };
    keysOf.set(ownerOf(row), [...(keysOf.get(ownerOf(row)) ?? []), key]);
  }
  return users.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    userId: userId(row.user_id),
    externalClientId: storedPublicId('cli', row.external_client_id),
    profile: row.profile,
    retainedProfile: row.retained_profile,
    keys: keysOf.get(ownerOf(row)) ?? [],
  }));
}

export async function saveUpgradedUsers(tx: Transaction, users: readonly SealedUser[]): Promise<void> {
  await tx.query(saveUsers, [
    users.map((user) => user.merchantId),
    users.map((user) => user.userId),
    users.map((user) => user.profile),
    users.map((user) => user.retainedProfile),
  ]);
  const keys = users.flatMap((user) => user.keys.map((key) => ({ ...user, ...key })));
  await tx.query(saveKeys, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.externalClientId),
    keys.map((key) => key.purpose),
    keys.map((key) => key.wrapped),
  ]);
}

function ownerOf(row: { merchant_id: bigint; external_client_id: string }): string {
  return `${row.merchant_id} ${row.external_client_id}`;
}
