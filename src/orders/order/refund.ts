/** The refunds of an order, as the order shows them: what goes back to the payer, and how far it is. Pure. */
import { type MerchantId, newMerchantPublicId, storedPublicId } from '../../ids.js';
import { type Amount, amount, subtract } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountToLiteral } from '../../money/literal.js';
import type { Order, Refund, RefundId, RefundState, StatusReason } from './order.js';

type Amounts = Pick<Order, 'amountReceived' | 'amountRefunded' | 'amountKept' | 'amountReversed'>;

/** What we owe the payer: what came, less what went back, what we kept and what the bank took back. */
export function owedToPayer(amounts: Amounts): Amount {
  const { currency, minor } = inBooks(amounts);
  const { amountReversed } = amounts;
  // A bank may take back more than we still have: the rest is a loss, and nothing that we owe.
  return amount(currency, minor > amountReversed.minor ? minor - amountReversed.minor : 0n);
}

/**
 * What the books have of the payment while the order goes on. A payment that is clawed back after it was paid out stays
 * in them, because it was booked as a loss; a refund recovers it if the payout comes back.
 */
export function inBooks({ amountReceived, amountRefunded, amountKept }: Amounts): Amount {
  return subtract(subtract(amountReceived, amountRefunded), amountKept);
}

/** The refunds with one more. */
export function withRefund(
  { merchantId, refunds }: Pick<Order, 'merchantId' | 'refunds'>,
  refund: Pick<Refund, 'amount' | 'reason'>,
  now: Date,
): readonly Refund[] {
  const refundId = newRefundId(merchantId);
  return [...refunds, { ...refund, refundId, state: 'pending', createdAt: now, updatedAt: now }];
}

/** The refunds with the newest one in another state. */
export function withRefundState(refunds: readonly Refund[], state: RefundState, now: Date): readonly Refund[] {
  return refunds.map((refund, index) => (index === refunds.length - 1 ? { ...refund, state, updatedAt: now } : refund));
}

/** As the order shows it. */
export function viewOfRefund({ refundId, amount: money, state, reason, createdAt, updatedAt }: Refund) {
  return {
    id: refundId as string,
    amount: Number(amountToLiteral(money)),
    state,
    reason: reason ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** As the column `refunds` has it. The currency is that of the order. */
export interface StoredRefund {
  readonly id: string;
  readonly minor: string;
  readonly state: RefundState;
  readonly reason: StatusReason | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function toStoredRefund(refund: Refund): StoredRefund {
  const { refundId, amount: money, state, reason = null, createdAt, updatedAt } = refund;
  return {
    id: refundId,
    minor: String(money.minor),
    state,
    reason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function toRefund(currency: CurrencyCode, stored: StoredRefund): Refund {
  return {
    refundId: storedPublicId('rfd', stored.id),
    amount: amount(currency, BigInt(stored.minor)),
    state: stored.state,
    reason: stored.reason ?? undefined,
    createdAt: new Date(stored.createdAt),
    updatedAt: new Date(stored.updatedAt),
  };
}

function newRefundId(merchantId: MerchantId): RefundId {
  return newMerchantPublicId('rfd', merchantId);
}
