/** A case: what belongs together about one person or a group, from the first alert to the report. Pure. */
import type { MerchantId, OperatorId, PublicId } from '../../ids.js';

export type CaseId = PublicId<'cas'>;
export const caseStates = ['open', 'investigating', 'reported', 'closed'] as const;
export type ComplianceCaseState = (typeof caseStates)[number];

/** What may follow a state by decision of an operator; a closed case is opened again when more is known. */
const caseTransitions: Readonly<Record<ComplianceCaseState, readonly ComplianceCaseState[]>> = {
  open: ['investigating', 'closed'],
  investigating: ['closed'],
  reported: ['investigating', 'closed'],
  closed: ['investigating'],
};

/** A reference is named by its id; a text is written by an operator. */
export const referenceKinds = ['user', 'order', 'hit', 'alert', 'case', 'block'] as const;
const textKinds = ['note', 'decision', 'narrative', 'filing'] as const;
export const itemKinds = [...referenceKinds, ...textKinds] as const;
export type ReferenceKind = (typeof referenceKinds)[number];
export type ItemKind = (typeof itemKinds)[number];

export interface ComplianceCase {
  readonly caseId: CaseId;
  readonly state: ComplianceCaseState;
  readonly owner: OperatorId | undefined;
  readonly dueAt: Date;
  readonly version: number;
  readonly openedBy: OperatorId;
  readonly openedAt: Date;
  readonly changedAt: Date;
}

export interface CaseItem {
  readonly number: number;
  readonly kind: ItemKind;
  /** The merchant of a user, an order or a hit. */
  readonly merchantId: MerchantId | undefined;
  readonly reference: string | undefined;
  readonly text: string | undefined;
  readonly addedBy: OperatorId;
  readonly addedAt: Date;
  /** A reference that does not belong to the case any more. */
  readonly removed: { readonly by: OperatorId; readonly at: Date; readonly why: string } | undefined;
}

/** A report is due thirty days after the first look at what it is about (31 CFR 1022.320(b)(3)). */
export const daysToReport = 30;

/** So far from now may a case be due: who needs longer says so again. */
export const longestDays = 90;

/** Only a filing makes a case `reported`. */
export function mayBeReported({ state }: Pick<ComplianceCase, 'state'>): boolean {
  return state === 'investigating' || state === 'reported';
}

export function mayFollow(from: ComplianceCaseState, to: ComplianceCaseState): boolean {
  return from === to || caseTransitions[from].includes(to);
}

export function recordOf({ caseId }: Pick<ComplianceCase, 'caseId'>): string {
  return `compliance_case:${caseId}`;
}
