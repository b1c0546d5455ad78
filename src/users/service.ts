/** The verbs of users: create, read, update, erase. */
import type { By, SelectedUser } from '../caller.js';
import { recordChange } from '../changes/service.js';
import type { Clock } from '../clock.js';
import { retentionYearsOf } from '../countries/retention.js';
import { RemesaError, userNotFound } from '../errors.js';
import { type MerchantId, newPublicId, newUserId, type UserId } from '../ids.js';
import type { KeyVault } from '../keys/vault.js';
import { PersonIndex } from '../persons/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { deleteUserKeys, findUserKey, saveUserKey } from './key-store.js';
import { openProfile, type SealedUser, sealProfile } from './personal-data.js';
import { listSealedUsers } from './sealed-users-store.js';
import * as store from './store.js';
import { type Dependents, identityFields, normalise, type Profile, type ProfileField, type User } from './user.js';
import { type KeyOwner, type KeyPurpose, newUserKey, openUserKey } from './user-keys.js';

export { addRestoredErasure, allErasures, type Erasure } from './upkeep-store.js';

export interface UsersOptions {
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly retentionYears: number;
}

/** Two ids of the same merchant and millisecond are equal once in 4,096 times. */
const idAttempts = 20;

export interface OpenedUser {
  /** Undefined for a deleted user. */
  readonly profile: Profile | undefined;
  /** Undefined after it was deleted. */
  readonly retainedKey: Buffer | undefined;
}

export class UserService {
  readonly #options: UsersOptions;
  #dependents: Dependents | undefined;
  readonly #persons: PersonIndex;

  constructor(options: UsersOptions) {
    this.#options = options;
    this.#persons = new PersonIndex(options.vault.rootKey);
  }

  /** Called once, when the rooms that depend on users are built. */
  register(dependents: Dependents): void {
    this.#dependents = dependents;
  }

  get dependents(): Dependents {
    if (!this.#dependents) throw new Error('the rooms that depend on users are not registered');
    return this.#dependents;
  }

  async create(tx: Transaction, by: By, merchantId: MerchantId, submitted: Profile): Promise<SelectedUser> {
    const { vault, clock } = this.#options;
    const profile = normalise(submitted);
    const version = await vault.activeVersion(tx);
    for (let attempt = 0; attempt < idAttempts; attempt += 1) {
      const user = { merchantId, userId: newUserId(clock.now()), externalClientId: newPublicId('cli') };
      const newKey = (purpose: KeyPurpose) => newUserKey(vault, version, user, purpose);
      const keys = [newKey('profile'), newKey('beneficiaries'), newKey('retained')] as const;
      const sealedProfile = sealProfile(keys[0].key, user, 'profile', profile);
      if (await store.addUser(tx, { ...user, sealedProfile }, keys)) {
        await this.#persons.save(tx, user, 'profile', profile);
        await this.#audit(tx, by, user, 'user.created', {});
        return { id: user.userId, externalClientId: user.externalClientId };
      }
    }
    throw new Error(`${idAttempts} random user ids were all taken`);
  }

  /** Throws `user_not_found` when the user was deleted since it was selected. */
  async details(database: Queryable, merchantId: MerchantId, selected: SelectedUser): Promise<Profile> {
    const profile = await this.profile(database, merchantId, selected.id);
    if (!profile) throw userNotFound();
    return profile;
  }

  /** Undefined for a user who does not exist or was deleted. */
  async profile(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<Profile | undefined> {
    const user = (await this.list(database, merchantId, [userId])).get(userId);
    return user && this.#openProfile(user);
  }

  /**
   * Reads several users in one statement. `open` opens each by itself, so that a broken one does not stop the others.
   */
  list(
    database: Queryable,
    merchantId: MerchantId,
    userIds: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, SealedUser>> {
    return listSealedUsers(database, merchantId, userIds);
  }

  /** Throws `BrokenSeal`. */
  open(user: SealedUser): OpenedUser {
    return { profile: this.#openProfile(user), retainedKey: this.openKey(user) };
  }

  /** Only the retained key. Throws `BrokenSeal`. */
  openKey(user: SealedUser): Buffer | undefined {
    return user.retainedKey && openUserKey(this.#options.vault, user.retainedKey);
  }

  /** Returns the key under which other rooms seal what the law obliges us to keep. Undefined after it was deleted. */
  retainedKey(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<Buffer | undefined> {
    return this.#findKey(database, { merchantId, userId }, 'retained');
  }

  /** Returns the key under which the user's beneficiaries are sealed. Undefined when there is no such user. */
  beneficiaryKey(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<Buffer | undefined> {
    return this.#findKey(database, { merchantId, userId }, 'beneficiaries');
  }

  /**
   * Locks the user, and returns the key under which the user's beneficiaries are sealed. Undefined when there is no
   * such user.
   */
  async lockWithBeneficiaryKey(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<Buffer | undefined> {
    const user = await store.lockUserRef(tx, merchantId, userId);
    return user && this.beneficiaryKey(tx, merchantId, userId);
  }

  /**
   * Locks the user, and returns the profile and the retained key: what an order needs to know about its sender. Orders
   * of one user are therefore created one after the other. Throws `user_not_found`.
   */
  async lockSender(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
  ): Promise<{ profile: Profile; retainedKey: Buffer }> {
    await store.lockUserRef(tx, merchantId, userId);
    return this.sender(tx, merchantId, userId);
  }

  /** The profile and the retained key of a user that the caller has locked. Throws `user_not_found`. */
  async sender(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
  ): Promise<{ profile: Profile; retainedKey: Buffer }> {
    const [profile, retainedKey] = await Promise.all([
      this.profile(tx, merchantId, userId),
      this.retainedKey(tx, merchantId, userId),
    ]);
    if (!profile) throw userNotFound();
    if (!retainedKey) throw new Error(`user ${userId} has no retained key`);
    return { profile, retainedKey };
  }

  /** Locks the user if there is one; an erased user needs no lock. */
  async lock(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    await store.lockUserRef(tx, merchantId, userId);
  }

  /** Whether the user exists. If so, the row is locked: the user cannot be erased before this transaction ends. */
  hold(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<boolean> {
    return store.holdActiveUser(tx, merchantId, userId);
  }

  /**
   * Saves the fields that differ, and reports changed identity fields so that approvals are reviewed. A change is
   * sealed under a new key, so that no copy of the previous profile can be opened. Throws `user_not_found`.
   */
  async update(
    tx: Transaction,
    by: By,
    merchantId: MerchantId,
    selected: SelectedUser,
    change: Partial<Profile>,
  ): Promise<void> {
    const user = await this.#lock(tx, merchantId, selected);
    const before = await this.#readProfile(tx, user);
    const after = { ...before, ...normalise(change) };
    const changed = (Object.keys(after) as ProfileField[]).filter((field) => after[field] !== before[field]);
    if (changed.length === 0) return;
    const { vault } = this.#options;
    const fresh = newUserKey(vault, await vault.activeVersion(tx), user, 'profile');
    await Promise.all([
      saveUserKey(tx, fresh),
      store.saveProfile(tx, user, sealProfile(fresh.key, user, 'profile', after)),
    ]);
    await this.#persons.save(tx, user, 'profile', after);
    await this.#audit(tx, by, user, 'user.updated', { fields: changed });
    const identity = changed.filter((field) => identityFields.includes(field));
    if (identity.length > 0) await this.dependents.identityChanged(tx, merchantId, user.userId, identity);
  }

  /**
   * Deletes the user's keys at once, but the retained one when the law obliges us to keep it. Throws `user_not_found`,
   * and `user_has_open_orders` while a transfer is not finished.
   */
  async erase(tx: Transaction, by: By, merchantId: MerchantId, selected: SelectedUser): Promise<void> {
    const user = await this.#lock(tx, merchantId, selected);
    const { hasOpenOrders, mustRetain } = await this.dependents.erase(tx, merchantId, user.userId);
    if (hasOpenOrders) {
      throw new RemesaError('conflict', 'user_has_open_orders', 'The user has orders that are not finished.');
    }
    // What is not kept is not read either: a profile that cannot be opened is no reason to keep it.
    const profile = mustRetain ? await this.#readProfile(tx, user) : undefined;
    const retained = profile && (await this.#moveToRetained(tx, user, profile));
    await store.eraseActiveUser(tx, user, retained);
    const alsoRetained: KeyPurpose[] = mustRetain ? [] : ['retained'];
    await deleteUserKeys(tx, user, ['profile', 'beneficiaries', ...alsoRetained]);
    if (!mustRetain) await this.#persons.forget(tx, user);
    const years = retentionYearsOf(profile?.countryCode, this.#options.retentionYears);
    await store.addErasure(tx, user, { isRetained: mustRetain, years });
    await this.#audit(tx, by, user, 'user.erased', { isRetained: mustRetain });
  }

  /** As `erase`, for a user who was erased after the backup that was restored. An erased one stays as it is. */
  async eraseAgain(tx: Transaction, by: By, { merchantId, userId }: KeyOwner): Promise<void> {
    const user = await store.lockActiveUser(tx, merchantId, userId);
    if (user) await this.erase(tx, by, merchantId, { id: userId, externalClientId: user.externalClientId });
  }

  async #moveToRetained(tx: Transaction, user: User, profile: Profile): Promise<Buffer> {
    return sealProfile(await this.#key(tx, user, 'retained'), user, 'retained', profile);
  }

  async #lock(tx: Transaction, merchantId: MerchantId, selected: SelectedUser): Promise<User> {
    const user = await store.lockActiveUser(tx, merchantId, selected.id);
    if (!user) throw userNotFound();
    return user;
  }

  async #readProfile(tx: Transaction, user: User): Promise<Profile> {
    return openProfile(await this.#key(tx, user, 'profile'), user, 'profile', user.sealedProfile);
  }

  #openProfile(user: SealedUser): Profile | undefined {
    const { sealedProfile, profileKey } = user;
    const key = profileKey && openUserKey(this.#options.vault, profileKey);
    return sealedProfile && key && openProfile(key, user, 'profile', sealedProfile);
  }

  async #key(tx: Transaction, user: User, purpose: KeyPurpose): Promise<Buffer> {
    const key = await this.#findKey(tx, user, purpose);
    if (!key) throw new Error(`user ${user.userId} has no ${purpose} key`);
    return key;
  }

  /** Undefined after the key was deleted. Throws `BrokenSeal` when it is not the key of this user. */
  async #findKey(database: Queryable, owner: KeyOwner, purpose: KeyPurpose): Promise<Buffer | undefined> {
    const key = await findUserKey(database, owner, purpose);
    return key && openUserKey(this.#options.vault, key);
  }

  #audit(
    tx: Transaction,
    by: By,
    user: KeyOwner,
    action: string,
    details: { fields?: string[]; isRetained?: boolean },
  ): Promise<void> {
    const { merchantId, userId } = user;
    return recordChange(tx, by, { merchantId, action, subject: `user:${userId}`, details });
  }
}
