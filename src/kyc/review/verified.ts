/** What an operator has approved with a document recognises a person for certain; the rest is only claimed. */
import type { PersonIndex } from '../../persons/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { KycCase } from '../cases/case.js';
import type { Answers } from '../cases/requirements.js';
import { listLastSubmissions } from '../hits/people-store.js';
import { openSubmission } from '../submissions/sealed.js';

/** The first level asks for no document. */
export async function saveVerified(
  tx: Transaction,
  persons: PersonIndex,
  approved: Pick<KycCase, 'merchantId' | 'userId' | 'level'>,
  answers: Answers,
): Promise<void> {
  if (approved.level !== 'LEVEL_1') await persons.save(tx, approved, 'verified', answers);
}

/** An approval was taken back: only what other approved forms say is left. */
export async function withoutRevoked(
  tx: Transaction,
  persons: PersonIndex,
  { merchantId, userId }: Pick<KycCase, 'merchantId' | 'userId'>,
  key: Buffer,
): Promise<void> {
  await persons.forgetVerified(tx, { merchantId, userId });
  const submissions = (await listLastSubmissions(tx, merchantId, [userId])).get(userId) ?? [];
  for (const submission of submissions.filter(({ isVerified }) => isVerified))
    await persons.save(tx, { merchantId, userId }, 'verified', openSubmission(key, submission.kycCase, submission));
}
