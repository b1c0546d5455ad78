/** The automatic checks of a submission. A LEVEL_1 that passes them is approved; a reviewer decides everything else. */
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

/** `noted` informs the reviewer and stops nothing; `skipped` means that there was nothing to check. */
export const checkOutcomes = ['passed', 'failed', 'noted', 'skipped'] as const;

/** Stored in plain text with the submission, so it must not contain any answer. */
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

/** A name that does not resemble the registered one fails. Another country is only noted. */
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
