/** The beneficiary of an order as screening asks for it. Pure. */
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { Subject } from '../../screening/screening.js';

export function subjectOf({ type, firstName, lastName, companyName, country, address }: Details): Subject {
  const isPerson = type === 'person';
  const name = isPerson ? [firstName, lastName].filter((part) => part !== undefined).join(' ') : companyName;
  const countries = [country, address.country].filter((code) => code !== undefined && code !== '');
  return {
    kind: isPerson ? 'person' : 'organisation',
    names: name === undefined ? [] : [name],
    countries: [...new Set(countries)] as string[],
  };
}
