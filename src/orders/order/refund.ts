/** The refunds of an order: what goes back to each payer, and how far it is. Pure. */
import { newMerchantPublicId, storedPublicId } from '../../ids.js';
import { type Amount, add, amount, isZero, subtract } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountToLiteral } from '../../money/literal.js';
import type { Order, Refund, RefundId, RefundState, StatusReason } from './order.js';

type Amounts = Pick<Order, 'amountReceived' | 'amountRefunded' | 'amountKept' | 'amountReversed' | 'refunds'>;

/**
 * What we owe the payers: what came, less what went back, what we kept and what the bank took back. Once it is divided
 * into refunds, each payer is owed by the payer's own: what one bank takes back is no loss of another payer. Refunds
 * that were all cancelled divide nothing: the order may have gone on.
 */
export function owedToPayer(amounts: Amounts): Amount {
  const { refunds, amountReversed } = amounts;
  const { currency, minor } = inBooks(amounts);
  if (refunds.some(({ state }) => state !== 'cancelled'))
    return refunds.reduce((sum, refund) => add(sum, owedFor(refund)), amount(currency, 0n));
  // A bank may take back more than we still have: the rest is a loss, and nothing that we owe.
  return amount(currency, minor > amountReversed.minor ? minor - amountReversed.minor : 0n);
}

/** What the payer of this refund is still owed. */
export function owedFor({ amount: due, reversed, state }: Refund): Amount {
  return state === 'paid' || state === 'cancelled' ? amount(due.currency, 0n) : subtract(due, reversed);
}

/**
 * What the books have of the payment while the order goes on. A payment that is clawed back after it was paid out stays
 * in them, because it was booked as a loss; a refund recovers it if the payout comes back.
 */
export function inBooks({ amountReceived, amountRefunded, amountKept }: Omit<Amounts, 'refunds'>): Amount {
  return subtract(subtract(amountReceived, amountRefunded), amountKept);
}

/** A refund that begins. */
export function newRefund(
  { merchantId }: Pick<Order, 'merchantId'>,
  refund: Pick<Refund, 'amount' | 'reason' | 'paymentIds'>,
  now: Date,
): Refund {
  const refundId: RefundId = newMerchantPublicId('rfd', merchantId);
  const reversed = amount(refund.amount.currency, 0n);
  return { ...refund, refundId, reversed, state: 'pending', createdAt: now, updatedAt: now };
}

/** The refunds with these ones changed. */
export function withRefunds(refunds: readonly Refund[], changed: readonly Refund[]): readonly Refund[] {
  return refunds.map((refund) => changed.find(({ refundId }) => refundId === refund.refundId) ?? refund);
}

/** The refunds with this one in another state. */
export function withRefundState(
  refunds: readonly Refund[],
  refundId: RefundId,
  state: RefundState,
  now: Date,
): readonly Refund[] {
  return refunds.map((refund) => (refund.refundId === refundId ? { ...refund, state, updatedAt: now } : refund));
}

/** Nothing is paid back any more; what was paid stays. */
export function withRefundsCancelled(refunds: readonly Refund[], now: Date): readonly Refund[] {
  return refunds.map((refund) =>
    refund.state === 'paid' || refund.state === 'cancelled'
      ? refund
      : { ...refund, state: 'cancelled', updatedAt: now },
  );
}

/** The refund is tried again, for what the bank of the payer has not taken back since. */
export function triedAgain(refund: Refund, now: Date): Refund {
  const due = owedFor(refund);
  if (isZero(due)) return { ...refund, state: 'cancelled', updatedAt: now };
  return { ...refund, amount: due, reversed: amount(due.currency, 0n), state: 'pending', updatedAt: now };
}

/** Whether one of them failed and waits for an operator. */
export function hasFailed(refunds: readonly Refund[]): boolean {
  return refunds.some(({ state }) => state === 'failed');
}

/** Whether every payer has the money, or none of it is owed any more. */
export function isSettled(refunds: readonly Refund[]): boolean {
  return refunds.every(({ state }) => state === 'paid' || state === 'cancelled');
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
  readonly reversedMinor: string;
  readonly paymentIds: readonly string[];
  readonly state: RefundState;
  readonly reason: StatusReason | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function toStoredRefund(refund: Refund): StoredRefund {
  const { refundId, amount: money, reversed, paymentIds, state, reason = null, createdAt, updatedAt } = refund;
  return {
    id: refundId,
    minor: String(money.minor),
    reversedMinor: String(reversed.minor),
    paymentIds,
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
    reversed: amount(currency, BigInt(stored.reversedMinor)),
    paymentIds: stored.paymentIds,
    state: stored.state,
    reason: stored.reason ?? undefined,
    createdAt: new Date(stored.createdAt),
    updatedAt: new Date(stored.updatedAt),
  };
}
