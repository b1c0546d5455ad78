/**
 * What is known of a user, sealed under keys of its own: to destroy a key is to erase what it sealed, also in every
 * copy that a backup or a log of the database holds.
 */
import { randomBytes } from 'node:crypto';
import type { KeyVault, WrappedKey } from '../key-vault.js';
import { open, seal } from '../sealing.js';
import type { Profile, UserRef } from './user.js';

/** `profile` goes when the user goes; `retained` stays as long as the law asks. */
export type KeyPurpose = 'profile' | 'retained';

export interface UserKey extends WrappedKey {
  readonly purpose: KeyPurpose;
}

export interface NewUserKey {
  readonly purpose: KeyPurpose;
  readonly key: Buffer;
  readonly place: string;
}

export function newUserKeys(user: UserRef): [NewUserKey, NewUserKey] {
  return [newUserKey(user, 'profile'), newUserKey(user, 'retained')];
}

export function openUserKey(vault: KeyVault, user: UserRef, key: UserKey): Buffer {
  return vault.unwrap(key, keyPlace(user, key.purpose));
}

export function sealProfile(key: Buffer, user: UserRef, purpose: KeyPurpose, profile: Profile): Buffer {
  return seal(key, Buffer.from(JSON.stringify(profile)), profilePlace(user, purpose));
}

export function openProfile(key: Buffer, user: UserRef, purpose: KeyPurpose, sealed: Buffer): Profile {
  return JSON.parse(open(key, sealed, profilePlace(user, purpose)).toString('utf8')) as Profile;
}

/** Where a ciphertext belongs: moved to another row, column or merchant it does not open. */
export function keyPlace(user: UserRef, purpose: KeyPurpose): string {
  return `user_keys|${user.merchantId}|${user.externalClientId}|${purpose}`;
}

function profilePlace(user: UserRef, purpose: KeyPurpose): string {
  const column = purpose === 'profile' ? 'profile' : 'retained_profile';
  return `users|${column}|${user.merchantId}|${user.externalClientId}`;
}

function newUserKey(user: UserRef, purpose: KeyPurpose): NewUserKey {
  return { purpose, key: randomBytes(32), place: keyPlace(user, purpose) };
}
