/**
 * Countries as a rule of the gate: of the sender's residence and nationality, and of the payout. What is prohibited
 * goes to a person, and no approval lets it pass. Pure.
 */
import type { CountryFinding } from '../../countries/policy.js';
import type { RuleFinding } from '../order/gate.js';

const enhancedCountry = 'country_enhanced';
export const prohibitedCountry = 'country_prohibited';

const wordsOf = { residence: 'The sender lives in', nationality: 'The sender is of', payout: 'The money goes to' };

export function ruleFindingOf({ use, country, treatment }: CountryFinding): RuleFinding {
  const follows =
    treatment === 'prohibited'
      ? 'which the policy of the country prohibits: refuse the order, or freeze it.'
      : 'whose policy asks for a person (FATF R.19, AMLD art. 18a).';
  return {
    rule: treatment === 'prohibited' ? prohibitedCountry : enhancedCountry,
    key: `${use} ${country}`,
    facts: { use, country },
    explanation: `${wordsOf[use]} ${country}, ${follows}`,
  };
}
