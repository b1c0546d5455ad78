/**
 * Owns the verification of users: what each level asks in each zone, the cases, the answers, and the decisions.
 * Does not own the users, nor what a level allows (orders). Reports changes to merchants through webhooks.
 */
import { RemesaError } from '../../errors.js';
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { KycLevel } from '../../kyc-level.js';

export { type KycLevel, kycLevels, levelsUpTo } from '../../kyc-level.js';

/** The legal areas; `zones.ts` assigns each country to one. */
export const zones = ['US', 'CA', 'GB', 'EEA', 'CH', 'EUROPE_OTHER', 'LATAM', 'MENA', 'AFRICA', 'APAC'] as const;
export type Zone = (typeof zones)[number];

export const caseStates = [
  'PENDING',
  'SUBMITTED',
  'IN_REVIEW',
  'APPROVED',
  'REJECTED',
  'ACTION_REQUIRED',
  'EXPIRED',
  'REVOKED',
] as const;
export type CaseState = (typeof caseStates)[number];

/** A renewal goes through the states of a new case until it is approved, and is over then. */
export const renewalStates = ['PENDING', 'SUBMITTED', 'IN_REVIEW', 'REJECTED', 'ACTION_REQUIRED'] as const;
export type RenewalState = (typeof renewalStates)[number];

/** The reasons that merchants and users see. The internal reason, in free words, is for operators only. */
export const publicReasons = [
  'blurry',
  'cropped',
  'expired_document',
  'wrong_document',
  'unsupported_document',
  'mismatch',
  'incomplete',
  'underage',
  'COMPLIANCE',
  'other',
] as const;
export type PublicReason = (typeof publicReasons)[number];

/** What operators can request again: a whole step, or one document of it. */
export const parts = [
  'person',
  'address',
  'identification',
  'document',
  'documentFront',
  'documentBack',
  'selfie',
  'proofOfAddress',
  'funds',
] as const;
export type Part = (typeof parts)[number];

/** How far a form has got: the form of a case, or of its renewal. */
export interface FormProgress {
  readonly state: CaseState;
  /** Of the case at the last change of this state. Answers, documents and submissions carry it. */
  readonly version: number;
  /** A rejection that no new form can follow. */
  readonly isFinal: boolean;
  readonly reasons: readonly PublicReason[];
  readonly requestedParts: readonly Part[];
}

export interface Renewal extends FormProgress {
  readonly state: RenewalState;
}

/** `version` counts the changes of state, of the case and of its renewal. */
export interface KycCase extends FormProgress {
  readonly merchantId: MerchantId;
  readonly caseId: PublicId<'kyc'>;
  readonly userId: UserId;
  readonly level: KycLevel;
  readonly zone: Zone;
  /** Present while an approval is being renewed, and after that was rejected. The case keeps its own state meanwhile. */
  readonly renewal: Renewal | undefined;
  /** The user was deleted, and nothing of the case changes any more. */
  readonly isClosed: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly submittedAt: Date | undefined;
  readonly decidedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** A case as merchants see it, also in notifications. It holds nothing personal. */
export interface CaseView {
  readonly id: string;
  readonly userId: number;
  readonly kycLevel: KycLevel;
  readonly zone: Zone;
  readonly status: CaseState;
  readonly reasons: PublicReason[];
  readonly requestedParts: Part[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly submittedAt: string | null;
  readonly decidedAt: string | null;
  readonly expiresAt: string | null;
  readonly renewal: RenewalView | null;
}

export interface RenewalView {
  readonly status: RenewalState;
  readonly reasons: PublicReason[];
  readonly requestedParts: Part[];
}

export function viewOfCase(kycCase: KycCase): CaseView {
  return {
    id: kycCase.caseId,
    userId: kycCase.userId,
    kycLevel: kycCase.level,
    zone: kycCase.zone,
    status: kycCase.state,
    reasons: [...kycCase.reasons],
    requestedParts: [...kycCase.requestedParts],
    createdAt: kycCase.createdAt.toISOString(),
    updatedAt: kycCase.updatedAt.toISOString(),
    submittedAt: kycCase.submittedAt?.toISOString() ?? null,
    decidedAt: kycCase.decidedAt?.toISOString() ?? null,
    expiresAt: kycCase.expiresAt?.toISOString() ?? null,
    renewal: kycCase.renewal ? viewOfRenewal(kycCase.renewal) : null,
  };
}

function viewOfRenewal({ state, reasons, requestedParts }: Renewal): RenewalView {
  return { status: state, reasons: [...reasons], requestedParts: [...requestedParts] };
}

/** What the form, its submission and its review are about: the renewal when there is one, otherwise the case itself. */
export function progressOf(kycCase: KycCase): FormProgress {
  return kycCase.renewal ?? kycCase;
}

export function caseNotFound(): RemesaError {
  return new RemesaError('not_found', 'kyc_case_not_found', 'There is no such case.');
}
