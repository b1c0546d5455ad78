/** SQL on what people enter: steps, attached documents, submissions; always within one case of one merchant. */
import type { MerchantId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type KycCase, progressOf } from '../cases/case.js';
import type { QuestionId, StepId } from '../cases/requirements.js';
import type { Check } from '../checks/check.js';
import type { StoredDocument } from '../documents/document-vault.js';
import type { SealedAnswers, SealedStep, SubmissionColumns } from './sealed.js';

const findToday = statement(
  'submissions.find-today',
  `SELECT to_char(${merchantNow} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today`,
).rows<{ today: string }>();
const updateSeal = statement(
  'submissions.save-answers-seal',
  'UPDATE kyc_cases SET answers_seal = $answersSeal WHERE merchant_id = $merchantId AND case_id = $caseId',
);
const upsertAnswers = statement(
  'submissions.save-answers',
  `INSERT INTO kyc_answers (merchant_id, case_id, step, case_version, sealed_answers)
     VALUES ($merchantId, $caseId, $step, $caseVersion, $sealedAnswers)
   ON CONFLICT (merchant_id, case_id, step) DO UPDATE
     SET case_version = excluded.case_version, sealed_answers = excluded.sealed_answers,
       saved_at = excluded.saved_at`,
);
interface AnswersRow {
  answers_seal: Buffer | null;
  step: StepId | null;
  case_version: number;
  sealed_answers: Buffer;
}
const listAnswers = statement(
  'submissions.list-answers',
  `SELECT c.answers_seal, a.step, a.case_version, a.sealed_answers
     FROM kyc_cases AS c LEFT JOIN kyc_answers AS a ON a.merchant_id = c.merchant_id AND a.case_id = c.case_id
    WHERE c.merchant_id = $merchantId AND c.case_id = $caseId`,
).rows<AnswersRow>();
interface AttachmentRow {
  question: QuestionId;
  document_id: string;
  case_version: number;
  media_type: string;
  bytes: number;
  seal: Buffer;
  is_submitted: boolean;
}
const listAttached = statement(
  'submissions.list-attachments',
  `SELECT a.question, a.document_id, a.case_version, d.media_type, d.bytes, d.seal,
          d.submitted_at IS NOT NULL AS is_submitted
     FROM kyc_attachments AS a JOIN kyc_documents AS d
       ON d.merchant_id = a.merchant_id AND d.case_id = a.case_id AND d.document_id = a.document_id
    WHERE a.merchant_id = $merchantId AND a.case_id = $caseId`,
).rows<AttachmentRow>();
const upsertAttachment = statement(
  'submissions.save-attachment',
  `INSERT INTO kyc_attachments (merchant_id, case_id, question, document_id, case_version)
     VALUES ($merchantId, $caseId, $question, $documentId, $caseVersion)
   ON CONFLICT (merchant_id, case_id, question) DO UPDATE
     SET document_id = excluded.document_id, case_version = excluded.case_version`,
);
const deleteAttachment = statement(
  'submissions.delete-attachment',
  'DELETE FROM kyc_attachments WHERE merchant_id = $merchantId AND case_id = $caseId AND question = $question',
);
const markSubmitted = statement(
  'submissions.mark-submitted-documents',
  `UPDATE kyc_documents SET submitted_at = ${merchantNow}
    WHERE merchant_id = $merchantId AND case_id = $caseId AND document_id = ANY ($documentIds)
      AND submitted_at IS NULL`,
);
const insertSubmission = statement(
  'submissions.insert-submission',
  `INSERT INTO kyc_submissions (merchant_id, case_id, version, sealed_answers, document_ids, checks,
     consent_version,
                                locale, submitted_at)
   SELECT $merchantId, $caseId, $version, $sealedAnswers, $documentIds, '[]', $consentVersion, $locale,
     now.at FROM (SELECT ${merchantNow} AS at) AS now`,
);
const updateChecks = statement(
  'submissions.save-checks',
  `UPDATE kyc_submissions SET checks = $checks
     WHERE merchant_id = $merchantId AND case_id = $caseId AND version = $version`,
);
interface SubmissionRow {
  version: number;
  sealed_answers: Buffer;
  document_ids: string[];
  checks: Check[];
  consent_version: string;
  locale: string;
  submitted_at: Date;
}
const findLastSubmission = statement(
  'submissions.find-last-submission',
  `SELECT version, sealed_answers, document_ids, checks, consent_version, locale, submitted_at FROM kyc_submissions
    WHERE merchant_id = $merchantId AND case_id = $caseId ORDER BY version DESC LIMIT 1`,
).rows<SubmissionRow>();
export interface DocumentRow {
  document_id: string;
  question: QuestionId;
  media_type: string;
  bytes: number;
  seal: Buffer;
  stored_at: Date;
  is_current: boolean;
}
const listSubmitted = statement(
  'submissions.list-submitted-documents',
  `SELECT d.document_id, d.question, d.media_type, d.bytes, d.seal, d.stored_at,
          coalesce(d.document_id = ANY (last.document_ids), false) AS is_current
     FROM kyc_documents AS d LEFT JOIN LATERAL (
       SELECT s.document_ids FROM kyc_submissions AS s
        WHERE s.merchant_id = $merchantId AND s.case_id = $caseId ORDER BY s.version DESC LIMIT 1) AS last ON true
    WHERE d.merchant_id = $merchantId AND d.case_id = $caseId AND d.submitted_at IS NOT NULL
    ORDER BY d.stored_at, d.document_id`,
).rows<DocumentRow>();
const upsertPerson = statement(
  'submissions.save-person',
  `INSERT INTO kyc_persons (merchant_id, case_id, user_id, person_hash)
     VALUES ($merchantId, $caseId, $userId, $personHash)
   ON CONFLICT (merchant_id, case_id) DO UPDATE SET person_hash = excluded.person_hash`,
);
const listSamePerson = statement(
  'submissions.list-same-person',
  `SELECT case_id FROM kyc_persons
     WHERE merchant_id = $merchantId AND person_hash = $personHash AND user_id <> $userId
    ORDER BY case_id LIMIT 20`,
).rows<{ case_id: string }>();
/** The date of the merchant's clock, in UTC. */
export async function merchantToday(database: Queryable, merchant: MerchantId): Promise<string> {
  const [row] = await database.query(findToday, { merchantId: merchant });
  if (!row) throw new Error('the database does not know what day it is');
  return row.today;
}

export async function saveSealedAnswers(
  tx: Transaction,
  kycCase: KycCase,
  { step, caseVersion, sealedAnswers }: SealedStep,
  answersSeal: Buffer,
): Promise<void> {
  const { merchantId, caseId } = kycCase;
  await tx.query(updateSeal, { merchantId, caseId, answersSeal });
  await tx.query(upsertAnswers, { merchantId, caseId, step, caseVersion, sealedAnswers });
}

/** Reads the steps and their seal in one statement, so that they belong together. */
export async function listSealedAnswers(
  database: Queryable,
  { merchantId, caseId }: Pick<KycCase, 'merchantId' | 'caseId'>,
): Promise<SealedAnswers> {
  const rows = await database.query(listAnswers, { merchantId, caseId });
  return {
    answersSeal: rows[0]?.answers_seal ?? null,
    steps: rows.flatMap(({ step, case_version: caseVersion, sealed_answers: sealedAnswers }) =>
      step === null ? [] : [{ step, caseVersion, sealedAnswers }],
    ),
  };
}

export interface Attachment extends StoredDocument {
  readonly seal: Buffer;
  readonly caseVersion: number;
  /** A decision may rest on it, so it is kept when another document replaces it. */
  readonly isSubmitted: boolean;
}

export async function listAttachments(database: Queryable, kycCase: KycCase): Promise<Attachment[]> {
  const rows = await database.query(listAttached, kycCase);
  return rows.map((row) => ({
    question: row.question,
    documentId: row.document_id,
    mediaType: row.media_type,
    bytes: row.bytes,
    seal: row.seal,
    caseVersion: row.case_version,
    isSubmitted: row.is_submitted,
  }));
}

export async function saveAttachment(
  tx: Transaction,
  kycCase: KycCase,
  { question, documentId }: StoredDocument,
): Promise<void> {
  const { merchantId, caseId } = kycCase;
  await tx.query(upsertAttachment, {
    merchantId,
    caseId,
    question,
    documentId,
    caseVersion: progressOf(kycCase).version,
  });
}

export async function dropAttachment(tx: Transaction, kycCase: KycCase, question: QuestionId): Promise<void> {
  await tx.query(deleteAttachment, { merchantId: kycCase.merchantId, caseId: kycCase.caseId, question });
}

export interface NewSubmission {
  readonly sealedAnswers: Buffer;
  readonly documentIds: readonly string[];
  readonly consentVersion: string;
  readonly locale: string;
}

/** The results of the checks are saved with the decision. */
export async function addSubmission(tx: Transaction, kycCase: KycCase, submission: NewSubmission): Promise<void> {
  const { sealedAnswers, documentIds, consentVersion, locale } = submission;
  const { merchantId, caseId } = kycCase;
  const { version } = progressOf(kycCase);
  await tx.query(markSubmitted, { merchantId, caseId, documentIds });
  await tx.query(insertSubmission, {
    merchantId,
    caseId,
    version,
    sealedAnswers,
    documentIds,
    consentVersion,
    locale,
  });
}

/** Saves the checks of the submission under decision, which has the version of the submitted case or renewal. */
export async function saveChecks(tx: Transaction, kycCase: KycCase, checks: readonly Check[]): Promise<void> {
  const { merchantId, caseId } = kycCase;
  const { version } = progressOf(kycCase);
  await tx.query(updateChecks, { merchantId, caseId, version, checks: JSON.stringify(checks) });
}

export interface Submission extends SubmissionColumns {
  readonly sealedAnswers: Buffer;
  readonly checks: readonly Check[];
  readonly locale: string;
  readonly submittedAt: Date;
}

export async function lastSubmission(database: Queryable, kycCase: KycCase): Promise<Submission | undefined> {
  const [row] = await database.query(findLastSubmission, kycCase);
  if (!row) return undefined;
  const { version, checks, locale } = row;
  return {
    version,
    checks,
    locale,
    sealedAnswers: row.sealed_answers,
    documentIds: row.document_ids,
    consentVersion: row.consent_version,
    submittedAt: row.submitted_at,
  };
}

export function listSubmittedDocuments(database: Queryable, kycCase: KycCase): Promise<DocumentRow[]> {
  return database.query(listSubmitted, kycCase);
}

export async function notePerson(tx: Transaction, kycCase: KycCase, personHash: Buffer): Promise<void> {
  await tx.query(upsertPerson, {
    merchantId: kycCase.merchantId,
    caseId: kycCase.caseId,
    userId: kycCase.userId,
    personHash,
  });
}

/** Returns cases of the merchant's other users that were submitted with the same name and birth date. */
export async function listSamePersonCases(
  database: Queryable,
  kycCase: KycCase,
  personHash: Buffer,
): Promise<string[]> {
  const rows = await database.query(listSamePerson, {
    merchantId: kycCase.merchantId,
    personHash,
    userId: kycCase.userId,
  });
  return rows.map((row) => row.case_id);
}
