/** What a person says beside what the document and the merchant say, for the reviewer's eye. Pure. */
import { iso31661Alpha3ToAlpha2 } from 'iso-3166';
import { plain } from '../../persons/words.js';
import type { Profile } from '../../users/user.js';
import type { Answers } from '../cases/requirements.js';
import { isRegisteredName } from '../checks/automatic-checks.js';
import { type Mrz, type MrzField, mismatches, mrzFields, readMrz } from '../checks/mrz.js';

export const comparedFields = [...mrzFields, 'address', 'city', 'stateProvince', 'postalCode', 'countryCode'] as const;
export type ComparedField = (typeof comparedFields)[number];

export interface Compared {
  readonly field: ComparedField;
  /** In the form. */
  readonly declared: string | undefined;
  /** In the machine-readable zone of the document. */
  readonly machineReadable: string | undefined;
  /** By the merchant. */
  readonly registered: string | undefined;
  /** Which of the two others is not what was declared. */
  readonly differs: readonly ('machineReadable' | 'registered')[];
}

/** The fields of which at least one of the three says something. */
export function compareSources(answers: Answers, profile: Profile | undefined): Compared[] {
  const mrz = answers.documentMrz === undefined ? undefined : readMrz(answers.documentMrz);
  const wrong: readonly string[] = mrz ? mismatches(mrz, answers) : [];
  return comparedFields
    .map((field) => {
      const declared = field === 'name' ? nameOf(answers) : answers[field] || undefined;
      const machineReadable = mrz && isOfZone(field) ? ofZone[field](mrz) || undefined : undefined;
      const registered = (profile && ofProfile(field, profile)) || undefined;
      const differs = [
        ...(machineReadable !== undefined && wrong.includes(field) ? ['machineReadable' as const] : []),
        ...(profile && registered !== undefined && !isRegistered(field, answers, profile)
          ? ['registered' as const]
          : []),
      ];
      return { field, declared, machineReadable, registered, differs };
    })
    .filter(({ declared, machineReadable, registered }) => declared ?? machineReadable ?? registered);
}

function nameOf({ firstName, middleName, lastName, secondSurname }: Answers): string | undefined {
  return [firstName, middleName, lastName, secondSurname].filter(Boolean).join(' ') || undefined;
}

function isOfZone(field: ComparedField): field is MrzField {
  return (mrzFields as readonly string[]).includes(field);
}

const ofZone: Readonly<Record<MrzField, (mrz: Mrz) => string | null | undefined>> = {
  name: ({ fields }) => [fields.firstName, fields.lastName].filter(Boolean).join(' '),
  dateOfBirth: ({ fields }) => dayOf(fields.birthDate),
  nationality: ({ fields }) => countryOf(fields.nationality),
  documentNumber: ({ documentNumber }) => documentNumber,
  documentCountry: ({ fields }) => countryOf(fields.issuingState),
  documentExpiresOn: ({ fields }) => dayOf(fields.expirationDate),
};

/** The zone has two digits of the year, so the century stays open. */
function dayOf(sixDigits: string | null | undefined): string | undefined {
  return sixDigits?.replace(/^(\d\d)(\d\d)(\d\d)$/, '··$1-$2-$3');
}

function countryOf(code: string | null | undefined): string {
  const letters = (code ?? '').replaceAll('<', '');
  return iso31661Alpha3ToAlpha2[letters] ?? letters;
}

function ofProfile(field: ComparedField, profile: Profile): string | undefined {
  if (field === 'name') return `${profile.firstName} ${profile.lastName}`.trim();
  return isOfZone(field) ? undefined : profile[field];
}

/** Case, accents and spaces make no difference. What was not asked in the form cannot differ. */
function isRegistered(field: ComparedField, answers: Answers, profile: Profile): boolean {
  if (field === 'name') return isRegisteredName(answers, profile);
  const declared = answers[field];
  return declared === undefined || isOfZone(field) || folded(declared) === folded(profile[field]);
}

function folded(text: string): string {
  return plain(text.normalize('NFC').toUpperCase()).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
