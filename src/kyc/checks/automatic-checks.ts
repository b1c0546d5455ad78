/** The automatic checks of a submission. A LEVEL_1 that passes them is approved; a reviewer decides everything else. */
import { nameSimilarity } from '../../screening/matching/compare-names.js';
import type { Profile } from '../../users/user.js';
import type { KycLevel, Zone } from '../cases/case.js';
import { type Answers, type QuestionId, requirementsOf } from '../cases/requirements.js';
import { incompleteSteps } from './answers.js';
import type { Check, CheckName } from './check.js';
import { isAdult } from './dates.js';
import { mismatches, readMrz } from './mrz.js';
import { resembles } from './names.js';
import { declaredNames, documentNames } from './person-names.js';

/** What the lists say about the person, from one snapshot of them. */
export interface ScreeningOutcome {
  readonly listsVersion: string;
  /** Why nobody can be cleared now: a list is missing or too old. */
  readonly unusableBecause: string | undefined;
  /** A name is written so that it cannot be compared well: a person must look at it. */
  readonly hasUnreadableName: boolean;
  /** Open and confirmed hits, by id. */
  readonly hits: readonly string[];
}

/** From this score on, two names can be those of one person. */
const similarScore = 75;

export interface ReviewInput {
  readonly level: KycLevel;
  readonly zone: Zone;
  readonly answers: Answers;
  readonly attached: ReadonlySet<QuestionId>;
  /** As the merchant registered the user. */
  readonly profile: Profile | undefined;
  /** Cases of other users with the same name and birth date. */
  readonly samePerson: readonly string[];
  readonly screening: ScreeningOutcome;
  /** How countries of the person are used whose policy asks for a look, such as `residence`. Never the country. */
  readonly countryUses: readonly string[];
  /** Confirmed hits of politically exposed people, by id. */
  readonly exposures: readonly string[];
  readonly today: string;
}

export interface Review {
  readonly isClean: boolean;
  readonly verdict: 'approved' | 'in_review';
  readonly checks: readonly Check[];
}

export function reviewCase(input: ReviewInput): Review {
  const checks = [
    completeness(input),
    age(input),
    documentExpiry(input),
    ...mrzChecks(input),
    samePerson(input),
    screening(input),
    failing('countries', input.countryUses),
    politicalExposure(input),
    registrationMatch(input),
  ];
  const isClean = checks.every(({ outcome }) => outcome !== 'failed');
  return { isClean, checks, verdict: isClean && input.level === 'LEVEL_1' ? 'approved' : 'in_review' };
}

function completeness({ level, zone, answers, attached, today }: ReviewInput): Check {
  return failing('completeness', incompleteSteps(requirementsOf(level, zone), answers, attached, today));
}

function age({ answers, today }: ReviewInput): Check {
  const isOfAge = answers.dateOfBirth !== undefined && isAdult(answers.dateOfBirth, today);
  return { check: 'age', outcome: isOfAge ? 'passed' : 'failed' };
}

function documentExpiry({ answers, today }: ReviewInput): Check {
  const { documentExpiresOn } = answers;
  if (documentExpiresOn === undefined) return { check: 'document_expiry', outcome: 'skipped' };
  return { check: 'document_expiry', outcome: documentExpiresOn >= today ? 'passed' : 'failed' };
}

function mrzChecks({ answers }: ReviewInput): Check[] {
  const mrz = answers.documentMrz === undefined ? undefined : readMrz(answers.documentMrz);
  if (!mrz) {
    return [
      { check: 'mrz_check_digits', outcome: 'skipped' },
      { check: 'mrz_match', outcome: 'skipped' },
    ];
  }
  return [
    { check: 'mrz_check_digits', outcome: mrz.areCheckDigitsRight ? 'passed' : 'failed' },
    failing('mrz_match', mismatches(mrz, answers)),
  ];
}

function samePerson(input: ReviewInput): Check {
  return failing('same_person', input.samePerson);
}

/** A declared function is no fault, but a person decides about it, with the approval that the law asks for. */
function politicalExposure({ answers: { politicallyExposed = 'no' }, exposures }: ReviewInput): Check {
  const declared = politicallyExposed === 'no' ? [] : ['politicallyExposed'];
  return failing('political_exposure', [...declared, ...exposures]);
}

/** A name that does not resemble the registered one fails. Another country is only noted. */
function registrationMatch({ answers, profile }: ReviewInput): Check {
  if (!profile) return { check: 'registration_match', outcome: 'skipped' };
  const isNamed = isRegisteredName(answers, profile);
  const about = [...(isNamed ? [] : ['name']), ...(answers.countryCode === profile.countryCode ? [] : ['countryCode'])];
  if (about.length === 0) return { check: 'registration_match', outcome: 'passed' };
  return { check: 'registration_match', outcome: isNamed ? 'noted' : 'failed', about };
}

/** Whether the declared name can be the registered one, also across scripts: Иван Петров is Ivan Petrov. */
export function isRegisteredName(answers: Answers, profile: Profile): boolean {
  if (resembles(answers, profile)) return true;
  const { firstName, lastName } = profile;
  const names = [...declaredNames(answers), ...documentNames(answers)];
  return nameSimilarity(`${firstName} ${lastName}`, names) >= similarScore;
}

function screening({ screening: { listsVersion, unusableBecause, hasUnreadableName, hits } }: ReviewInput): Check {
  const unreadable = hasUnreadableName ? ['a name cannot be compared well as it is written: compare it yourself'] : [];
  const about = [...(unusableBecause === undefined ? [] : [unusableBecause]), ...unreadable, ...hits];
  return { ...failing('screening', about), listsVersion };
}

function failing(check: CheckName, about: readonly string[]): Check {
  return about.length === 0 ? { check, outcome: 'passed' } : { check, outcome: 'failed', about };
}
