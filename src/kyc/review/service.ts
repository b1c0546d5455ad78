/** The verbs of those who decide: look through the queue, look at a case, decide. Every look at a person is audited. */
import { recordAudit } from '../../audit/service.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { KycCase, Part, PublicReason } from '../case.js';
import type { DocumentVault } from '../documents/document-vault.js';
import { partsOf } from '../form/state.js';
import {
  type DocumentRow,
  lastSubmission,
  listSubmittedDocuments,
  merchantToday,
  type Submission,
} from '../form/store.js';
import type { Answers } from '../requirements.js';
import { checkDocument, openReason, openSubmission } from '../sealed.js';
import { caseNotFound } from '../service.js';
import { findCaseById, type HistoryRow, listCaseHistory, lockCase } from '../store.js';
import { type By, notDecidable, transitionCase } from '../transition.js';
import { stateAfter } from '../transitions.js';
import { findMerchantOfCase } from './queue-store.js';

export interface ReviewOptions {
  readonly users: UserService;
  readonly documents: DocumentVault;
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

export interface CaseFile {
  readonly kycCase: KycCase;
  /** Undefined when nothing was submitted, or the key is gone and with it what was. */
  readonly answers: Answers | undefined;
  readonly submission: Submission | undefined;
  readonly documents: readonly DocumentRow[];
  readonly history: readonly (HistoryRow & { readonly internalReason: string | undefined })[];
}

export class ReviewService {
  constructor(readonly options: ReviewOptions) {}

  async look(tx: Transaction, by: By, caseId: string): Promise<CaseFile> {
    const kycCase = await this.#find(tx, caseId);
    const key = await this.options.users.retainedKey(tx, kycCase.merchantId, kycCase.userId);
    const submission = await lastSubmission(tx, kycCase);
    const history = await listCaseHistory(tx, kycCase);
    await this.#auditLook(tx, by, kycCase, 'kyc.case_looked_at', {});
    return {
      kycCase,
      submission,
      answers: key && submission && openSubmission(key, kycCase, submission),
      documents: key ? await checkedDocuments(tx, kycCase, key) : [],
      history: history.map((row) => ({ ...row, internalReason: key && internalReasonOf(key, kycCase, row) })),
    };
  }

  /** The look is audited before the first byte leaves. */
  async lookAtDocument(tx: Transaction, by: By, caseId: string, documentId: string): Promise<CaseDocument> {
    const kycCase = await this.#find(tx, caseId);
    const key = await this.options.users.retainedKey(tx, kycCase.merchantId, kycCase.userId);
    const documents = key ? await checkedDocuments(tx, kycCase, key) : [];
    const document = documents.find((row) => row.document_id === documentId);
    if (!key || !document) throw documentNotFound();
    await this.#auditLook(tx, by, kycCase, 'kyc.document_looked_at', { documentId });
    return { kycCase, document, key };
  }

  readDocument(database: Queryable, { kycCase, document, key }: CaseDocument): AsyncIterable<Buffer> {
    const { merchantId, caseId, userId } = kycCase;
    const place = { merchantId, caseId, userId, documentId: document.document_id };
    return this.options.documents.read(database, place, key);
  }

  /** Of two at once one wins; the other finds the case decided. `merchantId`: only a case of that merchant. */
  async decide(
    tx: Transaction,
    by: By,
    caseId: string,
    decision: Decision,
    merchantId?: MerchantId,
  ): Promise<KycCase> {
    const owner = merchantId ?? (await findMerchantOfCase(tx, caseId));
    const kycCase = owner && (await lockCase(tx, owner, caseId));
    if (!kycCase) throw caseNotFound();
    if (kycCase.isClosed || !stateAfter(kycCase.state, decision.decision)) throw notDecidable(kycCase);
    const key = await this.options.users.retainedKey(tx, kycCase.merchantId, kycCase.userId);
    if (!key) throw notDecidable(kycCase);
    const { internalReason } = decision;
    const internal = internalReason === undefined ? {} : { internal: { reason: internalReason, key } };
    if (decision.decision === 'approve') {
      const documentExpiresOn = await this.#documentExpiry(tx, kycCase, key);
      return transitionCase(tx, by, kycCase, 'approve', { ...internal, documentExpiresOn });
    }
    const { reasons } = decision;
    if (decision.decision !== 'request') {
      const { isFinal } = decision;
      return transitionCase(tx, by, kycCase, decision.decision, { ...internal, reasons, isFinal });
    }
    checkParts(kycCase, decision.parts);
    return transitionCase(tx, by, kycCase, 'request', { ...internal, reasons, parts: decision.parts });
  }

  /** Kept also when nothing came of it: who tried to decide what was decided already. */
  async noteRefusedDecision(
    tx: Transaction,
    by: By,
    caseId: string,
    decision: Decision['decision'],
  ): Promise<void> {
    const kycCase = await this.#find(tx, caseId);
    await recordAudit(tx, {
      ...by,
      action: `kyc.${decision}_refused`,
      subject: `kyc:${kycCase.caseId}`,
      merchantId: kycCase.merchantId,
      fromState: kycCase.state,
    });
  }

  async #documentExpiry(tx: Transaction, kycCase: KycCase, key: Buffer): Promise<string | undefined> {
    const submission = await lastSubmission(tx, kycCase);
    if (!submission) return undefined;
    const { documentExpiresOn } = openSubmission(key, kycCase, submission);
    if (
      documentExpiresOn !== undefined &&
      documentExpiresOn < (await merchantToday(tx, kycCase.merchantId))
    ) {
      throw new RemesaError(
        'conflict',
        'kyc_document_expired',
        'The identity document has expired; ask for another one.',
      );
    }
    return documentExpiresOn;
  }

  async #find(database: Queryable, caseId: string): Promise<KycCase> {
    const owner = await findMerchantOfCase(database, caseId);
    const kycCase = owner && (await findCaseById(database, owner, caseId));
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
    return recordAudit(tx, { ...by, action, subject, merchantId: kycCase.merchantId, details });
  }
}

export interface CaseDocument {
  readonly kycCase: KycCase;
  readonly document: DocumentRow;
  readonly key: Buffer;
}

/** Throws when a document was uploaded for another question or as another type than its row says. */
async function checkedDocuments(tx: Transaction, kycCase: KycCase, key: Buffer): Promise<DocumentRow[]> {
  const rows = await listSubmittedDocuments(tx, kycCase);
  for (const { document_id: documentId, question, media_type: mediaType, bytes, seal } of rows) {
    checkDocument(key, kycCase, { documentId, question, mediaType, bytes, seal });
  }
  return rows;
}

function internalReasonOf(key: Buffer, kycCase: KycCase, row: HistoryRow): string | undefined {
  const { version, sealed_internal_reason: sealed } = row;
  return sealed === null ? undefined : openReason(key, kycCase, version, sealed);
}

function checkParts(kycCase: KycCase, parts: readonly Part[]): void {
  const allowed = partsOf(kycCase.level, kycCase.zone);
  if (parts.every((part) => allowed.includes(part))) return;
  const message = `must be parts of ${kycCase.level} in ${kycCase.zone}`;
  throw new RemesaError('invalid', 'invalid_fields', `parts: ${message}`, {
    errors: [{ field: 'parts', code: 'not_allowed', message, allowed }],
  });
}

function documentNotFound(): RemesaError {
  return new RemesaError('not_found', 'kyc_document_not_found', 'There is no such document.');
}
