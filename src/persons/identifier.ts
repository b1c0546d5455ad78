/**
 * What is known of a user that can be recognised again, wherever it was entered: written one way, so that it can be
 * compared as a keyed digest. Pure.
 */
import { plain, sortedWords, wordsOf } from './words.js';

export const identifierKinds = [
  'name_and_birth_date',
  'document',
  'national_id',
  'name',
  'birth_date',
  'email',
  'phone',
] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

/** Two users who share one of these are counted as one person. */
export const recognisingKinds: readonly IdentifierKind[] = ['name_and_birth_date', 'document', 'national_id'];

/** For certain only by these: two people may share a name and a day of birth. */
export const certainKinds: readonly IdentifierKind[] = ['document', 'national_id'];

/** A user or an account at a bank can be on the block list too. */
export type MarkKind = IdentifierKind | 'user' | 'account';

export interface Identifier {
  readonly kind: MarkKind;
  /** Contains what was entered: only a keyed digest of it is stored. */
  readonly text: string;
}

/** A profile or the answers of a form, as far as they are there. */
export interface KnownData {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly dateOfBirth?: string | undefined;
  readonly documentCountry?: string | undefined;
  readonly documentNumber?: string | undefined;
  readonly nationalIdCountry?: string | undefined;
  readonly nationalIdNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

export function identifiersOf(known: KnownData): { readonly kind: IdentifierKind; readonly text: string }[] {
  const { firstName = '', lastName = '', dateOfBirth = '' } = known;
  const name = nameText(`${firstName} ${lastName}`);
  const texts: Readonly<Record<IdentifierKind, string>> = {
    name_and_birth_date: name && dateOfBirth && `${name} ${dateOfBirth}`,
    document: numberText(known.documentCountry, known.documentNumber),
    national_id: numberText(known.nationalIdCountry, known.nationalIdNumber),
    name,
    birth_date: dateOfBirth,
    email: emailText(known.email ?? ''),
    phone: phoneText(known.phoneNumber ?? ''),
  };
  return identifierKinds.flatMap((kind) => (texts[kind] === '' ? [] : [{ kind, text: texts[kind] }]));
}

function nameText(name: string): string {
  return sortedWords(name);
}

/** Spaces and hyphens in a number make no difference. Empty without a number. */
export function numberText(country = '', number = ''): string {
  const letters = wordsOf(number).map(plain).join('');
  return letters && `${country.toUpperCase()} ${letters}`;
}

function emailText(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** The digits, with the country first. Whether `+` or `00` introduces them makes no difference. */
export function phoneText(phone: string): string {
  return phone.replaceAll(/\D/g, '').replace(/^00/, '');
}

/** Banks and people group the letters and digits of an account number as they like. */
export function accountText(...numbers: readonly string[]): string {
  return numbers
    .flatMap((number) => wordsOf(number))
    .map(plain)
    .join('');
}

export function userText({ merchantId, userId }: { readonly merchantId: number; readonly userId: number }): string {
  return `${merchantId}:${userId}`;
}
