/** SQL that wraps keys of users again, merchant by merchant, and removes from files what is left of destroyed keys. */
import { merchantId, storedPublicId, type TenantId, tenantId, userId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { UserRef } from '../user.js';
import { type KeyGroup, listGroupKeys } from './group-key-store.js';
import { columnsOf } from './key-rows.js';
import type { KeyAbove, KeyPurpose, UserKey } from './user-key.js';

interface LockedRow {
  external_client_id: string;
  purpose: KeyPurpose;
  wrapped_key: Buffer;
  master_key_version: number | null;
  generation: number | null;
}
interface OwnerRow {
  user_id: bigint;
  external_client_id: string;
}

export const listMerchantsWithOldKeys = statement<{ merchant_id: bigint }>(
  'key-upkeep-store.list-merchants-with-old-keys',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM user_keys WHERE master_key_version < $1 LIMIT $2) AS old_keys`,
);
const lockOldVersions = statement<LockedRow>(
  'key-upkeep-store.lock-old-versions',
  `SELECT external_client_id, purpose, wrapped_key, master_key_version, generation FROM user_keys
    WHERE merchant_id = $1 AND master_key_version < $2 LIMIT $3 FOR UPDATE SKIP LOCKED`,
);
const lockOldGenerations = statement<LockedRow>(
  'key-upkeep-store.lock-old-generations',
  `SELECT external_client_id, purpose, wrapped_key, master_key_version, generation FROM user_keys
    WHERE merchant_id = $1 AND key_group = $2 AND generation < $3 LIMIT $4 FOR UPDATE SKIP LOCKED`,
);
const listOwners = statement<OwnerRow>(
  'key-upkeep-store.list-owners',
  'SELECT user_id, external_client_id FROM users WHERE merchant_id = $1 AND external_client_id = ANY ($2)',
);
const saveRewrapped = statement(
  'key-upkeep-store.save-rewrapped',
  `UPDATE user_keys AS k
      SET wrapped_key = rewrapped.wrapped_key, master_key_version = rewrapped.master_key_version,
          key_group = rewrapped.key_group, generation = rewrapped.generation
     FROM unnest($2::text[], $3::text[], $4::bytea[], $5::integer[], $6::smallint[], $7::integer[])
       AS rewrapped (external_client_id, purpose, wrapped_key, master_key_version, key_group, generation)
    WHERE k.merchant_id = $1 AND k.external_client_id = rewrapped.external_client_id
      AND k.purpose = rewrapped.purpose`,
);
const findOldVersion = statement<{ found: number }>(
  'key-upkeep-store.find-old-version',
  'SELECT 1 AS found FROM user_keys WHERE master_key_version < $1 LIMIT 1',
);
/** Deleted rows stay in the file until their space is used again. Only a rewrite of the table removes them. */
export const rewriteUserKeys = statement('key-upkeep-store.rewrite-user-keys', 'VACUUM (FULL) user_keys');
/** The hour covers deleted rows that a rewrite had to keep because an older transaction could still see them. */
const findRewrites = statement<{ user_keys: boolean; group_keys: boolean }>(
  'key-upkeep-store.find-rewrites',
  `SELECT must_rewrite_user_keys AS user_keys,
          coalesce(group_keys_deleted_at > coalesce(keys_shredded_at - interval '1 hour', '-infinity'), false) AS group_keys
     FROM instance`,
);
const setUserKeysRewrite = statement(
  'key-upkeep-store.set-user-keys-rewrite',
  'UPDATE instance SET must_rewrite_user_keys = $1 WHERE must_rewrite_user_keys <> $1',
);
const updateDeletedAt = statement(
  'key-upkeep-store.update-deleted-at',
  'UPDATE instance SET group_keys_deleted_at = $1',
);
const updateShreddedAt = statement(
  'key-upkeep-store.update-shredded-at',
  'UPDATE instance SET keys_shredded_at = $1',
);
const findNow = statement<{ now: Date }>('key-upkeep-store.find-now', 'SELECT clock_timestamp() AS now');

/** A key with its owner. */
export type OwnedKey = UserRef & UserKey;

export async function listMerchantsWithKeysBefore(
  database: Queryable,
  version: number,
  atMost: number,
): Promise<TenantId[]> {
  const rows = await database.query(listMerchantsWithOldKeys, [version, atMost]);
  return rows.map((row) => tenantId(row.merchant_id));
}

/** Keys that the master key itself wraps, in an older version. Leaves out those that another transaction has locked. */
export async function lockKeysOfVersionBefore(
  tx: Transaction,
  merchant: TenantId,
  version: number,
  atMost: number,
): Promise<OwnedKey[]> {
  const rows = await tx.query(lockOldVersions, [merchant, version, atMost]);
  return withOwners(tx, merchant, rows, (row) => ({ version: row.master_key_version ?? 0 }));
}

/** Keys that an older key of the group wraps. Leaves out those that another transaction has locked. */
export async function lockKeysOfGenerationBefore(
  tx: Transaction,
  place: KeyGroup,
  generation: number,
  atMost: number,
): Promise<OwnedKey[]> {
  const rows = await tx.query(lockOldGenerations, [place.merchant, place.group, generation, atMost]);
  const groupKeys = await listGroupKeys(tx, place);
  return withOwners(tx, place.merchant, rows, (row) => {
    const above = groupKeys.find((key) => key.generation === row.generation);
    if (!above) throw new Error('nothing wraps the key of a user');
    return above;
  });
}

async function withOwners(
  tx: Transaction,
  merchant: TenantId,
  rows: readonly LockedRow[],
  keyAbove: (row: LockedRow) => KeyAbove,
): Promise<OwnedKey[]> {
  const owners = await tx.query(listOwners, [merchant, rows.map((row) => row.external_client_id)]);
  const ownerOf = new Map(owners.map((row) => [row.external_client_id, userId(row.user_id)]));
  return rows.map((row) => {
    const owner = ownerOf.get(row.external_client_id);
    if (owner === undefined) throw new Error('a key belongs to no user');
    const { purpose, wrapped_key: wrapped } = row;
    const externalClientId = storedPublicId('cli', row.external_client_id);
    const user = { merchantId: merchantId(merchant), userId: owner, externalClientId };
    return { ...user, purpose, wrapped, by: keyAbove(row) };
  });
}

export async function saveRewrappedKeys(
  tx: Transaction,
  merchant: TenantId,
  keys: readonly OwnedKey[],
): Promise<void> {
  const above = keys.map((key) => columnsOf(key.by));
  await tx.query(saveRewrapped, [
    merchant,
    keys.map((key) => key.externalClientId),
    keys.map((key) => key.purpose),
    keys.map((key) => key.wrapped),
    ...([0, 1, 2] as const).map((column) => above.map((columns) => columns[column])),
  ]);
}

/** Whether the master key itself, in an older version, still wraps a key of a user. */
export async function hasKeysOfVersionBefore(database: Queryable, version: number): Promise<boolean> {
  return (await database.query(findOldVersion, [version])).length > 0;
}

/** Which tables must be rewritten, because their files may contain destroyed keys. */
export async function findDueRewrites(
  database: Queryable,
): Promise<{ readonly userKeys: boolean; readonly groupKeys: boolean }> {
  const [row] = await database.query(findRewrites);
  return { userKeys: row?.user_keys ?? false, groupKeys: row?.group_keys ?? false };
}

export async function setUserKeysToRewrite(tx: Transaction, mustRewrite: boolean): Promise<void> {
  await tx.query(setUserKeysRewrite, [mustRewrite]);
}

/** To be committed before keys of groups are deleted. */
export async function recordGroupKeysDeleted(tx: Transaction): Promise<void> {
  await tx.query(updateDeletedAt, [await databaseTime(tx)]);
}

export async function recordShredding(tx: Transaction, at: Date): Promise<void> {
  await tx.query(updateShreddedAt, [at]);
}

export async function databaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query(findNow);
  return row?.now ?? new Date(0);
}
