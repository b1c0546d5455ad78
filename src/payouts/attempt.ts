/**
 * Owns the money that leaves: attempts to pay an order out or back, or money in suspense back; the rails that carry
 * them, and what these report. Does not own the order, which orders change through `PayoutOutcomes` and
 * `OrderRefundOutcomes`, nor the suspense record (payments), nor the decision to pay, which is the gate's.
 */
import type { DigestedRow } from '../changes/row.js';
import {
  type MerchantId,
  merchantOfPublicId,
  type PublicId,
  type PublicIdPrefix,
  publicId,
  type TenantId,
  tenantOfPublicId,
  type UserId,
} from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { OrderId, OrderRef, RefundId } from '../orders/order/order.js';
import type { AttemptState } from './transitions.js';

export type AttemptId = PublicId<'att'>;

/** To the beneficiary, or back to the payer. */
export const directions = ['payout', 'refund'] as const;
export type Direction = (typeof directions)[number];

export interface AttemptRef {
  /** Whose books the money is in: money in suspense may be in those of the instance. */
  readonly merchantId: TenantId;
  readonly attemptId: AttemptId;
}

/** The message in which an attempt was sent. Sending again repeats it. */
export interface SentMessage {
  readonly messageId: string;
  readonly createdAt: Date;
}

interface AttemptFields extends AttemptRef {
  readonly direction: Direction;
  /** Counts the attempts of an order, payouts and refunds together, or those of a suspense record. */
  readonly number: number;
  /** What the rail and the banks know the payment by. */
  readonly reference: string;
  readonly rail: string;
  readonly amount: Amount;
  /** Undefined for money in suspense. */
  readonly country: string | undefined;
  readonly method: string;
  /** The end of the account number; undefined for cash, and where no account is known. */
  readonly account: string | undefined;
  readonly state: AttemptState;
  readonly message: SentMessage | undefined;
  /** How often the rail was asked in this state. */
  readonly asked: number;
  /** Counts the changes. The next one is made from this version or not at all. */
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface OrderAttempt extends AttemptFields {
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly userId: UserId;
  /** Which refund of the order it pays; undefined for a payout. */
  readonly refundId: RefundId | undefined;
  readonly country: string;
  readonly suspenseId?: undefined;
}

export interface SuspenseAttempt extends AttemptFields {
  readonly suspenseId: PublicId<'sus'>;
  readonly refundId?: undefined;
  /** The account that the money arrived on, and is paid back from. */
  readonly bank: string;
  readonly orderId?: undefined;
}

/** It belongs to an order, or to money in suspense. */
export type Attempt = OrderAttempt | SuspenseAttempt;

const referencePattern = /^(ORD|SUS)([0-9A-HJKMNP-TV-Z]{26})(?:-[1-9][0-9]{0,4})?$/;

/**
 * `ORD` or `SUS`, the 26 characters of the order or suspense record, and `-2` for its second attempt: banks accept no
 * underscore, and 35 characters.
 */
export function referenceOf(id: OrderId | PublicId<'sus'>, number: number): string {
  const family = id.replace('_', '').toUpperCase();
  return number === 1 ? family : `${family}-${number}`;
}

/** Undefined for a reference that is not of an order of ours. */
export function orderOfReference(reference: string): OrderRef | undefined {
  const orderId = publicId('ord', idOfReference(reference));
  const merchantId = orderId && merchantOfPublicId(orderId);
  return orderId && merchantId && { merchantId, orderId };
}

/** Whose attempt has the reference; undefined for one that is not ours. */
export function ownerOfReference(reference: string): TenantId | undefined {
  const id = idOfReference(reference);
  const ours = publicId('ord', id) ?? publicId('sus', id);
  return ours && tenantOfPublicId(ours as PublicId<PublicIdPrefix>);
}

function idOfReference(reference: string): string | undefined {
  const [, kind, tail] = referencePattern.exec(reference) ?? [];
  return kind === undefined ? undefined : `${kind.toLowerCase()}_${tail}`;
}

/** `MSG` and the 26 characters of its first attempt. */
export function messageIdOf(first: AttemptId): string {
  return `MSG${first.slice('att_'.length)}`;
}

/** The name under which operators pause a pair of currencies. */
export function corridorName(fiatIn: string, fiatOut: string): string {
  return `${fiatIn}-${fiatOut}`;
}

export const attemptSubjectPrefix = 'payout:';

type AttemptContent = Pick<
  AttemptFields,
  Exclude<keyof AttemptFields, 'state' | 'message' | 'asked' | 'version' | 'createdAt' | 'changedAt'>
> &
  (Pick<OrderAttempt, 'orderId' | 'refundId'> | Pick<SuspenseAttempt, 'suspenseId' | 'bank' | 'orderId'>);

/** What identifies the content of an attempt, which never changes. Its instruction is sealed. */
export function digestedAttempt(attempt: AttemptContent): DigestedRow {
  const { direction, number, reference, rail, amount, country, method, account } = attempt;
  const owner =
    attempt.orderId === undefined ? [attempt.suspenseId, attempt.bank] : [attempt.orderId, attempt.refundId];
  return {
    subject: `${attemptSubjectPrefix}${attempt.attemptId}`,
    row: [...owner, direction, number, reference, rail, amount.currency, amount.minor, country, method, account],
  };
}
