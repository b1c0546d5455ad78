/** SQL on the keys of groups of users, always within one merchant, except where a job looks for due work. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type GroupKeyRow, toGroupKey } from './key-rows.js';
import type { GroupKey } from './user-key.js';

interface NewestRow extends GroupKeyRow {
  must_be_replaced: boolean;
}

const findNewest = statement<NewestRow>(
  'group-key-store.find-newest',
  `SELECT key_group, generation, master_key_version, wrapped_key, must_be_replaced FROM group_keys
    WHERE merchant_id = $1 AND key_group = $2 ORDER BY generation DESC LIMIT 1 FOR KEY SHARE`,
);
const listKeys = statement<GroupKeyRow>(
  'group-key-store.list',
  `SELECT key_group, generation, master_key_version, wrapped_key FROM group_keys
    WHERE merchant_id = $1 AND key_group = $2`,
);
const insertKey = statement(
  'group-key-store.insert',
  `INSERT INTO group_keys (merchant_id, key_group, generation, master_key_version, wrapped_key)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (merchant_id, key_group, generation) DO NOTHING`,
);
const markForReplacement = statement(
  'group-key-store.mark-for-replacement',
  `UPDATE group_keys SET must_be_replaced = true
    WHERE merchant_id = $1 AND key_group = $2 AND NOT must_be_replaced`,
);
const listMarked = statement<{ merchant_id: bigint; key_group: number }>(
  'group-key-store.list-marked',
  'SELECT DISTINCT merchant_id, key_group FROM group_keys WHERE must_be_replaced ORDER BY merchant_id, key_group LIMIT $1',
);
const lockGroup = statement<NewestRow>(
  'group-key-store.lock-group',
  `SELECT key_group, generation, master_key_version, wrapped_key, must_be_replaced FROM group_keys
    WHERE merchant_id = $1 AND key_group = $2 ORDER BY generation FOR NO KEY UPDATE`,
);
/** Waits for transactions that still wrap keys by one of these. */
const lockBefore = statement<{ generation: number }>(
  'group-key-store.lock-before',
  `SELECT generation FROM group_keys
    WHERE merchant_id = $1 AND key_group = $2 AND generation < $3 ORDER BY generation FOR UPDATE`,
);
const findKeyUnderOlder = statement<{ found: number }>(
  'group-key-store.find-key-under-older',
  `SELECT 1 AS found FROM user_keys WHERE merchant_id = $1 AND key_group = $2 AND generation < $3 LIMIT 1`,
);
const deleteBefore = statement(
  'group-key-store.delete-before',
  'DELETE FROM group_keys WHERE merchant_id = $1 AND key_group = $2 AND generation < $3',
);
const lockOldVersions = statement<GroupKeyRow>(
  'group-key-store.lock-old-versions',
  `SELECT key_group, generation, master_key_version, wrapped_key FROM group_keys
    WHERE merchant_id = $1 AND master_key_version < $2 LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
);
const saveRewrapped = statement(
  'group-key-store.save-rewrapped',
  `UPDATE group_keys AS g SET master_key_version = $2, wrapped_key = rewrapped.wrapped_key
     FROM unnest($3::smallint[], $4::integer[], $5::bytea[]) AS rewrapped (key_group, generation, wrapped_key)
    WHERE g.merchant_id = $1 AND g.key_group = rewrapped.key_group AND g.generation = rewrapped.generation`,
);
export const listMerchantsWithOldGroupKeys = statement<{ merchant_id: bigint }>(
  'group-key-store.list-merchants-with-old-keys',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM group_keys WHERE master_key_version < $1 LIMIT $2) AS old_keys`,
);
const findOldVersion = statement<{ found: number }>(
  'group-key-store.find-old-version',
  'SELECT 1 AS found FROM group_keys WHERE master_key_version < $1 LIMIT 1',
);
/** The table has few rows, however many users there are, so the lock is short. */
export const rewriteGroupKeys = statement('group-key-store.rewrite', 'VACUUM (FULL) group_keys');

const findUse = statement<{ is_used: boolean }>(
  'group-key-store.find-use',
  'SELECT group_keys_from <= statement_timestamp() AS is_used FROM instance',
);

/** The key of the group, and whether it must be replaced, because a key that it wraps was destroyed. */
export interface NewestGroupKey extends GroupKey {
  readonly mustBeReplaced: boolean;
}

/** A group of a merchant's users. */
export interface KeyGroup {
  readonly merchant: TenantId;
  readonly group: number;
}

/** False for a day after the upgrade of a database from before there were groups. */
export async function areGroupKeysUsed(database: Queryable): Promise<boolean> {
  return (await database.query(findUse))[0]?.is_used ?? false;
}

/** The key to wrap by. It cannot be destroyed before the transaction ends. */
export async function holdNewestGroupKey(
  tx: Transaction,
  { merchant, group }: KeyGroup,
): Promise<NewestGroupKey | undefined> {
  const [row] = await tx.query(findNewest, [merchant, group]);
  return row && toNewest(row);
}

/** The keys of the group: more than one while it is being replaced. */
export async function listGroupKeys(database: Queryable, { merchant, group }: KeyGroup): Promise<GroupKey[]> {
  return (await database.query(listKeys, [merchant, group])).map(toGroupKey);
}

/** Does nothing if there is a key of that generation. */
export async function addGroupKey(
  tx: Transaction,
  { merchant, group }: KeyGroup,
  { generation, version, wrapped }: GroupKey,
): Promise<void> {
  await tx.query(insertKey, [merchant, group, generation, version, wrapped]);
}

/** Keys of the group were destroyed: the keys above them must follow. To be called after that, in the same transaction. */
export async function markGroupKeys(tx: Transaction, { merchant, group }: KeyGroup): Promise<void> {
  await tx.query(markForReplacement, [merchant, group]);
}

/** The groups whose key must be replaced, also those where that has begun. */
export async function listMarkedGroups(database: Queryable, atMost: number): Promise<KeyGroup[]> {
  const rows = await database.query(listMarked, [atMost]);
  return rows.map((row) => ({ merchant: tenantId(row.merchant_id), group: row.key_group }));
}

export async function lockNewestGroupKey(
  tx: Transaction,
  { merchant, group }: KeyGroup,
): Promise<NewestGroupKey | undefined> {
  const row = (await tx.query(lockGroup, [merchant, group])).at(-1);
  return row && toNewest(row);
}

function toNewest(row: NewestRow): NewestGroupKey {
  return { ...toGroupKey(row), mustBeReplaced: row.must_be_replaced };
}

/** Destroys all keys of the group that are older. Returns false, and destroys none, when one of them still wraps a key. */
export async function destroyGroupKeysBefore(
  tx: Transaction,
  { merchant, group }: KeyGroup,
  generation: number,
): Promise<boolean> {
  await tx.query(lockBefore, [merchant, group, generation]);
  // A new statement, so that it sees what those transactions have written.
  if ((await tx.query(findKeyUnderOlder, [merchant, group, generation])).length > 0) return false;
  await tx.query(deleteBefore, [merchant, group, generation]);
  return true;
}

/** Keys of groups that are wrapped by an older master key. Leaves out those that another transaction has locked. */
export async function lockGroupKeysOfVersionBefore(
  tx: Transaction,
  merchant: TenantId,
  version: number,
  atMost: number,
): Promise<GroupKey[]> {
  return (await tx.query(lockOldVersions, [merchant, version, atMost])).map(toGroupKey);
}

export async function saveRewrappedGroupKeys(
  tx: Transaction,
  merchant: TenantId,
  version: number,
  keys: readonly GroupKey[],
): Promise<void> {
  const columns = [
    keys.map((key) => key.group),
    keys.map((key) => key.generation),
    keys.map((key) => key.wrapped),
  ];
  await tx.query(saveRewrapped, [merchant, version, ...columns]);
}

export async function hasGroupKeysOfVersionBefore(database: Queryable, version: number): Promise<boolean> {
  return (await database.query(findOldVersion, [version])).length > 0;
}
