/** Seals answers and submissions under the user's retained key, bound to their rows. */
import { bindingOf, checkBinding, digestOf, open, seal, sealBinding } from '../../keys/sealing.js';
import type { Answers, StepId } from '../cases/requirements.js';
import type { CaseRef } from '../cases/sealed.js';

export interface SealedStep {
  readonly step: StepId;
  /** The version of the case, or of its renewal, when the step was saved. */
  readonly caseVersion: number;
  readonly sealedAnswers: Buffer;
}

/** All saved steps, with a seal that detects an older step put back in kycCase of a newer one. */
export interface SealedAnswers {
  readonly steps: readonly SealedStep[];
  readonly answersSeal: Buffer | null;
}

/** The answers of a submission open only together with these values of its row. */
export interface SubmissionColumns {
  readonly version: number;
  readonly consentVersion: string;
  readonly documentIds: readonly string[];
}

export function sealStep(
  key: Buffer,
  kycCase: CaseRef,
  step: Omit<SealedStep, 'sealedAnswers'>,
  answers: Answers,
): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), stepBinding(kycCase, step));
}

export function openStep(key: Buffer, kycCase: CaseRef, step: SealedStep): Answers {
  return JSON.parse(open(key, step.sealedAnswers, stepBinding(kycCase, step)).toString()) as Answers;
}

export function sealAnswers(key: Buffer, kycCase: CaseRef, steps: readonly SealedStep[]): Buffer {
  return sealBinding(key, answersBinding(kycCase, steps));
}

/** Throws when a step is not the one that was saved last, or is missing. */
export function checkAnswers(key: Buffer, kycCase: CaseRef, { steps, answersSeal }: SealedAnswers): void {
  if (steps.length === 0 && answersSeal === null) return;
  checkBinding(key, answersSeal, answersBinding(kycCase, steps));
}

export function sealSubmission(key: Buffer, kycCase: CaseRef, submission: SubmissionColumns, answers: Answers): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), submissionBinding(kycCase, submission));
}

export function openSubmission(
  key: Buffer,
  kycCase: CaseRef,
  submission: SubmissionColumns & { readonly sealedAnswers: Buffer },
): Answers {
  const opened = open(key, submission.sealedAnswers, submissionBinding(kycCase, submission));
  return JSON.parse(opened.toString()) as Answers;
}

function stepBinding(
  { merchantId, userId, caseId }: CaseRef,
  { step, caseVersion }: Omit<SealedStep, 'sealedAnswers'>,
): string {
  return bindingOf('kyc_answers', 'sealed_answers', merchantId, userId, caseId, step, caseVersion);
}

function answersBinding({ merchantId, userId, caseId }: CaseRef, steps: readonly SealedStep[]): string {
  const newest = steps.map(({ step, sealedAnswers }) => `${step} ${digestOf(sealedAnswers)}`).sort();
  return bindingOf('kyc_cases', 'answers_seal', merchantId, userId, caseId, newest);
}

function submissionBinding({ merchantId, userId, caseId }: CaseRef, about: SubmissionColumns): string {
  const { version, consentVersion, documentIds } = about;
  const owner = [merchantId, userId, caseId] as const;
  return bindingOf('kyc_submissions', 'sealed_answers', ...owner, version, consentVersion, documentIds);
}
