/** The columns of a user key, with the key of the group that wraps it, in statements where `k` is `user_keys`. */
import type { GroupKey, KeyAbove, KeyPurpose, UserKey } from './user-key.js';

export interface KeyRow {
  purpose: KeyPurpose;
  wrapped_key: Buffer;
  master_key_version: number | null;
  key_group: number | null;
  generation: number | null;
  group_key_version: number | null;
  group_key: Buffer | null;
}

export const keyColumns = `k.purpose, k.wrapped_key, k.master_key_version, k.key_group, k.generation,
          g.master_key_version AS group_key_version, g.wrapped_key AS group_key`;
export const withGroupKey = `LEFT JOIN group_keys AS g
       ON g.merchant_id = k.merchant_id AND g.key_group = k.key_group AND g.generation = k.generation`;

export function toUserKey({ purpose, wrapped_key: wrapped, ...row }: KeyRow): UserKey {
  return { purpose, wrapped, by: toKeyAbove(row) };
}

/** The values of `master_key_version`, `key_group` and `generation`. */
export function columnsOf(by: KeyAbove): [number | null, number | null, number | null] {
  return 'generation' in by ? [null, by.group, by.generation] : [by.version, null, null];
}

export interface GroupKeyRow {
  key_group: number;
  generation: number;
  master_key_version: number;
  wrapped_key: Buffer;
}

export function toGroupKey(row: GroupKeyRow): GroupKey {
  return {
    group: row.key_group,
    generation: row.generation,
    version: row.master_key_version,
    wrapped: row.wrapped_key,
  };
}

/** Throws when the row names neither a version of the master key nor a key of a group, which the database excludes. */
export function toKeyAbove(row: Omit<KeyRow, 'purpose' | 'wrapped_key'>): KeyAbove {
  if (row.master_key_version !== null) return { version: row.master_key_version };
  const { key_group, generation, group_key_version, group_key } = row;
  if (key_group === null || generation === null || group_key_version === null || group_key === null)
    throw new Error('nothing wraps the key of a user');
  return { group: key_group, generation, version: group_key_version, wrapped: group_key };
}
