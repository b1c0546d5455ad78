/** A row of `suspense_records` as a record. */
import { storedPublicId, tenantId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { SuspenseReason } from '../payment.js';
import type { SuspenseRecord } from './suspense.js';
import type { SuspenseState } from './transitions.js';

export interface SuspenseRow {
  merchant_id: bigint;
  suspense_id: string;
  payment_id: string;
  reason: SuspenseReason;
  currency: CurrencyCode;
  amount_minor: bigint;
  remaining_minor: bigint;
  order_id: string | null;
  handed_to: string | null;
  despite: string[];
  state: SuspenseState;
  version: number;
  opened_at: Date;
  changed_at: Date;
}

export const suspenseColumns = `merchant_id, suspense_id, payment_id, reason, currency, amount_minor, remaining_minor,
  order_id, handed_to, despite, state, version, opened_at, changed_at`;

export function toSuspense(row: SuspenseRow): SuspenseRecord {
  return {
    ownerId: tenantId(row.merchant_id),
    suspenseId: storedPublicId('sus', row.suspense_id),
    paymentId: storedPublicId('pay', row.payment_id),
    reason: row.reason,
    amount: amount(row.currency, row.amount_minor),
    remaining: amount(row.currency, row.remaining_minor),
    orderId: row.order_id === null ? undefined : storedPublicId('ord', row.order_id),
    handedTo: row.handed_to === null ? undefined : storedPublicId('ord', row.handed_to),
    despite: row.despite,
    state: row.state,
    version: row.version,
    openedAt: row.opened_at,
    changedAt: row.changed_at,
  };
}
