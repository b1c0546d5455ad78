/** The data keys of users, each wrapped by the master key. Without its key nobody can read what it sealed. */
import type { MerchantId, UserId } from '../ids.js';
import type { KeyBinding, KeyVault, WrappedKey } from '../keys/vault.js';
import { freshBytes } from '../random.js';

/**
 * A key for each time at which something must become unreadable. The `profile` key is replaced with every change of the
 * profile, so that no earlier profile opens, and deleted with the user, as the `beneficiaries` key is. The `retained`
 * key stays as long as the law requires.
 */
export type KeyPurpose = 'profile' | 'beneficiaries' | 'retained';

export interface KeyOwner {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

export interface UserKey extends KeyOwner, WrappedKey {
  readonly purpose: KeyPurpose;
}

export interface NewUserKey extends UserKey {
  readonly key: Buffer;
}

/** `version` is the active version of the master key. */
export function newUserKey(vault: KeyVault, version: number, owner: KeyOwner, purpose: KeyPurpose): NewUserKey {
  const { merchantId, userId } = owner;
  const key = freshBytes(32);
  const wrapped = vault.wrap(version, key, bindingOf({ merchantId, userId, purpose }));
  return { merchantId, userId, purpose, key, ...wrapped };
}

/** Throws `BrokenSeal` when the key belongs to another user, merchant or purpose. */
export function openUserKey(vault: KeyVault, userKey: UserKey): Buffer {
  return vault.unwrap(userKey, bindingOf(userKey));
}

export function rewrapUserKey(vault: KeyVault, version: number, userKey: UserKey): UserKey {
  return { ...userKey, ...vault.wrap(version, openUserKey(vault, userKey), bindingOf(userKey)) };
}

function bindingOf({ merchantId, userId, purpose }: KeyOwner & { readonly purpose: KeyPurpose }): KeyBinding {
  return ['user_keys', merchantId, userId, purpose];
}
