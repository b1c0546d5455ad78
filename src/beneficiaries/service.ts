/** The verbs of beneficiaries: add, list, get, delete, and what orders and the users room need. */
import { isDeepStrictEqual } from 'node:util';
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { RemesaError, userNotFound } from '../errors.js';
import { type MerchantId, newMerchantPublicId, publicId, type UserId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { type Beneficiary, type BeneficiaryId, type Details, maxBeneficiaries } from './beneficiary.js';
import { hashAccount, openDetails, sealDetails } from './sealed.js';
import * as store from './store.js';
import { readBeneficiary } from './validation.js';

export interface AddedUnlessKnown {
  readonly beneficiary: Beneficiary;
  readonly isAsSubmitted: boolean;
}

interface Asked {
  readonly key: Buffer;
  readonly details: Details;
  readonly accountHash: Buffer;
  readonly existing: store.SealedBeneficiary | undefined;
}

export class BeneficiaryService {
  readonly #users: UserService;

  constructor(users: UserService) {
    this.#users = users;
  }

  /**
   * Adds a beneficiary. An account that the user has already keeps its beneficiary, whose details become the new ones.
   * Throws `invalid_fields`, `user_not_found`, and `too_many_beneficiaries`.
   */
  async save(tx: Transaction, by: By, owner: store.Owner, submitted: unknown): Promise<Beneficiary> {
    const asked = await this.#ask(tx, owner, submitted);
    const { key, details, existing } = asked;
    return existing ? this.#update(tx, by, key, existing, details) : this.#add(tx, by, owner, asked);
  }

  /**
   * Adds a beneficiary whom somebody other than the user has entered. An account that the user has already keeps its
   * details. Throws as `save` does.
   */
  async addUnlessKnown(tx: Transaction, by: By, owner: store.Owner, submitted: unknown): Promise<AddedUnlessKnown> {
    const asked = await this.#ask(tx, owner, submitted);
    const { key, details, existing } = asked;
    const beneficiary = existing ? opened(key, existing) : await this.#add(tx, by, owner, asked);
    return { beneficiary, isAsSubmitted: isDeepStrictEqual(beneficiary.details, details) };
  }

  /** The newest first. */
  async list(database: Queryable, owner: store.Owner): Promise<Beneficiary[]> {
    const sealed = await store.listBeneficiaries(database, owner);
    if (sealed.length === 0) return [];
    const key = await this.#users.beneficiaryKey(database, owner.merchantId, owner.userId);
    // Without a key, the user was erased between the two reads.
    return key ? sealed.map((beneficiary) => opened(key, beneficiary)) : [];
  }

  /** Throws `beneficiary_not_found`, also for a beneficiary of another user. */
  async find(database: Queryable, owner: store.Owner, id: string): Promise<Beneficiary> {
    const sealed = await store.findBeneficiary(database, owner, knownId(id));
    const key = sealed && (await this.#users.beneficiaryKey(database, owner.merchantId, owner.userId));
    if (!sealed || !key) throw notFound();
    return opened(key, sealed);
  }

  /** The details that an order copies. Throws `beneficiary_not_found`. */
  async beneficiaryForOrder(database: Queryable, merchantId: MerchantId, userId: UserId, id: string): Promise<Details> {
    return (await this.find(database, { merchantId, userId }, id)).details;
  }

  /**
   * Reads a beneficiary that is part of an order. Throws `invalid_fields` with names such as `beneficiary.firstName`.
   */
  inlineBeneficiary(submitted: unknown): Details {
    return readBeneficiary(submitted, 'beneficiary.');
  }

  /** Throws `beneficiary_not_found`. Orders keep their copies. */
  async delete(tx: Transaction, by: By, owner: store.Owner, id: string): Promise<void> {
    const beneficiaryId = knownId(id);
    if (!(await store.deleteBeneficiary(tx, owner, beneficiaryId))) throw notFound();
    await audit(tx, by, { ...owner, beneficiaryId }, 'beneficiary.deleted');
  }

  /** Deletes all beneficiaries of a user who is being erased. The users room destroys their key. */
  async erase(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    await store.deleteBeneficiariesOf(tx, { merchantId, userId });
  }

  /** What the user has under the account that was submitted. */
  async #ask(tx: Transaction, owner: store.Owner, submitted: unknown): Promise<Asked> {
    const details = readBeneficiary(submitted);
    // The lock on the user lets two requests with the same account find one another, and makes the count exact.
    const key = await this.#users.lockWithBeneficiaryKey(tx, owner.merchantId, owner.userId);
    if (!key) throw userNotFound();
    const accountHash = hashAccount(key, details);
    return { key, details, accountHash, existing: await store.lockBeneficiaryOfAccount(tx, owner, accountHash) };
  }

  async #add(tx: Transaction, by: By, owner: store.Owner, { key, details, accountHash }: Asked): Promise<Beneficiary> {
    if ((await store.countBeneficiaries(tx, owner)) >= maxBeneficiaries) throw tooMany();
    const beneficiaryId = newMerchantPublicId('ben', owner.merchantId);
    const place = { ...owner, beneficiaryId, accountHash, version: 1 };
    const sealedDetails = sealDetails(key, place, details);
    const added = await store.addBeneficiary(tx, { ...place, sealedDetails });
    await audit(tx, by, added, 'beneficiary.created', describe(details));
    return { ...added, details };
  }

  async #update(
    tx: Transaction,
    by: By,
    key: Buffer,
    existing: store.SealedBeneficiary,
    details: Details,
  ): Promise<Beneficiary> {
    const before = opened(key, existing);
    if (isDeepStrictEqual(before.details, details)) return before;
    const place = { ...existing, version: existing.version + 1 };
    const sealedDetails = sealDetails(key, place, details);
    const changed = await store.replaceDetails(tx, { ...place, sealedDetails });
    await audit(tx, by, changed, 'beneficiary.updated', describe(details));
    return { ...changed, details };
  }
}

function opened(key: Buffer, sealed: store.SealedBeneficiary): Beneficiary {
  return { ...sealed, details: openDetails(key, sealed, sealed.sealedDetails) };
}

function audit(
  tx: Transaction,
  by: By,
  { merchantId, userId, beneficiaryId }: store.Owner & { beneficiaryId: BeneficiaryId },
  action: string,
  about: Readonly<Record<string, string>> = {},
): Promise<void> {
  const subject = `beneficiary:${beneficiaryId}`;
  return recordChange(tx, by, { merchantId, action, subject, details: { userId, ...about } });
}

function describe({ country, currency, method }: Details): Record<string, string> {
  return { country, currency, method };
}

/** Throws `beneficiary_not_found` for a text that cannot be an id. */
function knownId(id: string): BeneficiaryId {
  const known = publicId('ben', id);
  if (!known) throw notFound();
  return known;
}

function notFound(): RemesaError {
  return new RemesaError('not_found', 'beneficiary_not_found', 'There is no such beneficiary.');
}

function tooMany(): RemesaError {
  const message = `The user has ${maxBeneficiaries} beneficiaries already.`;
  return new RemesaError('conflict', 'too_many_beneficiaries', message, {
    members: { max: maxBeneficiaries },
  });
}
