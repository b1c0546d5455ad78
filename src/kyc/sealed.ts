/** What a person enters and what operators write about it, sealed under the user's retained key and bound to its place. */
import { open, seal } from '../sealing.js';
import type { KycCase } from './case.js';
import type { Answers, StepId } from './requirements.js';

type Place = Pick<KycCase, 'merchantId' | 'caseId'>;

export function sealStep(key: Buffer, place: Place, step: StepId, answers: Answers): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), stepPlace(place, step));
}

export function openStep(key: Buffer, place: Place, step: StepId, sealed: Buffer): Answers {
  return JSON.parse(open(key, sealed, stepPlace(place, step)).toString()) as Answers;
}

export function sealSubmission(key: Buffer, place: Place, version: number, answers: Answers): Buffer {
  return seal(key, Buffer.from(JSON.stringify(answers)), submissionPlace(place, version));
}

export function openSubmission(key: Buffer, place: Place, version: number, sealed: Buffer): Answers {
  return JSON.parse(open(key, sealed, submissionPlace(place, version)).toString()) as Answers;
}

export function sealReason(key: Buffer, place: Place, version: number, reason: string): Buffer {
  return seal(key, Buffer.from(reason), reasonPlace(place, version));
}

export function openReason(key: Buffer, place: Place, version: number, sealed: Buffer): string {
  return open(key, sealed, reasonPlace(place, version)).toString();
}

function stepPlace({ merchantId, caseId }: Place, step: StepId): string {
  return `kyc_answers|sealed_answers|${merchantId}|${caseId}|${step}`;
}

function submissionPlace({ merchantId, caseId }: Place, version: number): string {
  return `kyc_submissions|sealed_answers|${merchantId}|${caseId}|${version}`;
}

function reasonPlace({ merchantId, caseId }: Place, version: number): string {
  return `kyc_history|sealed_internal_reason|${merchantId}|${caseId}|${version}`;
}
