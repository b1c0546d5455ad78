/** What must be known about a beneficiary, by country, currency and method. The tables are in `destinations/`. */
import type { FieldFault } from '../errors.js';
import type { Details } from './beneficiary.js';
import { africa } from './destinations/africa.js';
import { africanFrancs } from './destinations/african-francs.js';
import { americas } from './destinations/americas.js';
import { asiaPacific } from './destinations/asia-pacific.js';
import type { Destination } from './destinations/destination.js';
import { europe } from './destinations/europe.js';
import type { BeneficiaryType, Field } from './fields/field.js';

/** Every destination that is offered, sorted by currency, country and method. */
export const destinations: readonly Destination[] = [
  ...europe,
  ...americas,
  ...africa,
  ...africanFrancs,
  ...asiaPacific,
].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));

export interface DestinationKey {
  readonly country: string;
  readonly currency: string;
  readonly method: string;
}

const destinationByKey = new Map(destinations.map((destination) => [keyOf(destination), destination]));

export function findDestination(key: DestinationKey): Destination | undefined {
  return destinationByKey.get(keyOf(key));
}

/** Says which part of the key names nothing, and what it may be. Empty for a destination that is offered. */
export function destinationFaults({ country, currency, method }: DestinationKey): FieldFault[] {
  const withCurrency = destinations.filter((destination) => destination.currency === currency);
  if (withCurrency.length === 0) {
    return [
      notOffered(
        'currency',
        'must be a currency that is paid out',
        destinations.map((destination) => destination.currency),
      ),
    ];
  }
  const inCountry = withCurrency.filter((destination) => destination.country === country);
  if (inCountry.length === 0) {
    const countries = withCurrency.map((destination) => destination.country);
    return [notOffered('country', `must be a country in which ${currency} is paid out`, countries)];
  }
  if (inCountry.some((destination) => destination.method === method)) return [];
  const methods = inCountry.map((destination) => destination.method);
  return [notOffered('method', `must be a method that is offered in ${country} for ${currency}`, methods)];
}

export function fieldsFor({ fields }: Destination, type: BeneficiaryType): Field[] {
  return fields.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === type);
}

export function typesOf({ fields }: Destination): BeneficiaryType[] {
  const type = fields.find(({ name }) => name === 'type');
  return (type?.options ?? []).map(({ value }) => value as BeneficiaryType);
}

/** The values that tell an account from others, its own number last. */
export function identifyingValues(details: Pick<Details, keyof DestinationKey | 'type' | 'account'>): string[] {
  const destination = findDestination(details);
  const fields = destination ? fieldsFor(destination, details.type) : [];
  return fields
    .filter(({ isIdentifying }) => isIdentifying)
    .map(({ name }) => details.account[name.slice('account.'.length)] ?? '');
}

/** The fields as callers see them. */
export function publishedFields({ fields }: Destination) {
  return fields.map(({ isRequired, onlyFor = null, options, ...field }) => {
    const { name, label, type, hint, pattern, minLength, maxLength, example } = field;
    return {
      name,
      label,
      type,
      required: isRequired,
      onlyFor,
      hint,
      pattern,
      minLength,
      maxLength,
      example,
      ...(options ? { options: [...options] } : {}),
    };
  });
}

/** A complete request for a person. */
export function exampleOf(destination: Destination): Record<string, unknown> {
  const { country, currency, method } = destination;
  const body: Record<string, unknown> = { country, currency, method };
  for (const { name, example } of fieldsFor(destination, 'person')) {
    const [first = '', second] = name.split('.');
    if (second === undefined) body[first] = example;
    else body[first] = { ...(body[first] as object | undefined), [second]: example };
  }
  return body;
}

function keyOf({ country, currency, method }: DestinationKey): string {
  return `${currency} ${country} ${method}`;
}

function notOffered(field: string, message: string, values: readonly string[]): FieldFault {
  return { field, code: 'not_allowed', message, allowed: [...new Set(values)] };
}
