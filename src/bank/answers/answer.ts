/**
 * What a bank answers to a batch. This file says what becomes of it: a pure function of the batch and the file. An
 * answer that would let us pay again is a proposal, which operators decide.
 */
import type { PublicId } from '../../ids.js';
import { answerTo, type ReportedPaymentStatus } from '../../iso20022/payment-status.js';
import {
  type BatchId,
  type BatchPayment,
  batchIdOfMessage,
  messageIdOf,
  paymentInformationIdOf,
} from '../batches/batch.js';

export type AnswerId = PublicId<'ban'>;

/**
 * `duplicate`: the bank says that it has the payments already. They may have been paid, so nothing is proposed.
 * `recalled`: it gives back what it has not paid.
 */
export const answerKinds = ['rejected', 'duplicate', 'recalled'] as const;
export type AnswerKind = (typeof answerKinds)[number];

export const answerStates = ['WAITING', 'APPROVED', 'APPLIED', 'DISMISSED'] as const;
export type AnswerState = (typeof answerStates)[number];

export interface AnsweredPayment {
  readonly reference: string;
  /** A code of ISO 20022, such as `AC01`. */
  readonly reason: string | null;
}

export interface Answer {
  readonly answerId: AnswerId;
  /** The file that says so. */
  readonly digest: string;
  readonly batchId: BatchId;
  readonly kind: AnswerKind;
  readonly payments: readonly AnsweredPayment[];
  readonly state: AnswerState;
  readonly version: number;
  readonly createdAt: Date;
}

/** What a file says about one batch. */
export interface BatchAnswers {
  /** By the reference of the payment: `ACSP`, or `RJCT AC01`. */
  readonly codes: ReadonlyMap<string, string>;
  readonly rejected: readonly AnsweredPayment[];
  readonly duplicates: readonly AnsweredPayment[];
}

/** The bank has seen the message, the payment or its id before. */
const duplicateCodes = /^(AM05|DU0[1-5]|DUPL)$/;

/** The batches that a file answers, as far as their ids can be ours, and how many answers name no such message. */
export function batchesAnswered(statuses: readonly ReportedPaymentStatus[]) {
  const ids = statuses.map(({ about }) => about.messageId && batchIdOfMessage(about.messageId));
  return { batchIds: [...new Set(ids.flatMap((id) => id || []))], unknown: ids.filter((id) => !id).length };
}

export function answersTo(
  batchId: BatchId,
  payments: readonly BatchPayment[],
  statuses: readonly ReportedPaymentStatus[],
): BatchAnswers {
  const [messageId, paymentInformationId] = [messageIdOf(batchId), paymentInformationIdOf(batchId)];
  const codes = new Map<string, string>();
  const rejected: AnsweredPayment[] = [];
  const duplicates: AnsweredPayment[] = [];
  for (const { reference, hasLeft } of payments) {
    const ids = { messageId, paymentInformationId, instructionId: reference, endToEndId: reference, uetr: undefined };
    const answer = hasLeft ? undefined : answerTo(ids, statuses);
    if (!answer) continue;
    const reason = answer.reasons.find(({ code }) => code !== undefined)?.code ?? null;
    codes.set(reference, [answer.status, reason].filter(Boolean).join(' ').slice(0, 40));
    if (answer.status !== 'RJCT') continue;
    const isDuplicate = answer.reasons.some(({ code }) => duplicateCodes.test(code ?? ''));
    (isDuplicate ? duplicates : rejected).push({ reference, reason: reason?.slice(0, 100) ?? null });
  }
  return { codes, rejected, duplicates };
}

/** What the bank said about the batch as a whole. */
export function overallAnswer(batchId: BatchId, statuses: readonly ReportedPaymentStatus[]): string | undefined {
  const messageId = messageIdOf(batchId);
  return statuses
    .findLast(({ scope, about }) => scope === 'message' && about.messageId === messageId)
    ?.status.slice(0, 40);
}

/** The name under which the log of changes and approvals know an answer. */
export function recordOf({ answerId }: Pick<Answer, 'answerId'>): string {
  return `bank_answer:${answerId}`;
}
