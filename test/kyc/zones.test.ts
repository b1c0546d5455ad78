/** Zones are regulatory perimeters: every country is in exactly one. */
import { iso31661 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { zones } from '../../src/kyc/cases/case.js';
import { countriesOf, zoneOf } from '../../src/kyc/cases/zones.js';

const assigned = zones.flatMap((zone) => countriesOf(zone));

describe('the zones', () => {
  it('hold every country of ISO 3166-1, and nothing else', () => {
    expect(assigned.toSorted()).toEqual(iso31661.map(({ alpha2 }) => alpha2).sort());
  });

  it('hold no country twice', () => {
    expect(assigned.filter((country, index) => assigned.indexOf(country) !== index)).toEqual([]);
    expect(assigned).toHaveLength(249);
  });

  it('answer the zone of a country, and nothing for what is none', () => {
    const asked = ['US', 'PR', 'CA', 'GB', 'JE', 'FR', 'GF', 'NO', 'CH', 'TR', 'MX', 'HT', 'AE', 'EG', 'NG', 'JP'];
    expect(asked.map(zoneOf)).toEqual([
      ...['US', 'US', 'CA', 'GB', 'EUROPE_OTHER', 'EEA', 'EEA', 'EEA', 'CH', 'EUROPE_OTHER'],
      ...['LATAM', 'LATAM', 'MENA', 'MENA', 'AFRICA', 'APAC'],
    ]);
    expect(['XX', '', 'us', 'USA', '__proto__'].map(zoneOf)).toEqual(Array(5).fill(undefined));
  });
});
