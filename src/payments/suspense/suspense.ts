/** A suspense record: money that arrived and that no order takes, until a person has decided. */
import type { PublicId, TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import type { OrderId } from '../../orders/order.js';
import type { PaymentId, SuspenseReason } from '../payment.js';

export type SuspenseId = PublicId<'sus'>;

export interface SuspenseRecord {
  /** Whose books the money is in: a merchant, or the instance when nobody knows whose it is. */
  readonly ownerId: TenantId;
  readonly suspenseId: SuspenseId;
  readonly paymentId: PaymentId;
  readonly reason: SuspenseReason;
  readonly amount: Amount;
  /** The order that the money seems to be for. */
  readonly orderId: OrderId | undefined;
  readonly openedAt: Date;
}

/** The record as lists show it, with the client id of its owner. It contains nothing personal. */
export function viewOfSuspense(record: SuspenseRecord, clientId: string | undefined) {
  return {
    id: record.suspenseId,
    merchant: clientId ?? null,
    paymentId: record.paymentId,
    reason: record.reason,
    amount: Number(amountToLiteral(record.amount)),
    currency: record.amount.currency,
    orderId: record.orderId ?? null,
    openedAt: record.openedAt.toISOString(),
  };
}
