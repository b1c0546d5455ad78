/**
 * Owns the users: the people who send money, registered by a merchant, and what is known of them.
 * Does not own their identification (kyc) nor their transfers (orders); it asks those through the ports below.
 */
import { iso31661, iso31661Alpha3ToAlpha2 } from 'iso-3166';
import type { FieldFault } from '../errors.js';
import type { MerchantId, PublicId, UserId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';

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

/** In characters as people count them, after the white space at both ends is gone. */
export const longest: Readonly<Record<ProfileField, number>> = {
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

/** What an erasure must know, answered by orders and KYC: whether money is under way, and whether the law keeps a part. */
export interface ErasureAnswer {
  readonly hasOpenOrders: boolean;
  readonly mustRetain: boolean;
}
export type ErasureGuard = (
  tx: Transaction,
  merchantId: MerchantId,
  userId: UserId,
) => Promise<ErasureAnswer>;

/** Told when a name, the country or the address changed: an approval that rested on it has to be looked at again. */
export type IdentityChanged = (
  tx: Transaction,
  merchantId: MerchantId,
  userId: UserId,
  fields: readonly ProfileField[],
) => Promise<void>;

/** Told when the law's keeping of an erased user has ended: what other rooms kept of him goes with it. */
export type RetentionEnded = (tx: Transaction, merchantId: MerchantId, userId: UserId) => Promise<void>;

export const identityFields: readonly ProfileField[] = profileFields.filter((field) => field !== 'email');

/** Nothing that is not seen: control characters, line ends, halves of characters, and marks that turn text around. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/u;
const emailForm =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;
const countries = new Set(iso31661.map((country) => country.alpha2));

/** Every fault of every field that is there and is text; what is missing or no text is found by the schema. */
export function profileFaults(given: unknown): FieldFault[] {
  if (typeof given !== 'object' || given === null) return [];
  const values = given as Partial<Record<ProfileField, unknown>>;
  return profileFields.flatMap((field) => {
    const value = values[field];
    return typeof value === 'string' ? fieldFaults(field, value) : [];
  });
}

/** As it is kept: without white space at the ends, the country with two letters. Everything else to the byte. */
export function normalise<Given extends Partial<Profile>>(given: Given): Given {
  const entries = Object.entries(given).map(([field, value]) => {
    const text = value.trim();
    return [field, field === 'countryCode' ? countryOf(text) : text];
  });
  return Object.fromEntries(entries) as Given;
}

function fieldFaults(field: ProfileField, value: string): FieldFault[] {
  const text = value.trim();
  const length = [...text].length;
  if (length === 0) return [{ field, code: 'too_short', message: 'must not be empty', min: 1 }];
  if (unseen.test(text)) {
    return [{ field, code: 'wrong_format', message: 'must not hold control characters' }];
  }
  if (length > longest[field]) {
    const max = longest[field];
    return [{ field, code: 'too_long', message: `must have at most ${max} characters`, max }];
  }
  if (field === 'email' && !emailForm.test(text)) {
    return [{ field, code: 'wrong_format', message: 'must be an e-mail address' }];
  }
  if (field === 'countryCode' && countryOf(text) === undefined) {
    return [
      { field, code: 'not_allowed', message: 'must be an ISO 3166-1 country code of two or three letters' },
    ];
  }
  return [];
}

function countryOf(text: string): string | undefined {
  // Letters of other alphabets may turn into these two when they are made large: the ligature ﬁ would be Finland.
  if (!/^[a-z]{2,3}$/i.test(text)) return undefined;
  const code = text.toUpperCase();
  const alpha2 = code.length === 3 ? iso31661Alpha3ToAlpha2[code] : code;
  return alpha2 !== undefined && countries.has(alpha2) ? alpha2 : undefined;
}
