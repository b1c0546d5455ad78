/**
 * What payouts tell the room whose money in suspense they pay back. It is a neighbour, so it is declared here and
 * provided by `app.ts`.
 */
import type { By } from '../caller.js';
import type { TenantId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { Transaction } from '../postgres/statement.js';

export interface SuspenseRef {
  readonly ownerId: TenantId;
  readonly suspenseId: string;
}

export interface SuspenseRefundOutcomes {
  /** The payer has the money back. */
  settleRefund(
    tx: Transaction,
    by: By,
    record: SuspenseRef,
    paid: { readonly bank: string; readonly amount: Amount },
  ): Promise<void>;
  /** The payer's bank refused a refund that was not debited. */
  failRefund(tx: Transaction, by: By, record: SuspenseRef): Promise<void>;
  /** A refund that was paid bounced, and the money is on our account again. */
  returnRefund(
    tx: Transaction,
    by: By,
    record: SuspenseRef,
    returned: { readonly movement: string; readonly bank: string; readonly amount: Amount },
  ): Promise<void>;
}
