/**
 * Seals profiles and user keys of format 1 again, in format 2, which binds them to their user. This is the only code that
 * opens format 1, and it runs only while such users are left.
 */
import { BrokenSeal, open } from '../keys/sealing.js';
import type { KeyVault } from '../keys/vault.js';
import type { Transaction } from '../postgres/statement.js';
import { type KeyPurpose, keyBindingOf } from './keys/user-key.js';
import { type ProfilePurpose, sealProfile } from './personal-data.js';
import {
  type EarlyKey,
  findMerchantToUpgrade,
  lockFirstFormatUsers,
  type SealedUser,
  saveUpgradedUsers,
} from './sealing-upgrade-store.js';
import type { Profile, UserRef } from './user.js';

const usersAtOnce = 500;

export interface UpgradedBatch {
  /** 0 when nothing is left. */
  readonly done: number;
  /** Values that did not open. They stay as they are, and reading them fails. */
  readonly unreadable: number;
}

/** Upgrades users of one merchant. */
export async function upgradeUsersBatch(tx: Transaction, vault: KeyVault): Promise<UpgradedBatch> {
  const merchant = await findMerchantToUpgrade(tx);
  const users = merchant ? await lockFirstFormatUsers(tx, merchant, usersAtOnce) : [];
  const upgraded = users.map((user) => upgradeUser(vault, user));
  if (merchant) await saveUpgradedUsers(tx, merchant, upgraded);
  return { done: users.length, unreadable: upgraded.reduce((sum, user) => sum + user.unreadable, 0) };
}

function upgradeUser(vault: KeyVault, user: SealedUser): SealedUser & { readonly unreadable: number } {
  let unreadable = 0;
  /** Keeps a value that does not open. */
  const upgradeOrKeep = <Value>(before: Value, upgrade: () => Value): Value => {
    try {
      return upgrade();
    } catch (error) {
      if (!(error instanceof BrokenSeal)) throw error;
      unreadable += 1;
      return before;
    }
  };
  const keys = user.keys.map((key) => upgradeOrKeep(key, () => upgradeKey(vault, user, key)));
  const profileOf = (purpose: ProfilePurpose, sealed: Buffer | null) =>
    sealed && upgradeOrKeep(sealed, () => upgradeProfile(vault, user, purpose, sealed));
  const profile = profileOf('profile', user.profile);
  const retainedProfile = profileOf('retained', user.retainedProfile);
  return { ...user, keys, profile, retainedProfile, unreadable };
}

function upgradeKey(vault: KeyVault, user: UserRef, key: EarlyKey): EarlyKey {
  const opened = vault.unwrapFirstFormat(key, firstKeyPlace(user, key.purpose));
  return { ...key, ...vault.wrapAs(key.version, opened, keyBindingOf(user, key.purpose)) };
}

function upgradeProfile(vault: KeyVault, user: SealedUser, purpose: ProfilePurpose, sealed: Buffer): Buffer {
  const wrapped = user.keys.find((key) => key.purpose === purpose);
  if (!wrapped) throw new BrokenSeal('the key is missing');
  const key = vault.unwrapFirstFormat(wrapped, firstKeyPlace(user, purpose));
  const profile = JSON.parse(open(key, sealed, firstProfilePlace(user, purpose)).toString()) as Profile;
  return sealProfile(key, user, purpose, profile);
}

function firstKeyPlace(user: UserRef, purpose: KeyPurpose): string {
  return `user_keys|${user.merchantId}|${user.externalClientId}|${purpose}`;
}

function firstProfilePlace(user: UserRef, purpose: ProfilePurpose): string {
  const column = purpose === 'profile' ? 'profile' : 'retained_profile';
  return `users|${column}|${user.merchantId}|${user.externalClientId}`;
}
