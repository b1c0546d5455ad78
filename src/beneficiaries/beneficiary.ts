/**
 * Owns the beneficiaries: the people and companies that a user sends money to, with their accounts, and what each
 * country requires to be known about them. Does not own transfers (orders), which keep a copy of their own.
 */
import type { MerchantId, PublicId, UserId } from '../ids.js';
import type { BeneficiaryMethod } from './destinations/destination.js';
import type { BeneficiaryType, Values } from './fields/field.js';

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
