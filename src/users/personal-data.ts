/** Seals the profile of a user under keys of that user. Deleting a key erases what it sealed (crypto-shredding). */
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { Profile, UserRef } from './user.js';
import type { KeyPurpose, UserKey } from './user-keys.js';

/** A user as it is stored, with the keys that are left; `UserService.open` opens it. */
export interface SealedUser extends UserRef {
  readonly sealedProfile: Buffer | undefined;
  readonly profileKey: UserKey | undefined;
  readonly retainedKey: UserKey | undefined;
}

export type ProfilePurpose = Exclude<KeyPurpose, 'beneficiaries'>;

export function sealProfile(key: Buffer, user: UserRef, purpose: ProfilePurpose, profile: Profile): Buffer {
  return seal(key, Buffer.from(JSON.stringify(profile)), profileBinding(user, purpose));
}

/** Throws when the profile belongs to another user, merchant or column, or is older than the key. */
export function openProfile(key: Buffer, user: UserRef, purpose: ProfilePurpose, sealed: Buffer): Profile {
  return JSON.parse(open(key, sealed, profileBinding(user, purpose)).toString('utf8')) as Profile;
}

/** Needs no version: each change of a profile makes a new key, which does not open an older profile. */
function profileBinding(user: UserRef, purpose: ProfilePurpose): string {
  const column = purpose === 'profile' ? 'profile' : 'retained_profile';
  return bindingOf('users', column, user.merchantId, user.userId, user.externalClientId);
}
