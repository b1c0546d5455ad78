/** SQL that removes what a user entered and submitted, when the user is erased or the retention ends. */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';

const deleteAnswers = statement(
  'erasure-store.delete-answers',
  `DELETE FROM kyc_answers AS a USING kyc_cases AS c
    WHERE c.merchant_id = $merchantId AND c.user_id = $userId AND a.merchant_id = c.merchant_id
      AND a.case_id = c.case_id`,
);
const deletePersons = statement(
  'erasure-store.delete-persons',
  'DELETE FROM kyc_persons WHERE merchant_id = $merchantId AND user_id = $userId',
);
const deleteAttachments = statement(
  'erasure-store.delete-attachments',
  `DELETE FROM kyc_attachments AS a USING kyc_cases AS c
    WHERE c.merchant_id = $merchantId AND c.user_id = $userId AND a.merchant_id = c.merchant_id
      AND a.case_id = c.case_id`,
);
const listDocumentsOfUser = statement(
  'erasure-store.list-documents-of-user',
  `SELECT d.case_id, d.document_id FROM kyc_documents AS d JOIN kyc_cases AS c
       ON c.merchant_id = d.merchant_id AND c.case_id = d.case_id
    WHERE c.merchant_id = $merchantId AND c.user_id = $userId AND (d.submitted_at IS NULL OR $submittedToo)`,
).rows<{ case_id: string; document_id: string }>();
const deleteSubmissions = statement(
  'erasure-store.delete-submissions',
  `DELETE FROM kyc_submissions AS s USING kyc_cases AS c
    WHERE c.merchant_id = $merchantId AND c.user_id = $userId AND s.merchant_id = c.merchant_id
      AND s.case_id = c.case_id`,
);

/** What was entered and not submitted. */
export async function forgetEntered(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteAttachments, { merchantId: merchant, userId: user });
  await tx.query(deleteAnswers, { merchantId: merchant, userId: user });
}

export async function forgetSubmitted(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteSubmissions, { merchantId: merchant, userId: user });
  await tx.query(deletePersons, { merchantId: merchant, userId: user });
}

export async function listDocumentsToForget(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
  which: { readonly submittedToo: boolean },
): Promise<{ caseId: PublicId<'kyc'>; documentId: string }[]> {
  const rows = await tx.query(listDocumentsOfUser, {
    merchantId: merchant,
    userId: user,
    submittedToo: which.submittedToo,
  });
  return rows.map((row) => ({ caseId: row.case_id as PublicId<'kyc'>, documentId: row.document_id }));
}
