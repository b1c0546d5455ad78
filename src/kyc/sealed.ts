/** What a person enters and what operators write about it, sealed under the user's retained key and bound to its place. */
import { bindingOf, checkBinding, digestOf, open, seal, sealBinding } from '../keys/sealing.js';
import type { KycCase } from './case.js';
import type { StoredDocument } from './documents/document-vault.js';
import type { Answers, StepId } from './requirements.js';

export type CasePlace = Pick<KycCase, 'merchantId' | 'caseId' | 'userId'>;

export interface SealedStep {
  readonly step: StepId;
  /** Of the case when the step was entered. */
  readonly caseVersion: number;
  readonly sealedAnswers: Buffer;
}

/** Every step that was entered, and the proof that none of them is an older one put back. */
export interface SealedAnswers {
  readonly steps: readonly SealedStep[];
  readonly answersSeal: Buffer | null;
}

/** What a submission is about; its answers open only together with it. */
export interface SubmissionPlace {
  readonly version: number;
  readonly consentVersion: string;
  readonly documentIds: readonly string[];
}

export function sealStep(
  key: Buffer,
  place: CasePlace,
  step: Omit<SealedStep, 'sealedAnswers'>,
  answers: Answers,
): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), stepPlace(place, step));
}

export function openStep(key: Buffer, place: CasePlace, step: SealedStep): Answers {
  return JSON.parse(open(key, step.sealedAnswers, stepPlace(place, step)).toString()) as Answers;
}

export function sealAnswers(key: Buffer, place: CasePlace, steps: readonly SealedStep[]): Buffer {
  return sealBinding(key, answersPlace(place, steps));
}

/** Throws when a step is not the one that was saved last, or is missing. */
export function checkAnswers(key: Buffer, place: CasePlace, { steps, answersSeal }: SealedAnswers): void {
  if (steps.length === 0 && answersSeal === null) return;
  checkBinding(key, answersSeal, answersPlace(place, steps));
}

export function sealSubmission(
  key: Buffer,
  place: CasePlace,
  submission: SubmissionPlace,
  answers: Answers,
): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), submissionPlace(place, submission));
}

export function openSubmission(
  key: Buffer,
  place: CasePlace,
  submission: SubmissionPlace & { readonly sealedAnswers: Buffer },
): Answers {
  const opened = open(key, submission.sealedAnswers, submissionPlace(place, submission));
  return JSON.parse(opened.toString()) as Answers;
}

export function sealDocument(key: Buffer, place: CasePlace, document: StoredDocument): Buffer {
  return sealBinding(key, documentPlace(place, document));
}

/** Throws when the document was uploaded by another user, for another question, or as another type. */
export function checkDocument(
  key: Buffer,
  place: CasePlace,
  document: StoredDocument & { readonly seal: Buffer | null },
): void {
  checkBinding(key, document.seal, documentPlace(place, document));
}

export function sealReason(key: Buffer, place: CasePlace, version: number, reason: string): Buffer {
  return seal(key, Buffer.from(reason), reasonPlace(place, version));
}

export function openReason(key: Buffer, place: CasePlace, version: number, sealed: Buffer): string {
  return open(key, sealed, reasonPlace(place, version)).toString();
}

function stepPlace(
  { merchantId, userId, caseId }: CasePlace,
  { step, caseVersion }: Omit<SealedStep, 'sealedAnswers'>,
): string {
  return bindingOf('kyc_answers', 'sealed_answers', merchantId, userId, caseId, step, caseVersion);
}

function answersPlace({ merchantId, userId, caseId }: CasePlace, steps: readonly SealedStep[]): string {
  const newest = steps.map(({ step, sealedAnswers }) => `${step} ${digestOf(sealedAnswers)}`).sort();
  return bindingOf('kyc_cases', 'answers_seal', merchantId, userId, caseId, newest);
}

function submissionPlace({ merchantId, userId, caseId }: CasePlace, about: SubmissionPlace): string {
  const { version, consentVersion, documentIds } = about;
  const owner = [merchantId, userId, caseId] as const;
  return bindingOf('kyc_submissions', 'sealed_answers', ...owner, version, consentVersion, documentIds);
}

function documentPlace({ merchantId, userId, caseId }: CasePlace, document: StoredDocument): string {
  const { documentId, question, mediaType, bytes } = document;
  const owner = [merchantId, userId, caseId] as const;
  return bindingOf('kyc_documents', 'seal', ...owner, documentId, question, mediaType, bytes);
}

/**
 * As it was in format 1, which is enough: a row of the history never changes, and the key is the user's own. None of
 * the parts can hold a `|`.
 */
function reasonPlace({ merchantId, caseId }: CasePlace, version: number): string {
  return `kyc_history|sealed_internal_reason|${merchantId}|${caseId}|${version}`;
}
