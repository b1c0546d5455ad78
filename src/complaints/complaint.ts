/**
 * Owns what customers complain about, and the errors that they report: with clocks, answers, outcome and remedy. Does
 * not own the transfers: a refund or another transfer that puts something right is made where those are made. Pure.
 */
import type { MerchantId, OperatorId, PublicId, UserId } from '../ids.js';
import type { OrderId } from '../orders/order/order.js';

/** `error`: something went wrong with a transfer, as 12 CFR 1005.33(a) has it. */
export const complaintKinds = ['complaint', 'error'] as const;
export type ComplaintKind = (typeof complaintKinds)[number];

export const complaintTopics = [
  'not_received',
  'wrong_amount_received',
  'wrong_amount_paid',
  'late',
  'refund',
  'price',
  'identity_check',
  'privacy',
  'service',
  'information',
  'other',
] as const;
export type ComplaintTopic = (typeof complaintTopics)[number];

export const complaintChannels = ['api', 'email', 'phone', 'letter', 'in_person'] as const;
export type ComplaintChannel = (typeof complaintChannels)[number];

/** `held`: the customer was told why it takes longer, and until when. */
export const complaintStates = ['open', 'held', 'answered'] as const;
export type ComplaintState = (typeof complaintStates)[number];

export const complaintOutcomes = ['upheld', 'partly_upheld', 'rejected'] as const;
export type ComplaintOutcome = (typeof complaintOutcomes)[number];

/** `resend`: the money is sent again without another charge. */
export const remedies = ['none', 'refund', 'resend', 'apology', 'correction'] as const;
export type Remedy = (typeof remedies)[number];

export type ComplaintId = PublicId<'cmp'>;

export interface Complaint {
  readonly merchantId: MerchantId;
  readonly complaintId: ComplaintId;
  readonly userId: UserId;
  readonly orderId: OrderId | undefined;
  readonly kind: ComplaintKind;
  readonly topic: ComplaintTopic;
  readonly channel: ComplaintChannel;
  /** Where the sender lived when it came. */
  readonly country: string;
  readonly article: string;
  readonly state: ComplaintState;
  readonly receivedAt: Date;
  readonly answerBy: Date;
  readonly latestBy: Date | undefined;
  readonly isInTime: boolean;
  readonly heldAt: Date | undefined;
  readonly answeredAt: Date | undefined;
  readonly answeredBy: OperatorId | undefined;
  readonly outcome: ComplaintOutcome | undefined;
  readonly remedy: Remedy | undefined;
  readonly remedyDueBy: Date | undefined;
  /** The refund or the order that put it right. */
  readonly remedyReference: string | undefined;
  readonly version: number;
}

export const complaintsAtMost = 20;

/** When it must be answered as it stands. A holding reply that comes after `answerBy` gives no more time. */
export function dueAtOf({ heldAt, answerBy, latestBy = answerBy }: Complaint): Date {
  return heldAt !== undefined && heldAt <= answerBy ? latestBy : answerBy;
}

export function mayBeHeld({ state, latestBy }: Complaint): boolean {
  return state === 'open' && latestBy !== undefined;
}
