/** A review of an order: why a person must look at it, and what was decided. Pure. */
import type { OperatorId } from '../../ids.js';
import type { HitId } from '../../kyc/hits/hit.js';
import type { KycLevel } from '../../kyc-level.js';
import type { Match } from '../../screening/screening.js';
import type { ReviewReason, RuleFinding } from './gate.js';
import type { Order, StatusReason } from './order.js';
import { isRequoteOpen } from './requirement.js';
import type { OrderState } from './transitions.js';

/** What was found. It names people, so it is stored sealed. */
export interface ReviewFindings {
  /** The copy of the beneficiary that the matches are about. */
  readonly beneficiaryVersion: number;
  /** The sender's hits, which are decided on their own. */
  readonly hits: readonly string[];
  readonly matches: readonly Match[];
  /** Of those who paid, or of the account that a refund goes to. */
  readonly payerMatches: readonly Match[];
  readonly missingLevel?: KycLevel;
  readonly rules: readonly RuleFinding[];
}

/** A review that is about to begin. */
export interface NewReview {
  readonly reasons: readonly ReviewReason[];
  readonly findings?: ReviewFindings;
}

export const refusalReasons = ['compliance', 'fraud', 'identity', 'beneficiary', 'other'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface Review {
  /** The version of the order with which the review began. */
  readonly version: number;
  readonly reasons: readonly ReviewReason[];
  readonly openedAt: Date;
  readonly decision: 'approved' | 'refused' | undefined;
  readonly decidedBy: OperatorId | undefined;
  readonly decidedAt: Date | undefined;
}

/** The rule that a payer's name cannot be compared; its key is the name. */
export const unreadablePayer = 'unreadable_payer';

/** The rule that the block list names somebody or something of the order; its key is the block. Nobody clears it. */
export const blockedRule = 'blocked';

/** The rule that the sender and somebody blocked claim the same, which nobody has verified; its key is the block. */
export const likeBlockedRule = 'like_blocked';

/** The rule that management does not accept a politically exposed sender. Nobody clears it by a review. */
export const unacceptedRule = 'exposure_not_accepted';

export function nothingFound({ payee }: Order): ReviewFindings {
  return { beneficiaryVersion: payee.version, hits: [], matches: [], payerMatches: [], rules: [] };
}

/** A review that operators have decided. */
export interface DecidedReview {
  readonly decision: NonNullable<Review['decision']>;
  /** Hits of the sender that were confirmed when two operators let the money go back in spite of them. */
  readonly despiteHits: readonly HitId[];
  readonly findings: ReviewFindings;
}

/** What operators have cleared by deciding earlier reviews of an order. */
export class Cleared {
  readonly approved: readonly ReviewFindings[];

  constructor(
    readonly order: Pick<Order, 'payee'>,
    readonly decided: readonly DecidedReview[],
  ) {
    this.approved = decided.filter(({ decision }) => decision === 'approved').map(({ findings }) => findings);
  }

  /** For money that goes back only: nothing is paid out while the sender has a hit that is not dismissed. */
  hasHit(hitId: HitId): boolean {
    return this.decided.some(({ despiteHits }) => despiteHits.includes(hitId));
  }

  /** Whoever refuses a review lets its money go back to the payer too. */
  hasPayerMatch({ list, entryId, entryHash, subjectName }: Match): boolean {
    return this.decided
      .flatMap(({ findings }) => findings.payerMatches)
      .some(
        (known) =>
          known.list === list &&
          known.entryId === entryId &&
          known.entryHash === entryHash &&
          known.subjectName === subjectName,
      );
  }

  /** Whoever decides a review has compared what the service cannot compare: a name, or two people. */
  hasCompared({ rule, key }: RuleFinding): boolean {
    if (rule !== unreadablePayer && rule !== likeBlockedRule) return false;
    return this.decided
      .flatMap(({ findings }) => findings.rules)
      .some((known) => known.rule === rule && known.key === key);
  }

  /** The same entry with the same content, for the same copy of the beneficiary. */
  hasMatch({ list, entryId, entryHash }: Match): boolean {
    return this.approved
      .filter(({ beneficiaryVersion }) => beneficiaryVersion === this.order.payee.version)
      .flatMap(({ matches }) => matches)
      .some((known) => known.list === list && known.entryId === entryId && known.entryHash === entryHash);
  }

  /** The same rule for the same cause, and no more of it than the operator saw. */
  hasRule({ rule, ruleId, key, level = 0 }: RuleFinding): boolean {
    if (rule === blockedRule || rule === unacceptedRule) return false;
    return this.approved
      .flatMap(({ rules }) => rules)
      .some(
        (known) => known.rule === rule && known.ruleId === ruleId && known.key === key && (known.level ?? 0) >= level,
      );
  }
}

/** The state that an interrupted order goes back to, whatever interrupted it. */
export function underlyingState({ state, memories }: Pick<Order, 'state' | 'memories'>): OrderState | undefined {
  if (state === 'ACTION_REQUIRED') {
    return memories.information === 'IN_REVIEW' ? memories.review : memories.information;
  }
  if (state !== 'IN_REVIEW' && state !== 'FROZEN') return state;
  return memories.review === 'ACTION_REQUIRED' ? memories.information : memories.review;
}

/** Whether a review is under way: nobody has decided it, though it may wait for information or be frozen. */
export function isUnderReview({ state, memories }: Pick<Order, 'state' | 'memories'>): boolean {
  if (state === 'IN_REVIEW' || state === 'FROZEN') return true;
  return state === 'ACTION_REQUIRED' && memories.information === 'IN_REVIEW';
}

/** The payout failed or came back, whatever has interrupted the order since. */
export function isFailedPayout(order: Pick<Order, 'state' | 'memories'>): boolean {
  const state = underlyingState(order);
  return state === 'PAYOUT_FAILED' || state === 'RETURNED';
}

/** Why the order ends when it is cancelled: a payout that failed before is the real reason. */
export function reasonOfCancellation(order: Pick<Order, 'state' | 'memories' | 'statusReason'>): StatusReason {
  return (isFailedPayout(order) && order.statusReason) || 'cancelled_by_sender';
}

/** In these states the order's money is on its account `refund`. */
export function isBeingRefunded(state: OrderState | undefined): boolean {
  return state === 'REFUND_PENDING' || state === 'REFUND_FAILED';
}

/** In these states the order's money is converted. */
export function isConverted(state: OrderState | undefined): boolean {
  return state === 'CONVERTED' || state === 'PAYOUT_FAILED' || state === 'RETURNED';
}

/** The money is going back, or will. */
export function isGoingBack(state: OrderState | undefined): boolean {
  return state === 'REJECTED' || isBeingRefunded(state);
}

/** Why the money goes back although the review is passed; undefined when the order goes on. */
export function endingOf(order: Order): StatusReason | undefined {
  if (order.cancellationRequestedAt) return reasonOfCancellation(order);
  const goesOnWaiting = order.memories.review === 'ACTION_REQUIRED';
  return isRequoteOpen(order) && !goesOnWaiting ? 'requote_not_accepted' : undefined;
}
