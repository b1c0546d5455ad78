/** A row of `orders` as an order, and what identifies its content. */
import { canonicalJson, type DigestedRow, type RowFields } from '../../changes/row.js';
import { type MerchantId, storedPublicId, userId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Rate, rateFromLiteral, rateToLiteral } from '../../money/rate.js';
import type {
  Metadata,
  Order,
  PayinAccount,
  Purpose,
  Relationship,
  Requote,
  SourceOfFunds,
  StatusReason,
} from './order.js';
import type { Obstacle } from './pending.js';
import { type StoredRefund, toRefund, toStoredRefund } from './refund.js';
import type { RequirementCode } from './requirement.js';
import type { OrderState } from './transitions.js';

export interface OrderRow {
  order_id: string;
  user_id: bigint;
  quote_code: string;
  external_order_id: string | null;
  payin_reference: string;
  payin_account: PayinAccount;
  state: OrderState;
  review_resumes_at: OrderState | null;
  information_resumes_at: OrderState | null;
  status_reason: StatusReason | null;
  fiat_in: CurrencyCode;
  fiat_out: CurrencyCode;
  amount_in_minor: bigint;
  amount_out_minor: bigint;
  fee_minor: bigint;
  rate: string;
  mid_rate: string;
  margin_basis_points: number;
  amount_received_minor: bigint;
  amount_refunded_minor: bigint;
  amount_kept_minor: bigint;
  amount_reversed_minor: bigint;
  payout_charges_minor: bigint;
  refunds: StoredRefund[];
  beneficiary_id: string | null;
  beneficiary_version: number;
  payout_country: string;
  payout_method: string;
  payout_account: string | null;
  purpose: Purpose;
  source_of_funds: SourceOfFunds | null;
  relationship: Relationship | null;
  metadata: Metadata | null;
  rate_guaranteed_until: Date;
  payment_due_at: Date;
  expires_at: Date;
  cancellable_until: Date | null;
  action_required_by: Date | null;
  refund_due_by: Date | null;
  estimated_arrival_at: Date | null;
  requirements: RequirementCode[];
  has_unread_answers: boolean;
  requotes: Requote[];
  waits_for: Obstacle | null;
  retries_payout: boolean;
  cancellation_requested_at: Date | null;
  version: number;
  public_version: number;
  created_at: Date;
  updated_at: Date;
}

export const orderColumns = `order_id, user_id, quote_code, external_order_id, payin_reference, payin_account, state,
  review_resumes_at, information_resumes_at, status_reason, fiat_in, fiat_out, amount_in_minor, amount_out_minor, fee_minor, rate::text,
  mid_rate::text, margin_basis_points, amount_received_minor, amount_refunded_minor, amount_kept_minor,
  amount_reversed_minor, payout_charges_minor, refunds, beneficiary_id,
  beneficiary_version, payout_country, payout_method, payout_account, purpose, source_of_funds, relationship, metadata,
  rate_guaranteed_until, payment_due_at, expires_at, cancellable_until, action_required_by, refund_due_by,
  estimated_arrival_at, requirements, has_unread_answers, requotes, waits_for, retries_payout, cancellation_requested_at, version, public_version, created_at, updated_at`;

export function toOrder(merchantId: MerchantId, row: OrderRow): Order {
  return {
    merchantId,
    orderId: storedPublicId('ord', row.order_id),
    userId: userId(row.user_id),
    externalOrderId: row.external_order_id ?? undefined,
    state: row.state,
    memories: {
      ...(row.review_resumes_at ? { review: row.review_resumes_at } : {}),
      ...(row.information_resumes_at ? { information: row.information_resumes_at } : {}),
    },
    statusReason: row.status_reason ?? undefined,
    ...termsOf(row),
    ...clocksOf(row),
    requirements: row.requirements,
    hasUnreadAnswers: row.has_unread_answers,
    requotes: row.requotes,
    waitsFor: row.waits_for ?? undefined,
    retriesPayout: row.retries_payout,
    payee: {
      beneficiaryId: row.beneficiary_id === null ? undefined : storedPublicId('ben', row.beneficiary_id),
      version: row.beneficiary_version,
      country: row.payout_country,
      method: row.payout_method,
      account: row.payout_account ?? undefined,
    },
    purpose: row.purpose,
    sourceOfFunds: row.source_of_funds ?? undefined,
    relationship: row.relationship ?? undefined,
    metadata: row.metadata ?? {},
    payinReference: row.payin_reference,
    payinAccount: row.payin_account,
    amountReceived: amount(row.fiat_in, row.amount_received_minor),
    amountRefunded: amount(row.fiat_in, row.amount_refunded_minor),
    amountKept: amount(row.fiat_in, row.amount_kept_minor),
    amountReversed: amount(row.fiat_in, row.amount_reversed_minor),
    payoutCharges: amount(row.fiat_out, row.payout_charges_minor),
    refunds: row.refunds.map((refund) => toRefund(row.fiat_in, refund)),
    cancellationRequestedAt: row.cancellation_requested_at ?? undefined,
    version: row.version,
    publicVersion: row.public_version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function termsOf(row: OrderRow) {
  return {
    quoteCode: storedPublicId('rt', row.quote_code),
    amountIn: amount(row.fiat_in, row.amount_in_minor),
    amountOut: amount(row.fiat_out, row.amount_out_minor),
    fee: amount(row.fiat_in, row.fee_minor),
    rate: readRate(row.rate),
    midRate: readRate(row.mid_rate),
    marginBasisPoints: row.margin_basis_points,
  };
}

function clocksOf(row: OrderRow) {
  return {
    rateGuaranteedUntil: row.rate_guaranteed_until,
    paymentDueAt: row.payment_due_at,
    expiresAt: row.expires_at,
    cancellableUntil: row.cancellable_until ?? undefined,
    actionRequiredBy: row.action_required_by ?? undefined,
    refundDueBy: row.refund_due_by ?? undefined,
    estimatedArrivalAt: row.estimated_arrival_at ?? undefined,
  };
}

function readRate(text: string): Rate {
  const rate = rateFromLiteral(text);
  if ('fault' in rate) throw new Error(`the stored rate ${text} cannot be read`);
  return rate;
}

export const orderSubjectPrefix = 'order:';

/** Without what jobs touch (what it waits for), what an erasure removes, and what only informs. */
export function digestedOrder(order: Order): DigestedRow {
  const { payee, memories } = order;
  return {
    subject: `${orderSubjectPrefix}${order.orderId}`,
    row: [
      order.userId,
      order.quoteCode,
      order.externalOrderId,
      order.state,
      memories.review,
      memories.information,
      order.statusReason,
      ...fieldsOf(order.amountIn),
      ...fieldsOf(order.amountOut),
      ...fieldsOf(order.fee),
      rateToLiteral(order.rate),
      rateToLiteral(order.midRate),
      order.marginBasisPoints,
      ...fieldsOf(order.amountReceived),
      ...fieldsOf(order.amountRefunded),
      ...fieldsOf(order.amountKept),
      ...fieldsOf(order.amountReversed),
      ...fieldsOf(order.payoutCharges),
      canonicalJson(order.refunds.map(toStoredRefund)),
      payee.beneficiaryId,
      payee.version,
      payee.country,
      payee.method,
      payee.account,
      order.payinReference,
      canonicalJson(order.payinAccount),
      order.requirements.join(),
      order.hasUnreadAnswers,
      order.retriesPayout,
      order.rateGuaranteedUntil,
      order.paymentDueAt,
      order.expiresAt,
      order.cancellableUntil,
      order.actionRequiredBy,
      order.refundDueBy,
      order.version,
      order.publicVersion,
    ],
  };
}

function fieldsOf({ currency, minor }: Amount): RowFields {
  return [currency, minor];
}
