import { expect, it } from 'vitest';
import { zones } from '../../src/kyc/cases/case.js';
import { requirementsOf } from '../../src/kyc/cases/requirements.js';
import { zoneOf } from '../../src/kyc/cases/zones.js';
import { readStep } from '../../src/kyc/checks/answers.js';
import { nationalIdFault } from '../../src/kyc/checks/national-id.js';
import { sandboxOutcomes } from '../../src/providers/payout/sandbox-outcomes.js';
import { identities } from '../../src/sandbox/values/identities.js';
import { clabeOf } from '../../src/sandbox/values/people.js';
import { valueGroups } from '../../src/sandbox/values/values.js';

it('has an identity for every zone that the form of LEVEL_1 accepts as it is', () => {
  expect(identities.map(({ zone }) => zone)).toEqual([...zones]);
  for (const { zone, profile, answers } of identities) {
    expect([zone, zoneOf(profile.countryCode)]).toEqual([zone, zone]);
    for (const step of requirementsOf('LEVEL_1', zone)) {
      const raw = Object.fromEntries(
        step.questions.map(({ id }) => [id, { ...profile, ...answers }[id as 'firstName'] ?? '']),
      );
      expect([zone, step.id, readStep(step.questions, raw, '2026-11-16').faults]).toEqual([zone, step.id, []]);
    }
  }
  expect(nationalIdFault('BR', '390.533.447-06')).toEqual({ code: 'wrong_check_digits' });
});

it('names every outcome of the simulated rail', () => {
  const names = valueGroups[0]?.values.map(({ value }) => value);
  expect(names).toEqual(Object.keys(sandboxOutcomes));
});

it('makes accounts in Mexico whose check digit is right', () => {
  expect(clabeOf('03218000011835971')).toBe('032180000118359719');
});
