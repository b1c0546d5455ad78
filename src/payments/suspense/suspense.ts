/** A suspense record: money that arrived and that no order takes, until a person or a policy has decided. */
import type { DigestedRow } from '../../changes/row.js';
import type { PublicId, TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import type { OrderId } from '../../orders/order/order.js';
import type { PaymentId, SuspenseReason } from '../payment.js';
import type { SuspenseState } from './transitions.js';

export type SuspenseId = PublicId<'sus'>;

export interface SuspenseRef {
  /** Whose books the money is in: a merchant, or the instance when nobody knows whose it is. */
  readonly ownerId: TenantId;
  readonly suspenseId: SuspenseId;
}

export interface SuspenseRecord extends SuspenseRef {
  readonly paymentId: PaymentId;
  readonly reason: SuspenseReason;
  /** What came into suspense. */
  readonly amount: Amount;
  /** What we still hold of it. The rest was matched, paid back or written off. */
  readonly remaining: Amount;
  readonly orderId: OrderId | undefined;
  /** The order whose merchant gets the money from the instance. */
  readonly handedTo: OrderId | undefined;
  /** Hits and entries in spite of which two operators let the money go back. */
  readonly despite: readonly string[];
  readonly state: SuspenseState;
  /** Counts the changes. The next one is made from this version or not at all. */
  readonly version: number;
  readonly openedAt: Date;
  readonly changedAt: Date;
}

/** The name under which the log and approvals know a record. */
export function recordOf({ suspenseId }: Pick<SuspenseRecord, 'suspenseId'>): string {
  return `suspense:${suspenseId}`;
}

/** The record as lists show it, with the client id of its owner. It contains nothing personal. */
export function viewOfSuspense(record: SuspenseRecord, clientId: string | undefined) {
  return {
    id: record.suspenseId,
    merchant: clientId ?? null,
    paymentId: record.paymentId,
    reason: record.reason,
    state: record.state,
    amount: Number(amountToLiteral(record.amount)),
    remaining: Number(amountToLiteral(record.remaining)),
    currency: record.amount.currency,
    orderId: record.orderId ?? null,
    version: record.version,
    openedAt: record.openedAt.toISOString(),
    changedAt: record.changedAt.toISOString(),
  };
}

/** Begins the subjects of records. */
export const suspensePrefix = 'suspense:';

/** What the log remembers of its row. */
export function digestedSuspense(record: Omit<SuspenseRecord, 'openedAt' | 'changedAt'>): DigestedRow {
  const { amount, remaining } = record;
  return {
    subject: `${suspensePrefix}${record.suspenseId}`,
    row: [
      record.paymentId,
      record.reason,
      amount.currency,
      amount.minor,
      remaining.minor,
      record.orderId,
      record.handedTo,
      record.despite.join(),
      record.state,
      record.version,
    ],
  };
}
