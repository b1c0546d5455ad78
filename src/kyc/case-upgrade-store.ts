/** SQL of the upgrade of cases that are sealed in format 1, merchant by merchant. */
import { type MerchantId, merchantId, type PublicId, userId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { StoredDocument } from './documents/document-vault.js';
import type { QuestionId } from './requirements.js';
import type { CaseRef, SealedStep, SubmissionColumns } from './sealed.js';

const findMerchant = statement(
  'case-upgrade-store.find-merchant',
  'SELECT merchant_id FROM kyc_cases WHERE sealing = 1 ORDER BY merchant_id LIMIT 1',
).rows<{ merchant_id: bigint }>();
const lockCases = statement(
  'case-upgrade-store.lock-cases',
  `SELECT case_id, user_id FROM kyc_cases
    WHERE merchant_id = $merchantId AND sealing = 1 ORDER BY case_id LIMIT $limit FOR UPDATE`,
).rows<{ case_id: string; user_id: bigint }>();
const listSubmissions = statement(
  'case-upgrade-store.list-submissions',
  `SELECT version, consent_version, document_ids, sealed_answers FROM kyc_submissions
    WHERE merchant_id = $merchantId AND case_id = $caseId`,
).rows<{
  version: number;
  consent_version: string;
  document_ids: string[];
  sealed_answers: Buffer;
}>();
const listDocuments = statement(
  'case-upgrade-store.list-documents',
  `SELECT document_id, question, media_type, bytes FROM kyc_documents
     WHERE merchant_id = $merchantId AND case_id = $caseId`,
).rows<{
  document_id: string;
  question: QuestionId;
  media_type: string;
  bytes: number;
}>();
const updateAnswers = statement(
  'case-upgrade-store.save-answers',
  `UPDATE kyc_answers SET sealed_answers = $sealedAnswers
     WHERE merchant_id = $merchantId AND case_id = $caseId AND step = $step`,
);
const updateSubmission = statement(
  'case-upgrade-store.save-submission',
  `UPDATE kyc_submissions SET sealed_answers = $sealedAnswers
     WHERE merchant_id = $merchantId AND case_id = $caseId AND version = $version`,
);
const updateDocument = statement(
  'case-upgrade-store.save-document',
  `UPDATE kyc_documents SET seal = $seal
     WHERE merchant_id = $merchantId AND case_id = $caseId AND document_id = $documentId`,
);
const finishCase = statement(
  'case-upgrade-store.finish-case',
  `UPDATE kyc_cases SET sealing = 2, answers_seal = $answersSeal
     WHERE merchant_id = $merchantId AND case_id = $caseId`,
);

/** Returns a merchant with cases in format 1, or undefined when none is left. */
export async function findMerchantToUpgrade(database: Queryable): Promise<MerchantId | undefined> {
  const [row] = await database.query(findMerchant);
  return row && merchantId(row.merchant_id);
}

export async function lockFirstFormatCases(
  tx: Transaction,
  merchant: MerchantId,
  atMost: number,
): Promise<CaseRef[]> {
  return (await tx.query(lockCases, { merchantId: merchant, limit: atMost })).map((row) => ({
    merchantId: merchant,
    caseId: row.case_id as PublicId<'kyc'>,
    userId: userId(row.user_id),
  }));
}

export async function listSubmissionsOf(
  tx: Transaction,
  kycCase: CaseRef,
): Promise<(SubmissionColumns & { readonly sealedAnswers: Buffer })[]> {
  return (await tx.query(listSubmissions, kycCase)).map((row) => ({
    version: row.version,
    consentVersion: row.consent_version,
    documentIds: row.document_ids,
    sealedAnswers: row.sealed_answers,
  }));
}

export async function listDocumentsOf(tx: Transaction, kycCase: CaseRef): Promise<StoredDocument[]> {
  return (await tx.query(listDocuments, kycCase)).map((row) => ({
    documentId: row.document_id,
    question: row.question,
    mediaType: row.media_type,
    bytes: row.bytes,
  }));
}

export async function saveUpgradedStep(tx: Transaction, kycCase: CaseRef, step: SealedStep): Promise<void> {
  await tx.query(updateAnswers, {
    merchantId: kycCase.merchantId,
    caseId: kycCase.caseId,
    step: step.step,
    sealedAnswers: step.sealedAnswers,
  });
}

export async function saveUpgradedSubmission(
  tx: Transaction,
  kycCase: CaseRef,
  version: number,
  sealedAnswers: Buffer,
): Promise<void> {
  await tx.query(updateSubmission, {
    merchantId: kycCase.merchantId,
    caseId: kycCase.caseId,
    version,
    sealedAnswers,
  });
}

export async function saveDocumentSeal(
  tx: Transaction,
  kycCase: CaseRef,
  documentId: string,
  seal: Buffer,
): Promise<void> {
  await tx.query(updateDocument, {
    merchantId: kycCase.merchantId,
    caseId: kycCase.caseId,
    documentId,
    seal,
  });
}

export async function finishUpgradedCase(
  tx: Transaction,
  kycCase: CaseRef,
  answersSeal: Buffer | null,
): Promise<void> {
  await tx.query(finishCase, { merchantId: kycCase.merchantId, caseId: kycCase.caseId, answersSeal });
}
