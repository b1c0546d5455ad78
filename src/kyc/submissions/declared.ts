/** What a user said in all forms, closed ones included: for reports that the law asks for. */
import type { MerchantId, UserId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Answers } from '../cases/requirements.js';
import { listAllSubmissions } from './declared-store.js';
import { openSubmission } from './sealed.js';

/** The newest answer to each question. `key` is the user's retained key. Throws `BrokenSeal`. */
export async function declaredAnswers(
  database: Queryable,
  key: Buffer,
  merchantId: MerchantId,
  userId: UserId,
): Promise<Answers> {
  const submissions = await listAllSubmissions(database, merchantId, userId);
  const newestFirst = submissions.map((submission) => openSubmission(key, submission.kycCase, submission));
  return Object.assign({}, ...newestFirst.reverse());
}
