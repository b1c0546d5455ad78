/**
 * Owns the policy of each country: whether it is served, and with which checks, as a residence, as a nationality and as
 * the place of a payout. Does not own the checks: users, beneficiaries, KYC and orders ask here. Pure.
 */
import { type CountryList, callForAction, comprehensiveSanctions, increasedMonitoring } from './lists.js';

export const countryUses = ['residence', 'nationality', 'payout'] as const;
export type CountryUse = (typeof countryUses)[number];

/** From the mildest to the strictest. `enhanced`: a person looks at each case and each order. */
export const treatments = ['allowed', 'enhanced', 'prohibited'] as const;
export type Treatment = (typeof treatments)[number];

/** What a sender must state in an order that is paid out there. */
export const requiredAnswers = ['sourceOfFunds', 'relationship'] as const;
export type RequiredAnswer = (typeof requiredAnswers)[number];

export interface CountryTerms extends Readonly<Record<CountryUse, Treatment>> {
  readonly answers: readonly RequiredAnswer[];
}

/** What an operator has decided. */
export interface DecidedPolicy extends CountryTerms {
  readonly country: string;
  readonly reason: string;
  readonly version: number;
  readonly updatedAt: Date;
}

export interface CountryPolicy extends CountryTerms {
  readonly country: string;
  /** The lists that name the country. */
  readonly sources: readonly CountryList[];
  /** Undefined: the program's own default. */
  readonly decided: DecidedPolicy | undefined;
}

const served: CountryTerms = { residence: 'allowed', nationality: 'allowed', payout: 'allowed', answers: [] };
/** AMLD art. 18a(1): more information about the purpose and the source of funds, and a person who approves. */
const enhancedTerms: CountryTerms = {
  residence: 'enhanced',
  nationality: 'enhanced',
  payout: 'enhanced',
  answers: ['sourceOfFunds'],
};
/** Nationals who live elsewhere are not under the embargo, but a person must look. */
const embargoed: CountryTerms = { ...enhancedTerms, residence: 'prohibited', payout: 'prohibited' };
const counterMeasures: ReadonlySet<string> = new Set(['IR', 'KP']);

/**
 * The default of a country. In a sandbox nothing is enhanced, because nobody is there who would look; what is
 * prohibited is prohibited.
 */
export function defaultTerms(country: string, mode: 'sandbox' | 'live'): CountryTerms {
  if (comprehensiveSanctions.countries.includes(country) || counterMeasures.has(country))
    return mode === 'live' ? embargoed : { ...embargoed, nationality: 'allowed', answers: [] };
  const isListed = sourcesOf(country).length > 0;
  return mode === 'live' && isListed ? enhancedTerms : served;
}

export function sourcesOf(country: string): readonly CountryList[] {
  return [callForAction, increasedMonitoring, comprehensiveSanctions].filter((list) =>
    list.countries.includes(country),
  );
}

/** Whether a change lets more through than before: then two people decide. */
export function isMilder(before: CountryTerms, after: CountryTerms): boolean {
  return (
    countryUses.some((use) => treatments.indexOf(after[use]) < treatments.indexOf(before[use])) ||
    before.answers.some((answer) => !after.answers.includes(answer))
  );
}

/** Why a person must look at money of these people; one entry for each country and use. */
export interface CountryFinding {
  readonly use: CountryUse;
  readonly country: string;
  readonly treatment: Exclude<Treatment, 'allowed'>;
}

export type CountriesOf = Readonly<Record<CountryUse, readonly string[]>>;

export function countryFindings(policyOf: (country: string) => CountryTerms, countries: CountriesOf): CountryFinding[] {
  return countryUses.flatMap((use) =>
    [...new Set(countries[use])].flatMap((country) => {
      const treatment = policyOf(country)[use];
      return treatment === 'allowed' ? [] : [{ use, country, treatment }];
    }),
  );
}
