/**
 * Who receives, and where they live. Names and towns are kept as they are written. The lengths of the address are those
 * of ISO 20022 (PostalAddress24), which banks demand in separate fields since November 2026.
 */
import { iso31661 } from 'iso-3166';
import { type BeneficiaryType, beneficiaryTypes, type Field } from './field.js';

const typeLabels: Readonly<Record<BeneficiaryType, string>> = { person: 'Person', company: 'Company' };
/** Kosovo uses a code that ISO 3166-1 leaves to its users. */
const countryOptions = [
  ...iso31661.map(({ alpha2, name }) => ({ value: alpha2, label: name })),
  { value: 'XK', label: 'Kosovo' },
];

export function typeField(types: readonly BeneficiaryType[] = beneficiaryTypes): Field {
  return {
    ...select('type', 'Person or company', 'person'),
    hint: types.join(' or '),
    options: types.map((value) => ({ value, label: typeLabels[value] })),
    isRequired: true,
  };
}

export const nameFields: readonly Field[] = [
  { ...name('firstName', 'First name', 70, 'María José'), onlyFor: 'person' },
  { ...name('lastName', 'Last name', 70, 'García López'), onlyFor: 'person' },
  { ...name('companyName', 'Name of the company', 140, 'Panadería El Sol, S.A.'), onlyFor: 'company' },
];

/** Banks and cash desks need town and country. `town` is the example. */
export function addressFields(country: string, town: string, { isRequired }: { isRequired: boolean }): Field[] {
  return [
    freeText('address.street', 'Street', 70, 'Avenida Central'),
    freeText('address.buildingNumber', 'Building number', 16, '12 B'),
    freeText('address.postCode', 'Post code', 16, '10001'),
    { ...freeText('address.town', 'Town', 35, town), isRequired },
    freeText('address.region', 'Region, state or province', 35, town),
    {
      ...select('address.country', 'Country of residence', country),
      hint: 'an ISO 3166-1 country code of two letters',
      options: countryOptions,
      isRequired,
    },
  ];
}

function name(path: string, label: string, maxLength: number, example: string): Field {
  return {
    ...freeText(path, label, maxLength, example),
    hint: `at most ${maxLength} characters, at least one of them a letter or digit; in any script`,
    isRequired: true,
    read: (text) => (/[\p{L}\p{N}]/u.test(text) ? text : undefined),
  };
}

function freeText(path: string, label: string, maxLength: number, example: string): Field {
  return {
    name: path,
    label,
    type: 'text',
    hint: `at most ${maxLength} characters`,
    pattern: `^\\P{Cc}{1,${maxLength}}$`,
    minLength: 1,
    maxLength,
    example,
    isRequired: false,
    isIdentifying: false,
    read: (text) => text,
  };
}

function select(path: string, label: string, example: string): Field {
  return {
    name: path,
    label,
    type: 'select',
    hint: 'one of the options',
    pattern: '^[A-Za-z_]{2,20}$',
    minLength: 2,
    maxLength: 20,
    example,
    isRequired: false,
    isIdentifying: false,
    read: (text) => text,
  };
}
