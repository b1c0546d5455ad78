/** Reads the machine-readable zone of a travel document (ICAO 9303) and compares it with the answers. */
import { iso31661Alpha3ToAlpha2 } from 'iso-3166';
import { type ParseResult, parse } from 'mrz';
import type { Answers } from '../cases/requirements.js';
import { foldedNames } from './names.js';

export interface Mrz {
  readonly lines: readonly string[];
  readonly areCheckDigitsRight: boolean;
  readonly fields: ParseResult['fields'];
  /** The complete number, also when the document splits it over two fields. */
  readonly documentNumber: string | null;
}

/** Cards, older cards and visas, passports. */
const layouts = [
  { lines: 3, characters: 30 },
  { lines: 2, characters: 36 },
  { lines: 2, characters: 44 },
] as const;

export type MrzFault = { readonly code: 'wrong_characters' } | { readonly code: 'wrong_length'; count: number };

/** Returns undefined when the characters and their number are right. Does not check the check digits. */
export function mrzFault(text: string): MrzFault | undefined {
  const characters = charactersOf(text);
  if (!/^[A-Z0-9<]+$/.test(characters)) return { code: 'wrong_characters' };
  return layoutOf(characters) ? undefined : { code: 'wrong_length', count: characters.length };
}

/** Returns undefined when the text is not a machine-readable zone. Ignores line breaks and spaces. */
export function readMrz(text: string): Mrz | undefined {
  const characters = charactersOf(text);
  const layout = layoutOf(characters);
  if (!layout || mrzFault(text)) return undefined;
  const lines = Array.from({ length: layout.lines }, (_, line) =>
    characters.slice(line * layout.characters, (line + 1) * layout.characters),
  );
  const { details, fields, documentNumber } = parse(lines);
  const digits = details.filter(({ field }) => field?.endsWith('CheckDigit'));
  const areCheckDigitsRight = digits.length > 0 && digits.every(({ valid }) => valid);
  return { lines, areCheckDigitsRight, fields, documentNumber };
}

function charactersOf(text: string): string {
  return text.toUpperCase().replaceAll('«', '<<').replaceAll(/\s/g, '');
}

function layoutOf(text: string) {
  return layouts.find(({ lines, characters }) => text.length === lines * characters);
}

export const mrzFields = [
  'name',
  'dateOfBirth',
  'nationality',
  'documentNumber',
  'documentCountry',
  'documentExpiresOn',
] as const;
export type MrzField = (typeof mrzFields)[number];

/** Lists the questions whose answers differ from the zone. */
export function mismatches({ fields, documentNumber }: Mrz, declared: Answers): MrzField[] {
  const isSame: Record<MrzField, boolean> = {
    name: isSameName(fields, declared),
    dateOfBirth: isSameDay(fields.birthDate, declared.dateOfBirth),
    nationality: isSameCountry(fields.nationality, declared.nationality),
    documentNumber: onlyLettersAndDigits(documentNumber) === onlyLettersAndDigits(declared.documentNumber),
    documentCountry: isSameCountry(fields.issuingState, declared.documentCountry),
    documentExpiresOn: isSameDay(fields.expirationDate, declared.documentExpiresOn),
  };
  return mrzFields.filter((field) => !isSame[field]);
}

/** The zone truncates long names and omits middle names, so every name in it must have been declared, but not vice versa. */
function isSameName(fields: Mrz['fields'], declared: Answers): boolean {
  const { firstName, middleName, lastName, secondSurname } = declared;
  const known = foldedNames([firstName, middleName, lastName, secondSurname].join(' '));
  const isKnown = (word: string) => known.some((name) => name === word || (word.length > 2 && name.startsWith(word)));
  const surnames = words(fields.lastName);
  return surnames.length > 0 && surnames.every(isKnown) && words(fields.firstName).slice(0, 1).every(isKnown);
}

/** The zone has two digits of the year. A date that is missing on one side is no difference. */
function isSameDay(sixDigits: string | null | undefined, date: string | undefined): boolean {
  if (!sixDigits || !date || !/^[0-9]{6}$/.test(sixDigits)) return true;
  return date.slice(2).replaceAll('-', '') === sixDigits;
}

function isSameCountry(code: string | null | undefined, country: string | undefined): boolean {
  const letters = (code ?? '').replaceAll('<', '');
  if (letters === '' || country === undefined) return true;
  // Germany alone uses one letter. Codes that are no country (refugees, the UN) differ and are left to a reviewer.
  return (letters === 'D' ? 'DE' : iso31661Alpha3ToAlpha2[letters]) === country;
}

function onlyLettersAndDigits(text: string | null | undefined): string {
  return (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function words(text: string | null | undefined): string[] {
  return (text ?? '').split(/[\s<]+/).filter((word) => word !== '');
}
