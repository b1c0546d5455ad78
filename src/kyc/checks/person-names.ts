/** The names of a person, in the forms in which they were given. */

import type { Answers } from '../cases/requirements.js';
import { readMrz } from './mrz.js';

/** The name as declared in the form. */
export function declaredNames({ firstName, middleName, lastName, secondSurname }: Answers): string[] {
  return distinct([
    fullName(firstName, middleName, lastName, secondSurname),
    fullName(firstName, lastName),
    fullName(firstName, lastName, secondSurname),
  ]);
}

/** The name in the machine-readable zone of the document. */
export function documentNames({ documentMrz }: Answers): string[] {
  const fields = documentMrz === undefined ? undefined : readMrz(documentMrz)?.fields;
  return fields ? distinct([fullName(fields.firstName ?? '', fields.lastName ?? '')]) : [];
}

export function fullName(...words: readonly (string | undefined)[]): string {
  return words
    .map((word) => word?.trim() ?? '')
    .filter((word) => word !== '')
    .join(' ');
}

export function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => (value ? [value] : [])))];
}
