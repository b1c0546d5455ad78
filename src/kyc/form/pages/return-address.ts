/** Where the last page leads back to: the merchant's address, with how it went. */
import type { CaseState } from '../../case.js';
import type { FormFrame } from '../view.js';

/** In the words of an address; what the merchant really relies on is its notification. */
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

/** Anyone can write such an address by hand, so it says that something was sent and never that it was approved. */
export function returnAddress({ redirectUrl, state, caseId }: FormFrame): string | undefined {
  if (redirectUrl === undefined || !URL.canParse(redirectUrl)) return undefined;
  const address = new URL(redirectUrl);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return undefined;
  address.searchParams.set('status', wordOfState[state]);
  address.searchParams.set('caseId', caseId);
  return address.href;
}
