/**
 * Owns orders: transfers from a quote to their last state, with a frozen copy of the beneficiary. Does not own the
 * price (rates), the people (users, beneficiaries) or the books (ledger).
 */
import type { BeneficiaryId } from '../../beneficiaries/beneficiary.js';
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import type { Rate } from '../../money/rate.js';
import type { QuoteCode } from '../../rates/quote.js';
import type { Obstacle } from './pending.js';
import type { RequirementCode } from './requirement.js';
import type { Memories, OrderState } from './transitions.js';

export type OrderId = PublicId<'ord'>;

export const purposes = [
  'family_support',
  'education',
  'medical',
  'gift',
  'savings',
  'property',
  'salary',
  'goods_and_services',
  'loan_repayment',
  'travel',
  'charity',
  'other',
] as const;
export type Purpose = (typeof purposes)[number];

export const sourcesOfFunds = [
  'salary',
  'self_employment',
  'pension',
  'benefits',
  'savings',
  'sale_of_property',
  'inheritance',
  'gift',
  'other',
] as const;
export type SourceOfFunds = (typeof sourcesOfFunds)[number];

/** What the beneficiary is to the sender. */
export const relationships = [
  'self',
  'spouse',
  'parent',
  'child',
  'sibling',
  'other_relative',
  'friend',
  'employee',
  'business_partner',
  'other',
] as const;
export type Relationship = (typeof relationships)[number];

/** Why an order is in its state, where that is not obvious. */
export const statusReasons = [
  'cancelled_by_sender',
  'not_paid_in_time',
  'refused',
  'information_not_provided',
  'beneficiary_account_invalid',
  'beneficiary_account_closed',
  'beneficiary_name_mismatch',
  'payout_rejected',
  'payout_recalled',
  'payout_returned',
  'payment_reversed',
  'refund_rejected',
  'beneficiary_bank_invalid',
  'beneficiary_details_incomplete',
  'beneficiary_refused',
  'payout_not_possible',
  'requote_not_accepted',
] as const;
export type StatusReason = (typeof statusReasons)[number];

export type Metadata = Readonly<Record<string, string>>;

export interface OrderRef {
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
}

/** What was agreed. Only a requote changes it, and its end. */
export interface OrderTerms {
  readonly quoteCode: QuoteCode;
  readonly amountIn: Amount;
  readonly amountOut: Amount;
  readonly fee: Amount;
  /** All-in: `amountOut = floor(amountIn × rate)`. */
  readonly rate: Rate;
  readonly midRate: Rate;
  readonly marginBasisPoints: number;
}

/** The masked beneficiary. The whole copy is sealed. */
export interface Payee {
  /** Undefined for a beneficiary that was sent with the order. */
  readonly beneficiaryId: BeneficiaryId | undefined;
  /** Counts corrections. */
  readonly version: number;
  readonly country: string;
  readonly method: string;
  /** The end of the account number; undefined for cash. */
  readonly account: string | undefined;
}

/** Where the sender pays, as the order shows it. It names the operator's account and nothing personal. */
export interface PayinAccount {
  readonly accountId: string;
  readonly holder: string;
  readonly bankName: string;
  readonly country: string;
  /** Where the day of the bank ends. Absent for the simulated account, which is no bank. */
  readonly timeZone?: string;
  /** The account's own fields, such as `iban` and `bic`, or `accountNumber` and `routingNumber`. */
  readonly details: Readonly<Record<string, string>>;
  /** No real account: only the sandbox knows it. */
  readonly isSimulated: boolean;
}

/** Due times by the merchant's clock. */
export interface OrderClocks {
  readonly rateGuaranteedUntil: Date;
  readonly paymentDueAt: Date;
  /** Later than `paymentDueAt`, because banks report late. */
  readonly expiresAt: Date;
  readonly cancellableUntil: Date | undefined;
  readonly actionRequiredBy: Date | undefined;
  readonly refundDueBy: Date | undefined;
  readonly estimatedArrivalAt: Date | undefined;
}

/** How long a sender in this country may cancel after paying: 12 CFR 1005.34. Undefined without such a right. */
export function cancellationRightMinutes(country: string): number | undefined {
  return country === 'US' ? 30 : undefined;
}

/** The value by which limits count the order, in cents of a US dollar, and where its rate came from. */
export interface CountedValue {
  readonly usdMinor: bigint;
  readonly rateSource: string;
}

export type RefundId = PublicId<'rfd'>;

/**
 * `pending`: decided. `submitted`: a bank has the instruction. `paid`: the payer has the money. `failed`: the payer's
 * bank refused it or sent it back; an operator tries again. `cancelled`: the payer's bank has taken the payment back.
 */
export const refundStates = ['pending', 'submitted', 'paid', 'failed', 'cancelled'] as const;
export type RefundState = (typeof refundStates)[number];

/** What goes back to one payer. A retry is the same refund. */
export interface Refund {
  readonly refundId: RefundId;
  readonly amount: Amount;
  /** What the payer's bank has taken back of it since it was paid. */
  readonly reversed: Amount;
  /** The payments that it pays back. Empty: nobody is known to have paid it. */
  readonly paymentIds: readonly string[];
  readonly state: RefundState;
  /** Why the money goes back. */
  readonly reason: StatusReason | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What was agreed at one time. Stored as JSON: amounts are below 2^53. */
export interface RequotedTerms {
  readonly rateCode: string;
  readonly amountInMinor: number;
  readonly amountOutMinor: number;
  readonly feeMinor: number;
  readonly rate: string;
}

export interface Requote {
  readonly requotedAt: string;
  readonly needsAcceptance: boolean;
  /** The late payment. Absent for money from suspense, and where the terms of before were given back. */
  readonly paymentId?: string;
  readonly before: RequotedTerms;
  readonly after: RequotedTerms;
}

export interface Order extends OrderRef, OrderTerms, OrderClocks {
  readonly userId: UserId;
  readonly externalOrderId: string | undefined;
  readonly state: OrderState;
  readonly memories: Memories;
  readonly statusReason: StatusReason | undefined;
  readonly payee: Payee;
  readonly purpose: Purpose;
  readonly sourceOfFunds: SourceOfFunds | undefined;
  readonly relationship: Relationship | undefined;
  readonly metadata: Metadata;
  readonly payinReference: string;
  /** A copy from the creation of the order. */
  readonly payinAccount: PayinAccount;
  readonly amountReceived: Amount;
  readonly amountRefunded: Amount;
  /** What we kept of a refund for the charges of banks. */
  readonly amountKept: Amount;
  /** What the payer's bank took back. */
  readonly amountReversed: Amount;
  /** What banks charged for payouts that failed or came back, in the payout currency. */
  readonly payoutCharges: Amount;
  /** The oldest first. */
  readonly refunds: readonly Refund[];
  readonly cancellationRequestedAt: Date | undefined;
  /** What the sender was last asked for, and has not provided yet. */
  readonly requirements: readonly RequirementCode[];
  /** The sender has answered outside a review, and no review was approved since. */
  readonly hasUnreadAnswers: boolean;
  /** The oldest first. */
  readonly requotes: readonly Requote[];
  /** Why the worker could not move the order on when it last tried. */
  readonly waitsFor: Obstacle | undefined;
  /** The sender has corrected the beneficiary of a payout that failed, so the worker tries it again. */
  readonly retriesPayout: boolean;
  /** Counts all changes. The next change is made on this version or not at all. */
  readonly version: number;
  /** Counts the changes that merchants and users can see. */
  readonly publicVersion: number;
  readonly createdAt: Date;
  /** When something last changed that merchants and users can see. */
  readonly updatedAt: Date;
}

/** Exact: amounts have at most fifteen significant digits. */
export function numberOf(value: Amount): number {
  return Number(amountToLiteral(value));
}
