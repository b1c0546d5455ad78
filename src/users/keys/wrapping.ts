/** Wraps keys of users by the keys of their groups, which are made when they are first needed. */
import { randomBytes } from 'node:crypto';
import type { BoundKey, KeyVault } from '../../keys/vault.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserRef } from '../user.js';
import {
  addGroupKey,
  areGroupKeysUsed,
  holdNewestGroupKey,
  type KeyGroup,
  type NewestGroupKey,
} from './group-key-store.js';
import {
  type GroupKey,
  groupKeyBinding,
  groupOf,
  type OpenedGroupKey,
  openGroupKey,
  type WrappedUserKey,
  wrapByGroup,
} from './user-key.js';

/** Wraps keys of users of one merchant in a transaction. What wraps them stays valid until the transaction ends. */
export class UserKeyWrapper {
  readonly #groupKeys = new Map<number, HeldGroupKey | undefined>();

  constructor(
    readonly tx: Transaction,
    readonly vault: KeyVault,
  ) {}

  async wrap(user: UserRef, keys: readonly BoundKey[]): Promise<WrappedUserKey[]> {
    const groupKey = await this.groupKeyOf(user);
    if (!groupKey) return wrapByMasterKey(this.tx, this.vault, keys);
    return keys.map((key) => wrapByGroup(groupKey, key));
  }

  /** Undefined as long as the master key itself wraps the keys of users. */
  async groupKeyOf({ merchantId, userId }: UserRef): Promise<HeldGroupKey | undefined> {
    const group = groupOf(userId);
    if (!this.#groupKeys.has(group)) {
      const key = await holdGroupKey(this.tx, this.vault, { merchant: merchantId, group });
      this.#groupKeys.set(group, key && { ...key, opened: openGroupKey(this.vault, merchantId, key) });
    }
    return this.#groupKeys.get(group);
  }
}

interface HeldGroupKey extends OpenedGroupKey, NewestGroupKey {}

/** Returns a new key for the group, wrapped by the active master key, which stays active until the transaction ends. */
export async function newGroupKey(
  tx: Transaction,
  vault: KeyVault,
  { merchant, group }: KeyGroup,
  generation: number,
): Promise<GroupKey> {
  const binding = groupKeyBinding(merchant, { group, generation });
  const [wrapped] = await vault.wrap(tx, [{ key: randomBytes(32), binding }]);
  if (!wrapped) throw new Error('the vault wrapped nothing');
  return { group, generation, ...wrapped };
}

/** Undefined as long as nodes of the previous version, which know no groups, may read what is written. */
async function holdGroupKey(
  tx: Transaction,
  vault: KeyVault,
  place: KeyGroup,
): Promise<NewestGroupKey | undefined> {
  const newest = await holdNewestGroupKey(tx, place);
  if (newest) return newest;
  if (!(await areGroupKeysUsed(tx))) return undefined;
  const first = await newGroupKey(tx, vault, place, 1);
  // A statement that waited for the end of a replacement does not see the new key. The next one does.
  const other = await holdNewestGroupKey(tx, place);
  if (other) return other;
  await addGroupKey(tx, place, first);
  return (await holdNewestGroupKey(tx, place)) ?? missing();
}

async function wrapByMasterKey(
  tx: Transaction,
  vault: KeyVault,
  keys: readonly BoundKey[],
): Promise<WrappedUserKey[]> {
  const wrapped = await vault.wrap(tx, keys);
  return wrapped.map((key) => ({ wrapped: key.wrapped, by: { version: key.version } }));
}

function missing(): never {
  throw new Error('the group has no key');
}
