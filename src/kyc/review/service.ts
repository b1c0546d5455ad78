/** The verbs of reviewers: read a case and its documents, decide. Every reading of personal data is audited. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { type MerchantId, merchantOfPublicId, publicId } from '../../ids.js';
import type { PersonIndex } from '../../persons/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { caseNotFound, type KycCase, type Part, type PublicReason } from '../cases/case.js';
import { statesAfter } from '../cases/renewal.js';
import { findCaseById, lockCase } from '../cases/store.js';
import { notDecidable, transitionCase } from '../cases/transition.js';
import type { DocumentVault } from '../documents/document-vault.js';
import type { ExposureService } from '../exposure/service.js';
import { openSubmission } from '../submissions/sealed.js';
import { partsOf } from '../submissions/state.js';
import { type DocumentRow, lastSubmission } from '../submissions/store.js';
import { checkNothingFailed, documentExpiry } from './approvable.js';
import { type CaseFile, type CaseFileOptions, checkedDocuments, readCaseFile } from './case-file.js';
import type { CaseRef } from './queue-store.js';
import { saveVerified, withoutRevoked } from './verified.js';

export interface ReviewOptions extends CaseFileOptions {
  readonly documents: DocumentVault;
  /** Management's decisions about politically exposed users. */
  readonly exposures: Pick<ExposureService, 'requireAccepted'>;
  /** Recognises the person across merchants. */
  readonly persons: PersonIndex;
}

export type Decision =
  | { readonly decision: 'approve'; readonly internalReason?: string | undefined }
  | {
      readonly decision: 'reject' | 'revoke';
      /** No new form can follow. */
      readonly isFinal: boolean;
      readonly reasons: readonly PublicReason[];
      readonly internalReason: string | undefined;
    }
  | {
      readonly decision: 'request';
      readonly parts: readonly Part[];
      readonly reasons: readonly PublicReason[];
      readonly internalReason: string | undefined;
    };

/** `version` is that of the case that was read. Absent: the decision is about the case as it is now. */
export type VersionedDecision = Decision & { readonly version?: number | undefined };

export class ReviewService {
  readonly #options: ReviewOptions;

  constructor(options: ReviewOptions) {
    this.#options = options;
  }

  /** Also each of its hits is audited. Throws `kyc_case_not_found`. */
  async look(tx: Transaction, by: By, caseId: string): Promise<CaseFile> {
    const kycCase = await this.#find(tx, caseId);
    await this.#auditLook(tx, by, kycCase, 'kyc.case_looked_at', {});
    return readCaseFile(tx, by, kycCase, this.#options);
  }

  /** Audits the reading before the first byte is sent. Throws `kyc_case_not_found` or `kyc_document_not_found`. */
  async lookAtDocument(tx: Transaction, by: By, caseId: string, documentId: string): Promise<CaseDocument> {
    const kycCase = await this.#find(tx, caseId);
    const key = await this.#options.users.retainedKey(tx, kycCase.merchantId, kycCase.userId);
    const documents = key ? await checkedDocuments(tx, kycCase, key) : [];
    const document = documents.find((row) => row.document_id === documentId);
    if (!key || !document) throw documentNotFound();
    await this.#auditLook(tx, by, kycCase, 'kyc.document_looked_at', { documentId });
    return { kycCase, document, key };
  }

  readDocument(database: Queryable, { kycCase, document, key }: CaseDocument): AsyncIterable<Buffer> {
    const { merchantId, caseId, userId } = kycCase;
    const place = { merchantId, caseId, userId, documentId: document.document_id };
    return this.#options.documents.read(database, place, key);
  }

  /** Throws `kyc_case_not_found` when the id is not that of a case. */
  async merchantOf(caseId: string): Promise<MerchantId> {
    return refOf(caseId).merchantId;
  }

  /** Throws as `decide` does. */
  async decideAsOperator(tx: Transaction, by: By, caseId: string, decision: VersionedDecision): Promise<KycCase> {
    return this.decide(tx, by, refOf(caseId), decision);
  }

  /**
   * Of two decisions at once the first wins. Throws `kyc_case_not_found`, `kyc_case_not_decidable` when the state of
   * the case does not allow the decision, `version_conflict`, `kyc_document_expired`, `kyc_case_has_hits` when an
   * approval meets an open or confirmed hit, `kyc_case_needs_management`, and `invalid_fields` when `parts` or the
   * reason is wrong.
   */
  async decide(tx: Transaction, by: By, ref: CaseRef, decision: VersionedDecision): Promise<KycCase> {
    const kycCase = await lockDecidable(tx, ref, decision);
    const key = await this.#options.users.retainedKey(tx, kycCase.merchantId, kycCase.userId);
    if (!key) throw notDecidable(kycCase);
    const { internalReason } = decision;
    const internal = internalReason === undefined ? {} : { internal: { reason: internalReason, key } };
    if (decision.decision === 'approve') {
      await this.#checkNoHits(tx, by, kycCase);
      const submission = await lastSubmission(tx, kycCase);
      if (by.actor.kind === 'operator') {
        if (internalReason === undefined) checkNothingFailed(submission);
        const hits = await this.#options.hits.listOf(tx, kycCase.merchantId, kycCase.userId);
        await this.#options.exposures.requireAccepted(tx, kycCase, submission?.checks ?? [], hits);
      }
      const documentExpiresOn = await documentExpiry(tx, kycCase, key, submission);
      const approved = await transitionCase(tx, by, kycCase, 'approve', { ...internal, documentExpiresOn });
      // A merchant of the sandbox approves what it likes.
      if (by.actor.kind === 'operator' && submission)
        await saveVerified(tx, this.#options.persons, approved, openSubmission(key, kycCase, submission));
      return approved;
    }
    const { reasons } = decision;
    if (decision.decision !== 'request') {
      const { isFinal } = decision;
      const ended = await transitionCase(tx, by, kycCase, decision.decision, { ...internal, reasons, isFinal });
      if (decision.decision === 'revoke') await withoutRevoked(tx, this.#options.persons, kycCase, key);
      return ended;
    }
    checkParts(kycCase, decision.parts);
    return transitionCase(tx, by, kycCase, 'request', { ...internal, reasons, parts: decision.parts });
  }

  /** Audits an attempt to decide a case that was already decided. */
  async recordRefusedDecision(tx: Transaction, by: By, caseId: string, decision: Decision['decision']): Promise<void> {
    const kycCase = await this.#find(tx, caseId);
    await recordChange(tx, by, {
      merchantId: kycCase.merchantId,
      action: `kyc.${decision}_refused`,
      subject: `kyc:${kycCase.caseId}`,
      fromState: kycCase.state,
    });
  }

  /** The lock of the case keeps new hits out. A merchant, who may decide in the sandbox, is not told of any. */
  async #checkNoHits(tx: Transaction, by: By, kycCase: KycCase): Promise<void> {
    const hits = await this.#options.hits.listBlocking(tx, kycCase.merchantId, kycCase.userId);
    if (hits.length === 0) return;
    if (by.actor.kind !== 'operator') throw notDecidable(kycCase);
    throw new RemesaError('conflict', 'kyc_case_has_hits', 'The user has screening hits that are open or confirmed.', {
      members: { hits: hits.map(({ hitId }) => hitId) },
    });
  }

  async #find(database: Queryable, caseId: string): Promise<KycCase> {
    const kycCase = await findCaseById(database, refOf(caseId).merchantId, caseId);
    if (!kycCase) throw caseNotFound();
    return kycCase;
  }

  #auditLook(
    tx: Transaction,
    by: By,
    kycCase: KycCase,
    action: string,
    details: Readonly<Record<string, string>>,
  ): Promise<void> {
    const subject = `kyc:${kycCase.caseId}`;
    return recordChange(tx, by, { merchantId: kycCase.merchantId, action, subject, details });
  }
}

/** The id of a case names its merchant. */
function refOf(caseId: string): CaseRef {
  const id = publicId('kyc', caseId);
  const merchantId = id && merchantOfPublicId(id);
  if (!id || !merchantId) throw caseNotFound();
  return { merchantId, caseId: id };
}

export interface CaseDocument {
  readonly kycCase: KycCase;
  readonly document: DocumentRow;
  readonly key: Buffer;
}

function checkParts(kycCase: KycCase, parts: readonly Part[]): void {
  const allowed = partsOf(kycCase.level, kycCase.zone);
  if (parts.every((part) => allowed.includes(part))) return;
  const message = `must be parts of ${kycCase.level} in ${kycCase.zone}`;
  throw new RemesaError('invalid', 'invalid_fields', `parts: ${message}`, {
    errors: [{ field: 'parts', code: 'not_allowed', message, allowed }],
  });
}

async function lockDecidable(
  tx: Transaction,
  ref: CaseRef,
  { decision, version }: VersionedDecision,
): Promise<KycCase> {
  const kycCase = await lockCase(tx, ref.merchantId, ref.caseId);
  if (!kycCase) throw caseNotFound();
  if (kycCase.isClosed || !statesAfter(kycCase, decision)) throw notDecidable(kycCase);
  if (version !== undefined && version !== kycCase.version) throw changedSinceRead(kycCase);
  return kycCase;
}

function changedSinceRead({ version }: KycCase): RemesaError {
  const members = { version };
  return new RemesaError('conflict', 'version_conflict', 'The case has changed since you read it.', { members });
}

function documentNotFound(): RemesaError {
  return new RemesaError('not_found', 'kyc_document_not_found', 'There is no such document.');
}
