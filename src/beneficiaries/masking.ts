/** What lists show: enough for the user to recognise a recipient, too little for anybody else to use. */
import type { Details } from './beneficiary.js';
import { identifyingValues } from './requirements.js';

/** A person's first name with the initial of the last name. The name of a company is not masked. */
export function maskedName({ firstName = '', lastName = '', companyName }: Details): string {
  if (companyName !== undefined) return companyName;
  const [initial = ''] = lastName;
  return `${firstName} ${initial}.`;
}

/** The end of the number that identifies the account; null for cash, which has no account. */
export function maskedAccount(details: Details): string | null {
  if (details.method === 'cash_pickup') return null;
  return mask(identifyingValues(details).at(-1) ?? '');
}

/** Shows four characters of a long number, two of a short one, and the domain of an e-mail address. */
function mask(value: string): string {
  const at = value.indexOf('@');
  if (at >= 0) return `****${value.slice(at)}`;
  return `****${value.slice(value.length < 8 ? -2 : -4)}`;
}
