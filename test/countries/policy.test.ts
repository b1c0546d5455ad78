/** What the lists say about countries, and which changes need two people. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callForAction, comprehensiveSanctions, increasedMonitoring } from '../../src/countries/lists.js';
import {
  type CountryTerms,
  countryFindings,
  countryUses,
  defaultTerms,
  isMilder,
  requiredAnswers,
  treatments,
} from '../../src/countries/policy.js';

describe('the default policy of a country', () => {
  it('prohibits what is under an embargo, and has a person look at every country of the FATF', () => {
    for (const country of ['KP', 'IR', 'CU'])
      expect(defaultTerms(country, 'live')).toMatchObject({ residence: 'prohibited', payout: 'prohibited' });
    for (const country of [...callForAction.countries, ...increasedMonitoring.countries])
      for (const use of countryUses) expect(defaultTerms(country, 'live')[use]).not.toBe('allowed');
    expect(defaultTerms('ES', 'live')).toEqual({
      ...{ residence: 'allowed', nationality: 'allowed', payout: 'allowed', answers: [] },
    });
    expect(defaultTerms('KE', 'sandbox').payout).toBe('allowed');
    expect(defaultTerms('KP', 'sandbox').payout).toBe('prohibited');
  });

  it('names a source and a date for every list', () => {
    for (const list of [callForAction, increasedMonitoring, comprehensiveSanctions]) {
      expect(list.source).toMatch(/^https:/);
      expect(list.date).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(new Set(list.countries).size).toBe(list.countries.length);
    }
  });
});

const anyTerms: fc.Arbitrary<CountryTerms> = fc.record({
  residence: fc.constantFrom(...treatments),
  nationality: fc.constantFrom(...treatments),
  payout: fc.constantFrom(...treatments),
  answers: fc.subarray([...requiredAnswers]),
});

describe('a change of a policy', () => {
  it('is milder exactly when some money is stopped before and not after', () => {
    fc.assert(
      fc.property(anyTerms, anyTerms, (before, after) => {
        // The oracle counts what each policy stops, by every use alone.
        const stopped = (terms: CountryTerms) =>
          new Set([
            ...countryUses.flatMap((use) =>
              treatments.slice(1, treatments.indexOf(terms[use]) + 1).map((treatment) => `${use} ${treatment}`),
            ),
            ...terms.answers,
          ]);
        const now = stopped(after);
        expect(isMilder(before, after)).toBe([...stopped(before)].some((what) => !now.has(what)));
      }),
    );
  });

  it('finds each use of a country once, and none that is allowed', () => {
    const terms = (country: string): CountryTerms =>
      country === 'XA' ? defaultTerms('KP', 'live') : defaultTerms('ES', 'live');
    const countries = { residence: ['XA', 'XA', 'XB'], nationality: ['XB'], payout: ['XA'] };
    expect(countryFindings(terms, countries)).toEqual([
      { use: 'residence', country: 'XA', treatment: 'prohibited' },
      { use: 'payout', country: 'XA', treatment: 'prohibited' },
    ]);
  });
});
