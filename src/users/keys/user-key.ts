/**
 * The data keys of users, and what wraps them. The users of a merchant are in 256 groups; each group has a key, which wraps
 * the keys of its users and is itself wrapped by the master key. Destroying the key of a group makes every key that it
 * wrapped useless, also where PostgreSQL has left the bytes of a deleted row in a file.
 */
import type { TenantId, UserId } from '../../ids.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { BoundKey, KeyBinding, KeyVault, WrappedKey } from '../../keys/vault.js';
import { freshBytes } from '../../random.js';
import type { UserRef } from '../user.js';

/**
 * The `profile` key is destroyed with the user, and the database then destroys the `beneficiaries` key too. The `retained`
 * key stays as long as the law requires.
 */
export type KeyPurpose = 'profile' | 'retained' | 'beneficiaries';

/** A key of a group of users. The key that replaces it has the next generation. */
export interface GroupKey extends WrappedKey {
  readonly group: number;
  readonly generation: number;
}

export interface OpenedGroupKey extends GroupKey {
  readonly opened: Buffer;
}

/** What wraps the key of a user: the key of the group, or the master key, as before there were groups. */
export type KeyAbove = GroupKey | { readonly version: number };

export interface WrappedUserKey {
  readonly wrapped: Buffer;
  readonly by: KeyAbove;
}

export interface UserKey extends WrappedUserKey {
  readonly purpose: KeyPurpose;
}

const groups = 256;

export function groupOf(user: UserId): number {
  return user % groups;
}

export function newUserKey(user: UserRef, purpose: KeyPurpose): BoundKey {
  return { key: freshBytes(32), binding: keyBindingOf(user, purpose) };
}

/** Throws `BrokenSeal` when the key belongs to another user, merchant, purpose or group. */
export function openUserKey(vault: KeyVault, user: UserRef, { purpose, wrapped, by }: UserKey): Buffer {
  const binding = keyBindingOf(user, purpose);
  if (!('generation' in by)) return vault.unwrap({ version: by.version, wrapped }, binding);
  return open(openGroupKey(vault, user.merchantId, by), wrapped, bindingUnder(by, binding));
}

export function wrapByGroup(by: OpenedGroupKey, { key, binding }: BoundKey): WrappedUserKey {
  return { by, wrapped: seal(by.opened, key, bindingUnder(by, binding)) };
}

/** Throws `BrokenSeal` when the key belongs to another merchant, group or generation. */
export function openGroupKey(vault: KeyVault, merchant: TenantId, key: GroupKey): Buffer {
  return vault.unwrap(key, groupKeyBinding(merchant, key));
}

export function groupKeyBinding(
  merchant: TenantId,
  { group, generation }: Pick<GroupKey, 'group' | 'generation'>,
): KeyBinding {
  return ['group_keys', merchant, group, generation];
}

export function keyBindingOf(user: UserRef, purpose: KeyPurpose): KeyBinding {
  return ['user_keys', user.merchantId, user.userId, user.externalClientId, purpose];
}

function bindingUnder({ group, generation }: GroupKey, binding: KeyBinding): string {
  return bindingOf(...binding, 'group', group, generation);
}
