/**
 * Owns the beneficiaries: the people and companies that a user sends money to, with their accounts, and what each country
 * requires to be known about them. Does not own transfers (orders), which keep a copy of their own.
 */
import type { MerchantId, PublicId, UserId } from '../ids.js';
import type { BeneficiaryType, Values } from './fields/field.js';
import type { BeneficiaryMethod } from './payouts/payout.js';

export type BeneficiaryId = PublicId<'ben'>;

/** A user has at most so many. */
export const maxBeneficiaries = 200;

/** What was entered, after separators were removed from account numbers. Names are as they were written. */
export interface Details {
  readonly country: string;
  readonly currency: string;
  readonly method: BeneficiaryMethod;
  readonly type: BeneficiaryType;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly companyName?: string;
  readonly address: Values;
  readonly account: Values;
}

export interface BeneficiaryRef {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly beneficiaryId: BeneficiaryId;
}

export interface Beneficiary extends BeneficiaryRef {
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** For lists: enough for the user to recognise a recipient, too little for anybody else to use. */
export function maskedName({ firstName = '', lastName = '', companyName }: Details): string {
  if (companyName !== undefined) return companyName;
  const [initial = ''] = lastName;
  return `${firstName} ${initial}.`;
}

/** The end of the number that identifies the account; null for cash, which has no account. */
export function maskedAccount({ method, account }: Details): string | null {
  if (method === 'cash_pickup') return null;
  const { iban, clabe, cbu, cci, rib, pixKey, phoneNumber, accountNumber } = account;
  return mask(iban ?? clabe ?? cbu ?? cci ?? rib ?? pixKey ?? phoneNumber ?? accountNumber ?? '');
}

/** Shows four characters of a long number, two of a short one, and the domain of an e-mail address. */
function mask(value: string): string {
  const at = value.indexOf('@');
  if (at >= 0) return `****${value.slice(at)}`;
  return `****${value.slice(value.length < 8 ? -2 : -4)}`;
}
