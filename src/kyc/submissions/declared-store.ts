/** SQL on everything that a user has submitted, closed cases included. */
import { type MerchantId, storedPublicId, type UserId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { CaseRef } from '../cases/sealed.js';
import type { SubmissionColumns } from './sealed.js';

const listAll = statement(
  'declared-store.list-submissions',
  `SELECT kyc_case.case_id, submission.version, submission.sealed_answers, submission.document_ids,
          submission.consent_version
     FROM kyc_cases AS kyc_case
     JOIN kyc_submissions AS submission
       ON submission.merchant_id = kyc_case.merchant_id AND submission.case_id = kyc_case.case_id
    WHERE kyc_case.merchant_id = $merchantId AND kyc_case.user_id = $userId
    ORDER BY kyc_case.submitted_at DESC NULLS LAST, kyc_case.case_id, submission.version DESC LIMIT 100`,
).rows<{ case_id: string; version: number; sealed_answers: Buffer; document_ids: string[]; consent_version: string }>();

export interface StoredSubmission extends SubmissionColumns {
  readonly kycCase: CaseRef;
  readonly sealedAnswers: Buffer;
}

/** The newest first. */
export async function listAllSubmissions(
  database: Queryable,
  merchantId: MerchantId,
  userId: UserId,
): Promise<StoredSubmission[]> {
  const rows = await database.query(listAll, { merchantId, userId });
  return rows.map((row) => ({
    kycCase: { merchantId, caseId: storedPublicId('kyc', row.case_id), userId },
    version: row.version,
    consentVersion: row.consent_version,
    documentIds: row.document_ids,
    sealedAnswers: row.sealed_answers,
  }));
}
