/** How people of a country write dates, and what they call parts of an address. */
import type { QuestionId } from '../../../kyc/cases/requirements.js';
import { countriesOf } from '../../../kyc/cases/zones.js';

export const dateBoxes = ['day', 'month', 'year'] as const;
export type DateBox = (typeof dateBoxes)[number];

const withTerritories = 'US AS GU MP PR UM VI';
const monthFirst = new Set(`${withTerritories} FM MH PH PW`.split(' '));
const yearFirst = new Set('CA CN HU IR JP KP KR LT MN SE TW'.split(' '));

/** The order in which people of the country write a date. */
export function boxesIn(country: string | undefined): readonly DateBox[] {
  if (country !== undefined && monthFirst.has(country)) return ['month', 'day', 'year'];
  if (country !== undefined && yearFirst.has(country)) return ['year', 'month', 'day'];
  return dateBoxes;
}

type LocalName =
  | 'zipCode'
  | 'postcode'
  | 'eircode'
  | 'pinCode'
  | 'cep'
  | 'state'
  | 'provinceOrTerritory'
  | 'firstSurname';

/** Questions that have another name in some countries; the catalogues have the words. */
const localNames: Readonly<Partial<Record<QuestionId, readonly (readonly [LocalName, string])[]>>> = {
  postalCode: [
    ['zipCode', `${withTerritories} FM MH PH PW`],
    ['postcode', 'GB AU CX CC GG GI IM JE MY NF NZ ZA'],
    ['eircode', 'IE'],
    ['pinCode', 'IN'],
    ['cep', 'BR'],
  ],
  // Where a second surname is asked for too.
  lastName: [['firstSurname', countriesOf('LATAM').join(' ')]],
  stateProvince: [
    ['state', `${withTerritories} AU BR IN MX MY NG VE`],
    ['provinceOrTerritory', 'CA'],
  ],
};

/** Returns undefined where the usual name is right. */
export function localNameOf(question: QuestionId, country: string | undefined): LocalName | undefined {
  if (country === undefined) return undefined;
  return localNames[question]?.find(([, countries]) => countries.split(' ').includes(country))?.[0];
}
