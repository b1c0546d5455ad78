/** What payouts need from their neighbours, and from the room of orders. `app.ts` provides it. */
import type { By } from '../caller.js';
import type { MerchantId, TenantId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { OrderId, OrderRef } from '../orders/order/order.js';
import type { ExitVerdict, RefundRecipient } from '../orders/order/ports.js';
import type { Transaction } from '../postgres/statement.js';

export interface SuspenseRef {
  readonly ownerId: TenantId;
  readonly suspenseId: string;
}

/**
 * Asked when a refund is about to be sent. Locks the order, or the record. `recipient`: the account that it is sent to,
 * if it is known.
 */
export interface RefundExits {
  ofOrder(tx: Transaction, order: OrderRef, recipient: RefundRecipient | undefined): Promise<ExitVerdict>;
  ofSuspense(tx: Transaction, record: SuspenseRef, recipient: RefundRecipient | undefined): Promise<ExitVerdict>;
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
  /** The payer has the money of a refund that was thought to have ended. */
  proveRefund(tx: Transaction, by: By, record: SuspenseRef, proof: SuspenseRefundProof): Promise<void>;
  /** The payer has the money although nothing of the record was left. */
  recordOverpaid(tx: Transaction, by: By, record: SuspenseRef, proof: SuspenseRefundProof): Promise<void>;
}

export interface SuspenseRefundProof {
  readonly bank: string;
  readonly amount: Amount;
  readonly note: string;
}

/** Sends orders of one merchant through the gate again, whose payouts are about to leave. */
export type PayoutRecheck = (
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
) => Promise<ReadonlyMap<OrderId, ExitVerdict>>;
