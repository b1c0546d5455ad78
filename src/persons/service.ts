/**
 * Recognises one natural person behind several users, of one merchant or of several. Merchants and users never see what
 * comes of it: it only decides what operators look at.
 */
import { createHmac } from 'node:crypto';
import type { MerchantId, UserId } from '../ids.js';
import { deriveKey } from '../keys/derive.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { groupsOf } from './grouping.js';
import {
  certainKinds,
  type Identifier,
  identifiersOf,
  type KnownData,
  type MarkKind,
  recognisingKinds,
  userText,
} from './identifier.js';
import * as store from './store.js';

export type { Account } from './store.js';

/** What a person is recognised by, and whether an operator has approved a form that says so. */
export interface Mark {
  readonly digest: Buffer;
  readonly isVerified: boolean;
}

const allSources: readonly store.IdentifierSource[] = ['profile', 'form', 'verified'];

export class PersonIndex {
  readonly #key: Buffer;

  constructor(rootKey: Buffer) {
    this.#key = deriveKey(rootKey, 'person index');
  }

  /** In the transaction that stores the data itself. */
  async save(tx: Transaction, account: store.Account, source: store.IdentifierSource, known: KnownData): Promise<void> {
    if (source === 'profile') await store.deleteIdentifiers(tx, account, ['profile']);
    const identifiers = identifiersOf(known).map(({ kind, text }) => ({ kind, digest: this.digestOf(kind, text) }));
    await store.addIdentifiers(tx, account, source, identifiers);
  }

  /** When nothing of the user is kept any more. */
  forget(tx: Transaction, account: store.Account): Promise<void> {
    return store.deleteIdentifiers(tx, account, allSources);
  }

  /** In the transaction that takes an approval back. What other approved forms say is saved again. */
  forgetVerified(tx: Transaction, account: store.Account): Promise<void> {
    return store.deleteIdentifiers(tx, account, ['verified']);
  }

  /** Whether there is such a user, of whom something is known. */
  isKnown(database: Queryable, account: store.Account): Promise<boolean> {
    return store.isKnown(database, account);
  }

  /**
   * Every account of the person behind each of these users of one merchant: the user's own first, then those that share
   * a document, a national number, or name and birth date with it. Most of it is only claimed: it may send money to a
   * review, and freezes nothing.
   */
  async accountsOf(
    database: Queryable,
    merchantId: MerchantId,
    userIds: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, readonly store.Account[]>> {
    const others = await store.listOtherAccounts(database, merchantId, userIds, {
      kinds: recognisingKinds,
      sources: allSources,
    });
    return new Map(
      userIds.map((userId) => [
        userId,
        [{ merchantId, userId }, ...others.filter(({ of }) => of === userId).map(({ account }) => account)],
      ]),
    );
  }

  /** The other accounts of the person behind this user, where approved forms of both say so. */
  async verifiedAccountsOf(database: Queryable, account: store.Account): Promise<readonly store.Account[]> {
    const { merchantId, userId } = account;
    const others = await store.listOtherAccounts(database, merchantId, [userId], {
      kinds: certainKinds,
      sources: ['verified'],
    });
    return others.map((other) => other.account);
  }

  /** A name of the person behind each of these accounts, by `userText`: equal for those who are one person. */
  async groupsOf(database: Queryable, accounts: readonly store.Account[]): Promise<ReadonlyMap<string, string>> {
    const known = await store.listKnownOf(database, accounts);
    const groups = groupsOf(known.map(({ account, digest }) => ({ user: userText(account), digest })));
    const names = accounts.map(userText);
    return new Map(names.map((name) => [name, groups.get(name) ?? name]));
  }

  /** The accounts of whom all of these are known. */
  find(database: Queryable, identifiers: readonly Identifier[]): Promise<readonly store.Account[]> {
    const digests = identifiers.map(({ kind, text }) => this.digestOf(kind, text));
    return store.listAccountsByDigests(database, digests);
  }

  /** By what a person is recognised: the user, and the documents, numbers and name that were entered. */
  async marksOf(database: Queryable, account: store.Account): Promise<Mark[]> {
    const known = await store.listRecognisingDigests(database, account);
    return [{ digest: this.digestOf('user', userText(account)), isVerified: true }, ...known];
  }

  /** Equal texts of different kinds have different digests. */
  digestOf(kind: MarkKind, text: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([kind, text]))
      .digest();
  }
}
