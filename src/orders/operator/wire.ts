/** Reviews as operators see them on the wire. */
import type { Static } from 'typebox';
import type { Match } from '../../screening/screening.js';
import { encodeDocument } from '../documents/wire.js';
import { numberOf } from '../order/order.js';
import type { ReviewFindings } from '../order/review.js';
import type { ReviewedOrder, ReviewFile } from './queue.js';
import type { ReviewFileShape, ReviewShape } from './schemas.js';

export function encodeReview({ order, clientId, review }: ReviewedOrder): Static<typeof ReviewShape> {
  const { orderId, userId, state, version, amountIn, amountOut } = order;
  return {
    orderId,
    merchant: clientId,
    userId,
    state,
    version,
    fiatIn: amountIn.currency,
    fiatOut: amountOut.currency,
    amountIn: numberOf(amountIn),
    amountOut: numberOf(amountOut),
    reasons: [...(review?.reasons ?? [])],
    openedAt: review?.openedAt.toISOString() ?? null,
    cancellationRequestedAt: order.cancellationRequestedAt?.toISOString() ?? null,
    actionRequiredBy: (state === 'ACTION_REQUIRED' && order.actionRequiredBy?.toISOString()) || null,
  };
}

export function encodeFile(file: ReviewFile): Static<typeof ReviewFileShape> {
  return {
    ...encodeReview(file),
    senderName: file.senderName ?? null,
    payments: file.payments.map(({ paymentId, payerName, isAnother }) => ({
      paymentId,
      payerName: payerName ?? null,
      payerDiffers: isAnother,
    })),
    findings: file.findings ? encodeFindings(file.findings) : null,
    notes: file.notes.map(({ event, by, at, note }) => ({ event, by, at: at.toISOString(), note })),
    answers: file.answers.map(({ at, answers }) => ({
      at: at.toISOString(),
      answers: answers.map(({ code, answer, documentIds = [] }) => ({
        code,
        answer: answer ?? null,
        documentIds: [...documentIds],
      })),
    })),
    documents: [...file.documents.values()].map(encodeDocument),
  };
}

function encodeFindings({ hits, matches, payerMatches, missingLevel, rules }: ReviewFindings) {
  return {
    hits: [...hits],
    beneficiaryMatches: matches.map(encodeMatch),
    payerMatches: payerMatches.map(encodeMatch),
    missingLevel: missingLevel ?? null,
    rules: rules.map(({ rule, ruleId, parameters, facts, explanation }) => ({
      rule,
      ruleId: ruleId ?? null,
      explanation,
      parameters: parameters ? { ...parameters } : null,
      facts: facts ? { ...facts } : null,
    })),
  };
}

export function encodeMatch(match: Match) {
  return {
    list: match.list,
    entryId: match.entryId,
    entryName: match.entryName,
    matchedName: match.matchedName,
    subjectName: match.subjectName,
    score: match.score,
    isStrong: match.isStrong,
    reasons: match.reasons.map(({ text }) => text),
  };
}
