/** What a payout needs, by country, currency and method. The tables are in `payouts/`. */
import type { FieldFault } from '../errors.js';
import type { BeneficiaryType, Field } from './fields/field.js';
import { africa } from './payouts/africa.js';
import { africanFrancs } from './payouts/african-francs.js';
import { americas } from './payouts/americas.js';
import { asiaPacific } from './payouts/asia-pacific.js';
import { europe } from './payouts/europe.js';
import type { Payout } from './payouts/payout.js';

/** Every payout that is offered, sorted by currency, country and method. */
export const payouts: readonly Payout[] = [
  ...europe,
  ...americas,
  ...africa,
  ...africanFrancs,
  ...asiaPacific,
].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));

/** Names a payout. */
export interface PayoutKey {
  readonly country: string;
  readonly currency: string;
  readonly method: string;
}

const payoutByKey = new Map(payouts.map((payout) => [keyOf(payout), payout]));

export function findPayout(key: PayoutKey): Payout | undefined {
  return payoutByKey.get(keyOf(key));
}

/** Says which part of the key names nothing, and what it may be. Empty for a payout that is offered. */
export function payoutFaults({ country, currency, method }: PayoutKey): FieldFault[] {
  const withCurrency = payouts.filter((payout) => payout.currency === currency);
  if (withCurrency.length === 0) {
    return [
      notOffered(
        'currency',
        'must be a currency that is paid out',
        payouts.map((payout) => payout.currency),
      ),
    ];
  }
  const inCountry = withCurrency.filter((payout) => payout.country === country);
  if (inCountry.length === 0) {
    const countries = withCurrency.map((payout) => payout.country);
    return [notOffered('country', `must be a country in which ${currency} is paid out`, countries)];
  }
  if (inCountry.some((payout) => payout.method === method)) return [];
  const methods = inCountry.map((payout) => payout.method);
  return [notOffered('method', `must be a method that is offered in ${country} for ${currency}`, methods)];
}

export function fieldsFor({ fields }: Payout, type: BeneficiaryType): Field[] {
  return fields.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === type);
}

/** The types of beneficiary that the payout accepts. */
export function typesOf({ fields }: Payout): BeneficiaryType[] {
  const type = fields.find(({ name }) => name === 'type');
  return (type?.options ?? []).map(({ value }) => value as BeneficiaryType);
}

/** The fields as callers see them. */
export function publishedFields({ fields }: Payout) {
  return fields.map(({ isRequired, onlyFor = null, options, ...field }) => {
    const { name, label, type, hint, pattern, minLength, maxLength, example } = field;
    return {
      ...{ name, label, type, required: isRequired, onlyFor, hint, pattern, minLength, maxLength, example },
      ...(options ? { options: [...options] } : {}),
    };
  });
}

/** A complete request for a person. */
export function exampleOf(payout: Payout): Record<string, unknown> {
  const { country, currency, method } = payout;
  const body: Record<string, unknown> = { country, currency, method };
  for (const { name, example } of fieldsFor(payout, 'person')) {
    const [first = '', second] = name.split('.');
    if (second === undefined) body[first] = example;
    else body[first] = { ...(body[first] as object | undefined), [second]: example };
  }
  return body;
}

function keyOf({ country, currency, method }: PayoutKey): string {
  return `${currency} ${country} ${method}`;
}

function notOffered(field: string, message: string, values: readonly string[]): FieldFault {
  return { field, code: 'not_allowed', message, allowed: [...new Set(values)] };
}
