/** Reads the machine-readable zone of a travel document (ICAO 9303) and compares it with the answers. */
import { iso31661Alpha3ToAlpha2 } from 'iso-3166';
import { type ParseResult, parse } from 'mrz';
import type { Answers } from '../requirements.js';
import { foldedNames } from './names.js';

export interface Mrz {
  readonly lines: readonly string[];
  readonly areCheckDigitsRight: boolean;
  readonly fields: ParseResult['fields'];
  /** Whole, also where the document breaks it over two fields. */
  readonly documentNumber: string | null;
}

/** How many lines of how many characters: cards, older cards and visas, passports. */
const layouts = [
  { lines: 3, characters: 30 },
  { lines: 2, characters: 36 },
  { lines: 2, characters: 44 },
] as const;

export type MrzFault =
  | { readonly code: 'wrong_characters' }
  | { readonly code: 'wrong_length'; count: number };

/** Returns undefined when the characters and their number are right. Does not check the check digits. */
export function mrzFault(text: string): MrzFault | undefined {
  const all = charactersOf(text);
  if (!/^[A-Z0-9<]+$/.test(all)) return { code: 'wrong_characters' };
  return layoutOf(all) ? undefined : { code: 'wrong_length', count: all.length };
}

/** Returns undefined when the text is no such zone. Line breaks and spaces do not matter. */
export function readMrz(text: string): Mrz | undefined {
  const all = charactersOf(text);
  const layout = layoutOf(all);
  if (!layout || mrzFault(text)) return undefined;
  const lines = Array.from({ length: layout.lines }, (_, line) =>
    all.slice(line * layout.characters, (line + 1) * layout.characters),
  );
  const { details, fields, documentNumber } = parse(lines);
  const digits = details.filter(({ field }) => field?.endsWith('CheckDigit'));
  const areCheckDigitsRight = digits.length > 0 && digits.every(({ valid }) => valid);
  return { lines, areCheckDigitsRight, fields, documentNumber };
}

function charactersOf(text: string): string {
  return text.toUpperCase().replaceAll('«', '<<').replaceAll(/\s/g, '');
}

function layoutOf(all: string) {
  return layouts.find(({ lines, characters }) => all.length === lines * characters);
}

export const mrzMatters = [
  'name',
  'dateOfBirth',
  'nationality',
  'documentNumber',
  'documentCountry',
  'documentExpiresOn',
] as const;
export type MrzMatter = (typeof mrzMatters)[number];

/** The questions whose answers differ from the zone. */
export function mismatches({ fields, documentNumber }: Mrz, declared: Answers): MrzMatter[] {
  const isSame: Record<MrzMatter, boolean> = {
    name: isSameName(fields, declared),
    dateOfBirth: isSameDay(fields.birthDate, declared.dateOfBirth),
    nationality: isSameCountry(fields.nationality, declared.nationality),
    documentNumber: onlyLettersAndDigits(documentNumber) === onlyLettersAndDigits(declared.documentNumber),
    documentCountry: isSameCountry(fields.issuingState, declared.documentCountry),
    documentExpiresOn: isSameDay(fields.expirationDate, declared.documentExpiresOn),
  };
  return mrzMatters.filter((matter) => !isSame[matter]);
}

/** Long names are cut off in the zone, and middle names left out: what it shows must be what was declared, not all of it. */
function isSameName(fields: Mrz['fields'], declared: Answers): boolean {
  const { firstName, middleName, lastName, secondSurname } = declared;
  const known = foldedNames([firstName, middleName, lastName, secondSurname].join(' '));
  const isKnown = (word: string) =>
    known.some((name) => name === word || (word.length > 2 && name.startsWith(word)));
  const surnames = words(fields.lastName);
  return surnames.length > 0 && surnames.every(isKnown) && words(fields.firstName).slice(0, 1).every(isKnown);
}

/** The zone has two digits of the year. What one of them does not know is no difference. */
function isSameDay(sixDigits: string | null | undefined, date: string | undefined): boolean {
  if (!sixDigits || !date || !/^[0-9]{6}$/.test(sixDigits)) return true;
  return date.slice(2).replaceAll('-', '') === sixDigits;
}

function isSameCountry(code: string | null | undefined, country: string | undefined): boolean {
  const letters = (code ?? '').replaceAll('<', '');
  if (letters === '' || country === undefined) return true;
  // Germany alone has one letter; a code that is no country's (a refugee's, the UN's) is for a person to judge.
  return (letters === 'D' ? 'DE' : iso31661Alpha3ToAlpha2[letters]) === country;
}

function onlyLettersAndDigits(text: string | null | undefined): string {
  return (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function words(text: string | null | undefined): string[] {
  return (text ?? '').split(/[\s<]+/).filter((word) => word !== '');
}
