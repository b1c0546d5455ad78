/** The verbs of cases: open a form, list levels and cases, react when a user changes or is deleted. */
import type { By, SelectedUser } from '../caller.js';
import { RemesaError, userNotFound } from '../errors.js';
import { hashLinkToken, newLinkToken } from '../hosted-pages/link-token.js';
import { type MerchantId, newMerchantPublicId, type UserId } from '../ids.js';
import type { Locale } from '../locale.js';
import type { Account } from '../persons/service.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import type { ProfileField } from '../users/user.js';
import {
  caseNotFound,
  type KycCase,
  type KycLevel,
  levelsUpTo,
  type Part,
  progressOf,
  type Zone,
} from './cases/case.js';
import { isExpired, isRenewable, isUnderWay } from './cases/renewal.js';
import * as store from './cases/store.js';
import { notDecidable, recordTransition, transitionCase } from './cases/transition.js';
import { zoneOf } from './cases/zones.js';
import type { DocumentVault } from './documents/document-vault.js';
import { deleteAcceptances } from './exposure/store.js';
import { listHeldLevels, listHoldersAfter } from './hits/people-store.js';
import type { HitService } from './hits/service.js';
import { deleteEntered, deleteSubmitted, listDocumentsToDelete } from './submissions/erasure-store.js';
import { addFormToken, deleteFormTokens, expireWriteTokens } from './submissions/form-token-store.js';
import { partsOf } from './submissions/state.js';

export interface KycOptions {
  readonly users: UserService;
  readonly documents: DocumentVault;
  readonly hits: HitService;
}

export interface FormRequest {
  readonly merchantId: MerchantId;
  readonly user: SelectedUser;
  readonly level: KycLevel;
  readonly zone: Zone;
  readonly locale?: Locale | undefined;
  readonly redirectUrl?: string | undefined;
}

export type OpenedForm =
  | { readonly kind: 'open'; readonly kycCase: KycCase; readonly token: string; readonly expiresAt: Date }
  /** There is nothing to fill in: the level is held, waits for a decision, or was finally rejected. */
  | { readonly kind: 'held' | 'submitted' | 'refused'; readonly kycCase: KycCase };

const nameFields: readonly ProfileField[] = ['firstName', 'lastName'];

export class KycService {
  readonly #options: KycOptions;

  constructor(options: KycOptions) {
    this.#options = options;
  }

  /** The levels that the user holds now, lowest first. A level includes the lower ones. */
  async levels(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<KycLevel[]> {
    const [highest] = await store.listHeldCases(database, merchantId, userId);
    return highest ? [...levelsUpTo(highest.level)] : [];
  }

  /** The highest level that each of the users holds now. Users without one are left out. */
  highestLevels(
    database: Queryable,
    merchantId: MerchantId,
    userIds: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, KycLevel>> {
    return listHeldLevels(database, merchantId, userIds);
  }

  /** Who holds a level, merchant by merchant, after this place. */
  listHolders(
    database: Queryable,
    after: { readonly merchantId: bigint; readonly userId: bigint },
    limit: number,
  ): Promise<Account[]> {
    return listHoldersAfter(database, after, limit);
  }

  listCases(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<KycCase[]> {
    return store.listCasesOfUser(database, merchantId, userId);
  }

  /** Finds a case of the merchant, or of one user when `userId` is given. Throws `kyc_case_not_found`. */
  async findCase(
    database: Queryable,
    merchantId: MerchantId,
    caseId: string,
    userId: UserId | undefined,
  ): Promise<KycCase> {
    const found = await store.findCaseById(database, merchantId, caseId);
    const isAnothers = userId !== undefined && found?.userId !== userId;
    if (!found || isAnothers || found.isClosed) throw caseNotFound();
    return found;
  }

  /**
   * Opens the case if there is none, or the renewal of a level that ends soon, and makes a form token for it. Throws
   * `user_not_found` and `zone_country_mismatch`.
   */
  async openForm(tx: Transaction, by: By, request: FormRequest): Promise<OpenedForm> {
    const { kind, kycCase } = await this.#openCase(tx, by, request);
    if (kind !== 'open') return { kind, kycCase };
    const token = newLinkToken(request.merchantId);
    const tokenHash = hashLinkToken(token);
    const { locale, redirectUrl } = request;
    const expiresAt = await addFormToken(tx, kycCase, { purpose: 'write', tokenHash, locale, redirectUrl });
    return { kind: 'open', kycCase, token, expiresAt };
  }

  /**
   * Approves a level without a form, for the sandbox. The case goes through the same states as with one. Throws
   * `user_not_found`, and `kyc_case_not_decidable` when the user was finally rejected or has screening hits.
   */
  async simulateApproval(
    tx: Transaction,
    by: By,
    request: Pick<FormRequest, 'merchantId' | 'user' | 'level'>,
  ): Promise<void> {
    const { merchantId, user } = request;
    const zone = await this.#zoneOfUser(tx, merchantId, user.id);
    const { kind, kycCase } = await this.#openCase(tx, by, { ...request, zone });
    if (kind === 'held') return;
    const hits = await this.#options.hits.listBlocking(tx, merchantId, user.id);
    if (kind === 'refused' || hits.length > 0) throw notDecidable(kycCase);
    const submitted = kind === 'open' ? await transitionCase(tx, by, kycCase, 'submit') : kycCase;
    const isInReview = progressOf(submitted).state === 'IN_REVIEW';
    await transitionCase(tx, by, submitted, isInReview ? 'approve' : 'approve_automatically');
  }

  /**
   * The user has filled in the form and a person must decide, for the sandbox. Throws as `simulateApproval` does, also
   * when the level is held already.
   */
  async simulateSubmission(
    tx: Transaction,
    by: By,
    request: Pick<FormRequest, 'merchantId' | 'user' | 'level'>,
  ): Promise<KycCase> {
    const zone = await this.#zoneOfUser(tx, request.merchantId, request.user.id);
    const { kind, kycCase } = await this.#openCase(tx, by, { ...request, zone });
    if (kind !== 'open') throw notDecidable(kycCase);
    return transitionCase(tx, by, await transitionCase(tx, by, kycCase, 'submit'), 'refer');
  }

  /** Reopens approved cases, because they rest on the old name or address. A new country also ends all form links. */
  async identityChanged(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
    fields: readonly ProfileField[],
  ): Promise<void> {
    for (const kycCase of await store.lockCasesOfUser(tx, merchantId, userId)) {
      if (kycCase.state !== 'APPROVED') continue;
      const by: By = { actor: { kind: 'system', name: 'identity change' } };
      // Steps of an unfinished renewal may hold new answers that nobody has submitted: everything is asked again.
      const { level, zone, renewal } = kycCase;
      const parts = isUnderWay(renewal) ? partsOf(level, zone) : partsToAskAgain(level, fields);
      await transitionCase(tx, by, kycCase, 'identity_changed', { reasons: ['mismatch'], parts });
    }
    if (fields.includes('countryCode')) await expireWriteTokens(tx, merchantId, userId);
  }

  /** Ends all form links and deletes what was not submitted. The law requires submissions and hits to be kept. */
  async erase(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<{ mustRetain: boolean }> {
    const cases = await store.lockCasesOfUser(tx, merchantId, userId);
    const hasHits = await this.#options.hits.has(tx, merchantId, userId);
    const mustRetain = hasHits || cases.some((kycCase) => kycCase.submittedAt !== undefined);
    await deleteFormTokens(tx, merchantId, userId);
    await this.#forget(tx, merchantId, userId, { submittedToo: !mustRetain });
    await store.closeCasesOfUser(tx, merchantId, userId);
    return { mustRetain };
  }

  /** Deletes submissions when the retention period is over. Their keys were destroyed before. */
  async retentionEnded(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    await this.#forget(tx, merchantId, userId, { submittedToo: true });
  }

  async #forget(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
    which: { readonly submittedToo: boolean },
  ): Promise<void> {
    await deleteEntered(tx, merchantId, userId);
    for (const document of await listDocumentsToDelete(tx, merchantId, userId, which)) {
      await this.#options.documents.discard(tx, { merchantId, userId, ...document });
    }
    if (!which.submittedToo) return;
    await deleteSubmitted(tx, merchantId, userId);
    await this.#options.hits.forget(tx, merchantId, userId);
    await deleteAcceptances(tx, merchantId, userId);
  }

  /** Throws `user_not_found` and `zone_country_mismatch`. */
  async #openCase(
    tx: Transaction,
    by: By,
    request: FormRequest,
  ): Promise<{ readonly kind: OpenedForm['kind']; readonly kycCase: KycCase }> {
    const { merchantId, user, level, zone } = request;
    if (!(await this.#options.users.hold(tx, merchantId, user.id))) throw userNotFound();
    await this.#checkZone(tx, merchantId, user.id, zone);
    const now = await readMerchantClock(tx, merchantId);
    const held = await store.listHeldCases(tx, merchantId, user.id);
    const lasting = held.find((kycCase) => levelsUpTo(kycCase.level).includes(level) && !isRenewable(kycCase, now));
    if (lasting) return { kind: 'held', kycCase: lasting };
    const found = await this.#findOrMake(tx, by, request);
    const kycCase = await this.#reopened(tx, by, found, now);
    const { state } = progressOf(kycCase);
    if (state === 'PENDING' || state === 'ACTION_REQUIRED') return { kind: 'open', kycCase };
    const isRefused = state === 'REJECTED' || state === 'REVOKED';
    return { kind: isRefused ? 'refused' : 'submitted', kycCase };
  }

  async #checkZone(tx: Transaction, merchantId: MerchantId, userId: UserId, zone: Zone): Promise<void> {
    const userZone = await this.#zoneOfUser(tx, merchantId, userId);
    if (userZone === zone) return;
    throw new RemesaError('impossible', 'zone_country_mismatch', `The user's country is not in the zone ${zone}.`, {
      members: { zone, userZone },
    });
  }

  async #zoneOfUser(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<Zone> {
    const profile = await this.#options.users.profile(tx, merchantId, userId);
    const zone = profile && zoneOf(profile.countryCode);
    if (!zone) throw userNotFound();
    return zone;
  }

  async #findOrMake(tx: Transaction, by: By, request: FormRequest): Promise<KycCase> {
    const { merchantId, level, zone } = request;
    const userId = request.user.id;
    const found = await store.lockCaseOfUser(tx, merchantId, userId, level, zone);
    if (found) return found;
    const caseId = newMerchantPublicId('kyc', merchantId);
    const added = await store.addCase(tx, { merchantId, caseId, userId, level, zone });
    if (added) {
      await recordTransition(tx, by, { before: undefined, after: added, move: 'open' });
      return added;
    }
    // Another request added it in the meantime.
    const concurrent = await store.lockCaseOfUser(tx, merchantId, userId, level, zone);
    if (!concurrent) throw new Error('a case neither exists nor can be added');
    return concurrent;
  }

  /** Starts again after a rejection that was not final and after an expiry, and starts or restarts a renewal. */
  async #reopened(tx: Transaction, by: By, kycCase: KycCase, now: Date): Promise<KycCase> {
    if (isExpired(kycCase, now)) {
      // The job that expires approvals has not reached this one yet.
      const expiry: By = { actor: { kind: 'system', name: 'expiry' } };
      return this.#reopened(tx, by, await transitionCase(tx, expiry, kycCase, 'expire'), now);
    }
    const { state, renewal } = kycCase;
    if (isUnderWay(renewal) || progressOf(kycCase).isFinal) return kycCase;
    if (state === 'APPROVED' && !renewal) return transitionCase(tx, by, kycCase, 'open');
    const canReopen = state === 'APPROVED' || state === 'EXPIRED' || state === 'REJECTED';
    return canReopen ? transitionCase(tx, by, kycCase, 'reopen') : kycCase;
  }
}

export function partsToAskAgain(level: KycLevel, fields: readonly ProfileField[]): Part[] {
  const isNameChanged = fields.some((field) => nameFields.includes(field));
  const isAddressChanged = fields.some((field) => !nameFields.includes(field));
  return [
    ...(isNameChanged ? (['person'] as const) : []),
    ...(isAddressChanged ? (['address'] as const) : []),
    ...(isNameChanged && level !== 'LEVEL_1' ? (['document'] as const) : []),
    ...(isAddressChanged && level === 'LEVEL_3' ? (['proofOfAddress'] as const) : []),
  ];
}
