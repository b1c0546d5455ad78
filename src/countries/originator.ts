/** What must be known of a sender before money leaves: by corridor and amount, each demand with its article. Pure. */
import { eeaCountries } from './lists.js';

export const originatorParts = ['address', 'document_number', 'birth_date_and_place'] as const;
export type OriginatorPart = (typeof originatorParts)[number];

export interface OriginatorDemand {
  readonly name: string;
  readonly article: string;
  readonly source: string;
  /** To all; out of the EEA by a licensee there; by senders who live in the United States. */
  readonly appliesTo: 'all' | 'out_of_eea' | 'from_us';
  /** From this value in US cents, as limits count an order. */
  readonly fromUsdMinor: bigint;
  /** One of these lists must be complete. The name, and the reference of the transfer, are always there. */
  readonly anyOf: readonly (readonly OriginatorPart[])[];
}

/**
 * EUR 1,000 is written as USD 1,000, which is less while a euro is worth more than a dollar. A licensee in the EEA may
 * know less of smaller transfers (art. 6(2)); FATF's recommendation then still holds.
 */
const originatorDemands: readonly OriginatorDemand[] = [
  {
    name: 'FATF recommendation 16',
    article: 'FATF R.16, interpretive note',
    source: 'https://www.fatf-gafi.org/en/publications/Fatfrecommendations/Fatf-recommendations.html',
    appliesTo: 'all',
    fromUsdMinor: 0n,
    anyOf: [['address'], ['document_number'], ['birth_date_and_place']],
  },
  {
    name: 'Transfer of funds out of the EEA',
    article: 'Regulation (EU) 2023/1113 art. 4(1)(c)',
    source: 'https://eur-lex.europa.eu/eli/reg/2023/1113/oj',
    appliesTo: 'out_of_eea',
    fromUsdMinor: 1_000_00n,
    anyOf: [['address', 'document_number'], ['birth_date_and_place']],
  },
  {
    name: 'Transmittal of funds',
    article: '31 CFR 1010.410(f)(1)',
    source: 'https://www.ecfr.gov/current/title-31/section-1010.410',
    appliesTo: 'from_us',
    fromUsdMinor: 3_000_00n,
    anyOf: [['address']],
  },
];

export interface OriginatorCorridor {
  /** Where the licensee has its head office. Undefined: wherever. */
  readonly licensedIn: string | undefined;
  /** Where the sender lives. Undefined: wherever. */
  readonly residence: string | undefined;
  readonly payout: string;
}

export function demandsIn(corridor: OriginatorCorridor): OriginatorDemand[] {
  return originatorDemands.filter(({ appliesTo }) => isMet(appliesTo, corridor));
}

/** Undefined counts as above every amount: without a rate nobody knows what the order is worth. */
export function isFrom({ fromUsdMinor }: OriginatorDemand, usdMinor: bigint | undefined): boolean {
  return usdMinor === undefined || usdMinor >= fromUsdMinor;
}

/** What is missing for the list that needs least. Empty when one is complete. */
export function missingFor({ anyOf }: OriginatorDemand, known: ReadonlySet<OriginatorPart>): readonly OriginatorPart[] {
  const gaps = anyOf.map((parts) => parts.filter((part) => !known.has(part)));
  return gaps.reduce((least, gap) => (gap.length < least.length ? gap : least));
}

function isMet(
  appliesTo: OriginatorDemand['appliesTo'],
  { licensedIn, residence, payout }: OriginatorCorridor,
): boolean {
  if (appliesTo === 'all') return true;
  if (appliesTo === 'from_us') return residence === undefined || residence === 'US';
  const isLicensedThere = licensedIn === undefined || eeaCountries.includes(licensedIn);
  return isLicensedThere && !eeaCountries.includes(payout);
}
