/**
 * Owns the money that leaves: attempts to pay an order out or back, the rails that carry them, and what these report. Does
 * not own the order, which changes through the verbs of `MovementService`, nor the decision to pay, which is the gate's.
 */
import { type MerchantId, merchantOfPublicId, type PublicId, publicId, type UserId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { OrderId, OrderRef } from '../orders/order.js';
import type { AttemptState } from './transitions.js';

export type AttemptId = PublicId<'att'>;

/** To the beneficiary, or back to the payer. */
export const directions = ['payout', 'refund'] as const;
export type Direction = (typeof directions)[number];

export interface AttemptRef {
  readonly merchantId: MerchantId;
  readonly attemptId: AttemptId;
}

/** The message in which an attempt was sent. Sending again repeats it. */
export interface SentMessage {
  readonly messageId: string;
  readonly createdAt: Date;
}

export interface Attempt extends AttemptRef {
  readonly orderId: OrderId;
  readonly userId: UserId;
  readonly direction: Direction;
  /** Counts the attempts of an order, payouts and refunds together. */
  readonly number: number;
  /** What the rail and the banks know the payment by. */
  readonly reference: string;
  readonly rail: string;
  readonly amount: Amount;
  readonly country: string;
  readonly method: string;
  /** The end of the account number; undefined for cash and for refunds. */
  readonly account: string | undefined;
  readonly state: AttemptState;
  readonly message: SentMessage | undefined;
  /** How often the rail was asked in this state. */
  readonly asked: number;
  /** Counts the states. The next one is reached from this version or not at all. */
  readonly version: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

const orderPrefix = 'ord_';
const referencePattern = /^ORD([0-9A-HJKMNP-TV-Z]{26})(?:-[1-9][0-9]{0,4})?$/;

/** `ORD`, the 26 characters of the order, and `-2` for its second attempt: banks accept no underscore, and 35 characters. */
export function referenceOf(orderId: OrderId, number: number): string {
  const family = `ORD${orderId.slice(orderPrefix.length)}`;
  return number === 1 ? family : `${family}-${number}`;
}

/** Undefined for a reference that is not ours. */
export function orderOfReference(reference: string): OrderRef | undefined {
  const tail = referencePattern.exec(reference)?.[1];
  const orderId = tail === undefined ? undefined : publicId('ord', `${orderPrefix}${tail}`);
  const merchantId = orderId && merchantOfPublicId(orderId);
  return orderId && merchantId && { merchantId, orderId };
}

/** `MSG` and the 26 characters of its first attempt. */
export function messageIdOf(first: AttemptId): string {
  return `MSG${first.slice('att_'.length)}`;
}

/** The name under which operators pause a pair of currencies. */
export function corridorName(fiatIn: string, fiatOut: string): string {
  return `${fiatIn}-${fiatOut}`;
}
