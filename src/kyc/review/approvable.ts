/** What must hold of a submission before an operator approves it. */
import { RemesaError } from '../../errors.js';
import { readMerchantDay } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { KycCase } from '../cases/case.js';
import { openSubmission } from '../submissions/sealed.js';
import type { Submission } from '../submissions/store.js';

/** Throws `kyc_document_expired` when the submitted document is no longer valid. */
export async function documentExpiry(
  tx: Transaction,
  kycCase: KycCase,
  key: Buffer,
  submission: Submission | undefined,
): Promise<string | undefined> {
  if (!submission) return undefined;
  const { documentExpiresOn } = openSubmission(key, kycCase, submission);
  if (documentExpiresOn !== undefined && documentExpiresOn < (await readMerchantDay(tx, kycCase.merchantId))) {
    throw new RemesaError(
      'conflict',
      'kyc_document_expired',
      'The identity document has expired. Request another one.',
    );
  }
  return documentExpiresOn;
}

/** Throws `invalid_fields` when a check failed: approving such a case needs a written reason. */
export function checkNothingFailed(submission: Submission | undefined): void {
  const failed = (submission?.checks ?? []).filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  const message = `is required, because these checks failed: ${failed.map(({ check }) => check).join(', ')}`;
  throw new RemesaError('invalid', 'invalid_fields', `internalReason: ${message}`, {
    errors: [{ field: 'internalReason', code: 'required', message }],
  });
}
