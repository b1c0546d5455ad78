/** A recall asks a bank to give a payment back that has left. This file has its states. Types and pure rules. */
import type { PublicId } from '../../ids.js';
import type { RecallOutcome } from '../../iso20022/payment-status.js';
import type { BatchId } from '../batches/batch.js';

export type RecallId = PublicId<'rcl'>;

/** `ASKED`: no answer yet. `PENDING`: the bank asks the beneficiary. */
export const recallStates = ['ASKED', 'PENDING', 'ACCEPTED', 'REFUSED'] as const;
export type RecallState = (typeof recallStates)[number];

/** Codes of ISO 20022 that banks know as reasons of a recall. */
export const recallReasons = ['DUPL', 'TECH', 'FRAD', 'CUST', 'AM09', 'AC03'] as const;
export type RecallReason = (typeof recallReasons)[number];

export interface Recall {
  readonly recallId: RecallId;
  readonly batchId: BatchId;
  readonly attemptId: string;
  readonly accountId: string;
  /** The end-to-end id of the payment. */
  readonly reference: string;
  readonly reason: RecallReason;
  readonly fileName: string;
  readonly state: RecallState;
  /** What the bank answered, such as `RJCR NOAS`. */
  readonly answer: string | undefined;
  readonly askedAt: Date;
  readonly answeredAt: Date | undefined;
}

export function recallMessageId(recallId: RecallId): string {
  return `RCL${recallId.slice('rcl_'.length)}`;
}

export function caseIdOf(recallId: RecallId): string {
  return `CXL${recallId.slice('rcl_'.length)}`;
}

/** Undefined for a case that is none of ours. */
export function recallIdOfCase(caseId: string | undefined): string | undefined {
  const [, tail] = /^CXL([0-9A-HJKMNP-TV-Z]{26})$/.exec(caseId ?? '') ?? [];
  return tail === undefined ? undefined : `rcl_${tail}`;
}

const stateOf: Readonly<Record<RecallOutcome, RecallState>> = {
  pending: 'PENDING',
  accepted: 'ACCEPTED',
  rejected: 'REFUSED',
};

export type Answered =
  /** It says nothing new, or came after a later one. */
  | { readonly kind: 'old' }
  | { readonly kind: 'new'; readonly state: RecallState }
  /** It says the opposite of an earlier answer. A bank may still give back what it refused. */
  | { readonly kind: 'contradictory'; readonly state: RecallState };

export function answered(state: RecallState, outcome: RecallOutcome): Answered {
  const next = stateOf[outcome];
  const isFinal = state === 'ACCEPTED' || state === 'REFUSED';
  if (next === state || (isFinal && next === 'PENDING')) return { kind: 'old' };
  if (!isFinal) return { kind: 'new', state: next };
  return { kind: 'contradictory', state: 'ACCEPTED' };
}

/** The name under which the log of changes and approvals know a recall. */
export function recordOf({ recallId }: Pick<Recall, 'recallId'>): string {
  return `bank_recall:${recallId}`;
}
