/** Names of countries, as lists write them, to two-letter codes. */
import { iso31661 } from 'iso-3166';

/** Names that lists use and ISO 3166 does not. */
const otherNames: Readonly<Record<string, string>> = {
  'bosnia and herzegovina': 'BA',
  bolivia: 'BO',
  brunei: 'BN',
  burma: 'MM',
  'cape verde': 'CV',
  'congo, democratic republic of the': 'CD',
  'democratic republic of the congo': 'CD',
  'congo, republic of the': 'CG',
  "cote d'ivoire": 'CI',
  'czech republic': 'CZ',
  england: 'GB',
  'gaza strip': 'PS',
  iran: 'IR',
  'ivory coast': 'CI',
  'korea, north': 'KP',
  'korea, south': 'KR',
  kosovo: 'XK',
  laos: 'LA',
  macau: 'MO',
  macedonia: 'MK',
  'macedonia, the former yugoslav republic of': 'MK',
  moldova: 'MD',
  netherlands: 'NL',
  'north korea': 'KP',
  'palestinian territories': 'PS',
  palestinian: 'PS',
  palestine: 'PS',
  russia: 'RU',
  'russian federation': 'RU',
  'serbia and montenegro': 'RS',
  'south korea': 'KR',
  syria: 'SY',
  taiwan: 'TW',
  tanzania: 'TZ',
  'the bahamas': 'BS',
  'the gambia': 'GM',
  turkey: 'TR',
  turkiye: 'TR',
  uk: 'GB',
  'united kingdom': 'GB',
  'united states': 'US',
  usa: 'US',
  venezuela: 'VE',
  vietnam: 'VN',
  'west bank': 'PS',
};

const codeByName = new Map([
  ...iso31661.map(({ name, alpha2 }) => [name.toLowerCase(), alpha2] as const),
  ...Object.entries(otherNames),
]);

/** Returns undefined when the name is not known: a country that is not understood is not compared. */
export function countryOfName(name: string): string | undefined {
  return codeByName.get(name.trim().toLowerCase());
}

/** Codes as OpenSanctions writes them: two letters, and a few of states that no longer exist, which are left out. */
export function countryOfCode(code: string): string | undefined {
  const written = code.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(written) ? written : undefined;
}
