/**
 * Seals the details of beneficiaries under a key of their user, and recognises an account without storing it in clear.
 */
import { createHmac } from 'node:crypto';
import { deriveKey } from '../keys/derive.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { BeneficiaryRef, Details } from './beneficiary.js';
import { identifyingValues } from './requirements.js';

/** The columns that a sealed text is bound to. The hash fixes the account: no older text with another account opens. */
export interface BeneficiaryPlace extends BeneficiaryRef {
  readonly accountHash: Buffer;
  readonly version: number;
}

export function sealDetails(key: Buffer, place: BeneficiaryPlace, details: Details): Buffer {
  return seal(key, Buffer.from(JSON.stringify(details)), bindingFor(place));
}

/** Throws `BrokenSeal` when the text belongs to another beneficiary, account or version. */
export function openDetails(key: Buffer, place: BeneficiaryPlace, sealed: Buffer): Details {
  return JSON.parse(open(key, sealed, bindingFor(place)).toString()) as Details;
}

/**
 * A keyed hash, equal for the same account of the same user. Nobody can compute it once the user's key is destroyed.
 */
export function hashAccount(key: Buffer, details: Details): Buffer {
  return createHmac('sha256', deriveKey(key, 'beneficiary account')).update(accountIdentity(details)).digest();
}

/**
 * A text that is equal for the same account, whoever entered it. It contains the account: store only a keyed hash of
 * it.
 */
export function accountIdentity(details: Details): string {
  return JSON.stringify(identityOf(details));
}

/** Cash has no account: whoever collects it is known by name and mobile number. */
function identityOf(details: Details): string[] {
  const { country, currency, method, firstName = '', lastName = '' } = details;
  const names = method === 'cash_pickup' ? [firstName, lastName].map(folded) : [];
  return [country, currency, method, ...identifyingValues(details), ...names];
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function bindingFor({ merchantId, userId, beneficiaryId, accountHash, version }: BeneficiaryPlace): string {
  const row = [merchantId, userId, beneficiaryId, accountHash.toString('base64url'), version] as const;
  return bindingOf('beneficiaries', 'sealed_details', ...row);
}
