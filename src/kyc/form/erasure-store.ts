/** SQL that removes what a user entered and submitted, when the user is erased or the retention ends. */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';

const deleteAnswers = statement(
  'erasure-store.delete-answers',
  `DELETE FROM kyc_answers AS a USING kyc_cases AS c
    WHERE c.merchant_id = $1 AND c.user_id = $2 AND a.merchant_id = c.merchant_id AND a.case_id = c.case_id`,
);
const deletePersons = statement(
  'erasure-store.delete-persons',
  'DELETE FROM kyc_persons WHERE merchant_id = $1 AND user_id = $2',
);
const deleteAttachments = statement(
  'erasure-store.delete-attachments',
  `DELETE FROM kyc_attachments AS a USING kyc_cases AS c
    WHERE c.merchant_id = $1 AND c.user_id = $2 AND a.merchant_id = c.merchant_id AND a.case_id = c.case_id`,
);
const listDocumentsOfUser = statement<{ case_id: string; document_id: string }>(
  'erasure-store.list-documents-of-user',
  `SELECT d.case_id, d.document_id FROM kyc_documents AS d JOIN kyc_cases AS c
       ON c.merchant_id = d.merchant_id AND c.case_id = d.case_id
    WHERE c.merchant_id = $1 AND c.user_id = $2 AND (d.submitted_at IS NULL OR $3)`,
);
const deleteSubmissions = statement(
  'erasure-store.delete-submissions',
  `DELETE FROM kyc_submissions AS s USING kyc_cases AS c
    WHERE c.merchant_id = $1 AND c.user_id = $2 AND s.merchant_id = c.merchant_id AND s.case_id = c.case_id`,
);

/** What was entered and not submitted. */
export async function forgetEntered(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteAttachments, [merchant, user]);
  await tx.query(deleteAnswers, [merchant, user]);
}

export async function forgetSubmitted(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteSubmissions, [merchant, user]);
  await tx.query(deletePersons, [merchant, user]);
}

export async function listDocumentsToForget(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
  which: { readonly submittedToo: boolean },
): Promise<{ caseId: PublicId<'kyc'>; documentId: string }[]> {
  const rows = await tx.query(listDocumentsOfUser, [merchant, user, which.submittedToo]);
  return rows.map((row) => ({ caseId: row.case_id as PublicId<'kyc'>, documentId: row.document_id }));
}
