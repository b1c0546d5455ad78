/** What a machine can say of a complete case. A clean LEVEL_1 needs no more; everything else is for a person to look at. */
import type { Profile } from '../../users/user.js';
import type { KycLevel, Zone } from '../case.js';
import { incompleteSteps } from '../checks/answers.js';
import { isAdult } from '../checks/dates.js';
import { mismatches, readMrz } from '../checks/mrz.js';
import { resembles } from '../checks/names.js';
import { type Answers, type QuestionId, requirementsOf } from '../requirements.js';

export const checkNames = [
  'completeness',
  'age',
  'document_expiry',
  'mrz_check_digits',
  'mrz_match',
  'same_person',
  'registration_match',
] as const;
export type CheckName = (typeof checkNames)[number];

/** `noted` is for the eye of a person and stops nothing; `skipped` means there was nothing to look at. */
export const checkOutcomes = ['passed', 'failed', 'noted', 'skipped'] as const;

/** Kept with the submission: no value that a person entered may stand in it. */
export interface Check {
  readonly check: CheckName;
  readonly outcome: (typeof checkOutcomes)[number];
  /** Names of questions, or ids of other cases. */
  readonly about?: readonly string[];
}

export interface ReviewInput {
  readonly level: KycLevel;
  readonly zone: Zone;
  readonly answers: Answers;
  readonly attached: ReadonlySet<QuestionId>;
  /** As the merchant registered the user. */
  readonly profile: Profile | undefined;
  /** Cases of other users with the same name and birth date. */
  readonly samePerson: readonly string[];
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

/** A name wholly unlike the registered one fails: a person decides. Another country is only noted. */
function registrationMatch({ answers, profile }: ReviewInput): Check {
  if (!profile) return { check: 'registration_match', outcome: 'skipped' };
  const isNamed = resembles(answers, profile);
  const about = [
    ...(isNamed ? [] : ['name']),
    ...(answers.countryCode === profile.countryCode ? [] : ['countryCode']),
  ];
  if (about.length === 0) return { check: 'registration_match', outcome: 'passed' };
  return { check: 'registration_match', outcome: isNamed ? 'noted' : 'failed', about };
}

function failing(check: CheckName, about: readonly string[]): Check {
  return about.length === 0 ? { check, outcome: 'passed' } : { check, outcome: 'failed', about };
}
