/** A case: what belongs together about one person or a group, from the first alert to the report. Pure. */
import type { MerchantId, OperatorId, PublicId } from '../../ids.js';

export type CaseId = PublicId<'cas'>;
export const caseStates = ['open', 'investigating', 'reported', 'closed'] as const;
export type ComplianceCaseState = (typeof caseStates)[number];

/** What may follow a state. A filing makes a case `reported`; a closed case is opened again when more is known. */
const caseTransitions: Readonly<Record<ComplianceCaseState, readonly ComplianceCaseState[]>> = {
  open: ['investigating', 'closed'],
  investigating: ['reported', 'closed'],
  reported: ['investigating', 'closed'],
  closed: ['investigating'],
};

/** `reference`: named by its id. `text`: written by an operator. */
export const referenceKinds = ['user', 'order', 'hit', 'alert', 'document', 'case', 'block'] as const;
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
  /** The merchant of a user. */
  readonly merchantId: MerchantId | undefined;
  readonly reference: string | undefined;
  readonly text: string | undefined;
  readonly addedBy: OperatorId;
  readonly addedAt: Date;
}

/** A report is due thirty days after the first look at what it is about (31 CFR 1022.320(b)(3)). */
export const daysToReport = 30;

export function mayFollow(from: ComplianceCaseState, to: ComplianceCaseState): boolean {
  return from === to || caseTransitions[from].includes(to);
}

export function recordOf({ caseId }: Pick<ComplianceCase, 'caseId'>): string {
  return `compliance_case:${caseId}`;
}
