/** SQL that reads what several users of a merchant have submitted, and the levels that they hold. */
import { type MerchantId, merchantId, storedPublicId, type UserId, userId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { KycLevel } from '../cases/case.js';
import type { CaseRef } from '../cases/sealed.js';
import type { SubmissionColumns } from '../submissions/sealed.js';

interface SubmissionRow {
  case_id: string;
  user_id: bigint;
  submitted_at: Date;
  version: number;
  sealed_answers: Buffer;
  document_ids: string[];
  consent_version: string;
  is_verified: boolean;
}

const listSubmissions = statement(
  'people-store.list-submissions',
  `SELECT DISTINCT ON (kyc_case.case_id) kyc_case.case_id, kyc_case.user_id, kyc_case.submitted_at,
     submission.version,
          submission.sealed_answers, submission.document_ids, submission.consent_version,
          coalesce(kyc_case.state = 'APPROVED' AND kyc_case.renewal_state IS NULL AND kyc_case.level <> 'LEVEL_1'
                   AND kyc_case.expires_at > ${merchantNow}, false) AS is_verified
     FROM kyc_cases AS kyc_case
     JOIN kyc_submissions AS submission
       ON submission.merchant_id = kyc_case.merchant_id AND submission.case_id = kyc_case.case_id
    WHERE kyc_case.merchant_id = $merchantId AND kyc_case.user_id = ANY ($userIds) AND kyc_case.closed_at IS NULL
      AND kyc_case.submitted_at IS NOT NULL
    ORDER BY kyc_case.case_id, submission.version DESC`,
).rows<SubmissionRow>();
const listHeld = statement(
  'people-store.list-held-levels',
  `SELECT user_id, max(level) AS level FROM kyc_cases
    WHERE merchant_id = $merchantId AND user_id = ANY ($userIds) AND state = 'APPROVED'
      AND expires_at > ${merchantNow}
    GROUP BY user_id`,
).rows<{ user_id: bigint; level: KycLevel }>();

/** Everyone with an approved level, merchant by merchant. */
const listHolders = statement(
  'people-store.list-holders',
  `SELECT DISTINCT merchant_id, user_id FROM kyc_cases
    WHERE state = 'APPROVED' AND closed_at IS NULL AND (merchant_id, user_id) > ($afterMerchant::bigint, $afterUser::bigint)
    ORDER BY merchant_id, user_id LIMIT $limit::int`,
).rows<{ merchant_id: bigint; user_id: bigint }>();

/** The last submission of a case. */
export interface LastSubmission extends SubmissionColumns {
  readonly kycCase: CaseRef;
  readonly sealedAnswers: Buffer;
  /** An operator has approved it, and with it a document: the level is above the first and has not expired. */
  readonly isVerified: boolean;
}

/** Those of each user, the newest first. */
export async function listLastSubmissions(
  database: Queryable,
  merchant: MerchantId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, readonly LastSubmission[]>> {
  const rows = [...(await database.query(listSubmissions, { merchantId: merchant, userIds }))];
  rows.sort((left, right) => right.submitted_at.getTime() - left.submitted_at.getTime());
  const found = new Map<UserId, LastSubmission[]>();
  for (const row of rows) {
    const user = userId(row.user_id);
    const kycCase = { merchantId: merchant, caseId: storedPublicId('kyc', row.case_id), userId: user };
    const { version, consent_version: consentVersion, document_ids: documentIds } = row;
    const sealedAnswers = row.sealed_answers;
    const isVerified = row.is_verified;
    const submission = { kycCase, version, consentVersion, documentIds, sealedAnswers, isVerified };
    found.set(user, [...(found.get(user) ?? []), submission]);
  }
  return found;
}

/** Who holds a level, after this place. */
export async function listHoldersAfter(
  database: Queryable,
  after: { readonly merchantId: bigint; readonly userId: bigint },
  limit: number,
): Promise<Account[]> {
  const rows = await database.query(listHolders, { afterMerchant: after.merchantId, afterUser: after.userId, limit });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** The highest level that each of the users holds now. Users without one are left out. */
export async function listHeldLevels(
  database: Queryable,
  merchant: MerchantId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, KycLevel>> {
  const rows = await database.query(listHeld, { merchantId: merchant, userIds });
  return new Map(rows.map(({ user_id, level }) => [userId(user_id), level]));
}
