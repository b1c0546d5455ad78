/** The automatic checks: what each says, and that only a clean LEVEL_1 passes by itself. */
import { describe, expect, it } from 'vitest';
import { type KycLevel, kycLevels } from '../../src/kyc/cases/case.js';
import type { Answers, QuestionId } from '../../src/kyc/cases/requirements.js';
import { type ReviewInput, reviewCase } from '../../src/kyc/checks/automatic-checks.js';
import { ana } from '../harness/users.js';
import { rightAnswers } from './people.js';

const today = '2026-11-15';

function input(level: KycLevel, given: Answers = {}, more: Partial<ReviewInput> = {}): ReviewInput {
  const steps = rightAnswers(level, 'EEA', today, { countryCode: 'ES', ...given });
  const answers = Object.assign({}, ...steps.map(({ raw }) => raw)) as Answers;
  const attached = new Set<QuestionId>(steps.flatMap(({ documents }) => documents));
  const screening = { listsVersion: 'v1', unusableBecause: undefined, hasUnreadableName: false, hits: [] };
  const nothing = { samePerson: [], countryUses: [], exposures: [] };
  return { level, zone: 'EEA', answers, attached, profile: ana, ...nothing, screening, today, ...more };
}

function failed(given: ReviewInput) {
  return reviewCase(given).checks.filter(({ outcome }) => outcome === 'failed');
}

it('a clean LEVEL_1 of somebody whose country asks for a look is decided by a person', () => {
  const looked = input('LEVEL_1', {}, { countryUses: ['nationality'] });
  expect(reviewCase(looked).verdict).toBe('in_review');
  expect(failed(looked)).toEqual([{ check: 'countries', outcome: 'failed', about: ['nationality'] }]);
});

describe('the verdict', () => {
  it('is approval for a clean case at LEVEL_1 and a person’s eyes above it', () => {
    expect(kycLevels.map((level) => reviewCase(input(level)).verdict)).toEqual([
      ...['approved', 'in_review', 'in_review'],
    ]);
    expect(kycLevels.map((level) => reviewCase(input(level)).isClean)).toEqual([true, true, true]);
  });

  it('is a person’s eyes for whoever is in the table twice, is too young, or left something out', () => {
    const twice = input('LEVEL_1', {}, { samePerson: ['kyc_OTHER'] });
    expect(failed(twice)).toEqual([{ check: 'same_person', outcome: 'failed', about: ['kyc_OTHER'] }]);
    const young = input('LEVEL_1', { dateOfBirth: '2008-11-16' });
    expect(failed(young).map(({ check }) => check)).toEqual(['completeness', 'age']);
    const { nationality: _, ...rest } = input('LEVEL_1').answers;
    expect(failed(input('LEVEL_1', {}, { answers: rest }))).toEqual([
      { check: 'completeness', outcome: 'failed', about: ['person'] },
    ]);
    for (const each of [twice, young]) expect(reviewCase(each).verdict).toBe('in_review');
  });
});

describe('screening', () => {
  const listsVersion = 'v1';

  it('passes without hits and records the version of the lists', () => {
    expect(reviewCase(input('LEVEL_1')).checks).toContainEqual({
      ...{ check: 'screening', outcome: 'passed', listsVersion },
    });
  });

  it('sends a LEVEL_1 to review when there is a hit, or when a list is missing or too old', () => {
    const hit = input(
      'LEVEL_1',
      {},
      { screening: { listsVersion, unusableBecause: undefined, hasUnreadableName: false, hits: ['hit_1'] } },
    );
    expect(failed(hit)).toEqual([{ check: 'screening', outcome: 'failed', about: ['hit_1'], listsVersion }]);
    const old = { listsVersion, unusableBecause: 'ofac: is too old', hasUnreadableName: false, hits: [] };
    const unscreened = input('LEVEL_1', {}, { screening: old });
    expect(failed(unscreened)).toEqual([
      { check: 'screening', outcome: 'failed', about: ['ofac: is too old'], listsVersion },
    ]);
    for (const each of [hit, unscreened]) expect(reviewCase(each).verdict).toBe('in_review');
  });
});

describe('the registered name', () => {
  it('may be written in another script than the declared one, but must be the same name', () => {
    const ivan = { ...ana, firstName: 'Иван', lastName: 'Петров' };
    const named = (firstName: string, lastName: string) =>
      failed(input('LEVEL_1', { firstName, lastName, secondSurname: '' }, { profile: ivan }));
    expect(named('Ivan', 'Petrov')).toEqual([]);
    expect(named('Boris', 'Sidorov').map(({ check }) => check)).toEqual(['registration_match']);
  });
});

describe('the checks of a document', () => {
  const outcomes = (given: Answers) =>
    Object.fromEntries(reviewCase(input('LEVEL_2', given)).checks.map(({ check, outcome }) => [check, outcome]));

  it('are skipped where there is none', () => {
    const { checks } = reviewCase(input('LEVEL_1'));
    expect(checks.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)).toEqual([
      ...['document_expiry', 'mrz_check_digits', 'mrz_match'],
    ]);
  });

  it('see one that has expired, by the merchant’s date', () => {
    expect(outcomes({ documentExpiresOn: today }).document_expiry).toBe('passed');
    expect(outcomes({ documentExpiresOn: '2026-11-14' }).document_expiry).toBe('failed');
  });

  it('see a zone with wrong check digits, and one that says otherwise than the person', () => {
    const mrz = 'P<FRAERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36FRA7408122F1204159ZE184226B<<<<<10';
    const differs = reviewCase(input('LEVEL_2', { documentMrz: mrz })).checks;
    expect(differs.filter(({ check }) => check.startsWith('mrz'))).toEqual([
      { check: 'mrz_check_digits', outcome: 'passed' },
      {
        check: 'mrz_match',
        outcome: 'failed',
        about: ['name', 'dateOfBirth', 'nationality', 'documentNumber', 'documentCountry', 'documentExpiresOn'],
      },
    ]);
    const broken = { documentMrz: mrz.replace('L898902C36', 'L898902C37') };
    expect(outcomes(broken).mrz_check_digits).toBe('failed');
  });
});

describe('the registration', () => {
  it('leaves LEVEL_1 to a person under a name wholly unlike the declared one', () => {
    const other = reviewCase(input('LEVEL_1', { firstName: 'Bruno', lastName: 'Silva', countryCode: 'PT' }));
    expect(other.checks.at(-1)).toEqual({
      check: 'registration_match',
      outcome: 'failed',
      about: ['name', 'countryCode'],
    });
    expect(other.verdict).toBe('in_review');
    const alike = reviewCase(input('LEVEL_1', { firstName: 'ANA', lastName: 'Nunez' }));
    expect(alike.checks.at(-1)?.outcome).toBe('passed');
    expect(alike.verdict).toBe('approved');
  });

  it('is noted in another country and stops nobody', () => {
    const moved = reviewCase(input('LEVEL_1', { countryCode: 'PT', postalCode: '1250-096' }));
    expect(moved.checks.at(-1)).toEqual({
      check: 'registration_match',
      outcome: 'noted',
      about: ['countryCode'],
    });
    expect(moved.verdict).toBe('approved');
  });

  it('keeps no value that the person entered', () => {
    const given = input('LEVEL_3', { firstName: 'Marker', documentNumber: 'MARKER1', lastName: 'Other' });
    const text = JSON.stringify(reviewCase({ ...given, samePerson: ['kyc_X'] }).checks);
    for (const value of Object.values(given.answers)) {
      if (value.length > 3) expect(text).not.toContain(value);
    }
  });
});
