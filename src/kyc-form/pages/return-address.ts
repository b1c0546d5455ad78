/** The address of the button back to the merchant, with the state of the form. */
import type { CaseState } from '../../kyc/cases/case.js';
import type { FormFrame } from '../../kyc/submissions/view.js';

/** The value of `status`. It is only a hint: merchants rely on notifications. */
const wordOfState: Readonly<Record<CaseState, string>> = {
  PENDING: 'pending',
  SUBMITTED: 'submitted',
  IN_REVIEW: 'submitted',
  APPROVED: 'submitted',
  REJECTED: 'submitted',
  ACTION_REQUIRED: 'action_required',
  EXPIRED: 'expired',
  REVOKED: 'revoked',
};

/** Anyone can type such an address, so it never claims that a form was approved. */
export function returnAddress({ redirectUrl, state, caseId }: FormFrame): string | undefined {
  if (redirectUrl === undefined || !URL.canParse(redirectUrl)) return undefined;
  const address = new URL(redirectUrl);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return undefined;
  address.searchParams.set('status', wordOfState[state]);
  address.searchParams.set('caseId', caseId);
  return address.href;
}
