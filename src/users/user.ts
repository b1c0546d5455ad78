/**
 * Owns the users: the people who send money, registered by a merchant, and their profiles.
 * Does not own their identity checks (kyc) and transfers (orders), which it reaches through `Dependents`.
 */
import { iso31661, iso31661Alpha3ToAlpha2 } from 'iso-3166';
import type { FieldFault } from '../errors.js';
import type { MerchantId, PublicId, UserId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import { hasInvisible } from '../visible-text.js';

export const profileFields = [
  'firstName',
  'lastName',
  'email',
  'address',
  'city',
  'stateProvince',
  'countryCode',
  'postalCode',
] as const;
export type ProfileField = (typeof profileFields)[number];
export type Profile = Readonly<Record<ProfileField, string>>;

/** In Unicode characters, after white space at both ends was removed. */
export const maxLengths: Readonly<Record<ProfileField, number>> = {
  firstName: 100,
  lastName: 100,
  email: 254,
  address: 300,
  city: 100,
  stateProvince: 100,
  countryCode: 3,
  postalCode: 20,
};

export interface UserRef {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly externalClientId: PublicId<'cli'>;
}

export interface User extends UserRef {
  readonly sealedProfile: Buffer;
}

/** What orders and KYC answer before an erasure: whether a transfer is open, and whether the law requires retention. */
export interface ErasureAnswer {
  readonly hasOpenOrders: boolean;
  readonly mustRetain: boolean;
}

/** What the rooms that depend on users do with a user's data. They are above this one, so `app.ts` registers them. */
export interface Dependents {
  /** Called when the user is erased: erases what may go, and tells what keeps the rest. */
  erase(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<ErasureAnswer>;
  /** Called when identity fields changed, so that approvals that depend on them are reviewed. */
  identityChanged(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
    fields: readonly ProfileField[],
  ): Promise<void>;
  /** Called when the retention of an erased user has ended: erases what was retained. */
  retentionEnded(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void>;
}

export const identityFields: readonly ProfileField[] = profileFields.filter((field) => field !== 'email');

const emailForm =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;
const countries = new Set(iso31661.map((country) => country.alpha2));

/** Returns all faults of the fields that are text. The schema reports fields that are missing or not text. */
export function profileFaults(body: unknown): FieldFault[] {
  if (typeof body !== 'object' || body === null) return [];
  const values = body as Partial<Record<ProfileField, unknown>>;
  return profileFields.flatMap((field) => {
    const value = values[field];
    return typeof value === 'string' ? fieldFaults(field, value) : [];
  });
}

/** Removes white space at both ends and writes the country with two letters. Nothing else changes. */
export function normalise<Fields extends Partial<Profile>>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([field, value]) => {
    const text = value.trim();
    return [field, field === 'countryCode' ? countryOf(text) : text];
  });
  return Object.fromEntries(entries) as Fields;
}

function fieldFaults(field: ProfileField, value: string): FieldFault[] {
  const text = value.trim();
  const length = [...text].length;
  if (length === 0) return [{ field, code: 'too_short', message: 'must not be empty', min: 1 }];
  if (hasInvisible(text)) {
    return [{ field, code: 'wrong_format', message: 'must not contain control or invisible characters' }];
  }
  if (length > maxLengths[field]) {
    const max = maxLengths[field];
    return [{ field, code: 'too_long', message: `must have at most ${max} characters`, max }];
  }
  if (field === 'email' && !emailForm.test(text)) {
    return [{ field, code: 'wrong_format', message: 'must be an e-mail address' }];
  }
  if (field === 'countryCode' && countryOf(text) === undefined) {
    return [{ field, code: 'not_allowed', message: 'must be an ISO 3166-1 country code of two or three letters' }];
  }
  return [];
}

export function countryOf(text: string): string | undefined {
  // Checked before `toUpperCase`, which can turn other characters into these letters: the ligature ﬁ would become FI,
  // Finland.
  if (!/^[a-z]{2,3}$/i.test(text)) return undefined;
  const code = text.toUpperCase();
  const alpha2 = code.length === 3 ? iso31661Alpha3ToAlpha2[code] : code;
  return alpha2 !== undefined && countries.has(alpha2) ? alpha2 : undefined;
}
