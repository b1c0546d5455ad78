/**
 * What orders need from the rooms that move money. Those rooms are above this one, so they are declared here and provided
 * by `app.ts`.
 */
import type { MerchantId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { Order, Payee, PayinAccount } from './order.js';

/** What is to be paid out, and to where. */
export interface PayoutRequest {
  readonly merchantId: MerchantId;
  /** Which corridor it is, for a pause of that corridor. */
  readonly fiatIn: CurrencyCode;
  readonly amountOut: Amount;
  readonly payee: Pick<Payee, 'country' | 'method'>;
}

export interface PayoutPlan {
  /** The name of the rail. The ledger's settlement account is called after it. */
  readonly rail: string;
  readonly estimatedArrivalAt: Date;
}

/** Why nothing can be paid out now. */
export type PayoutObstacle = 'no_rail' | 'rail_paused' | 'corridor_paused' | 'merchant_paused';

export interface Payouts {
  /** Which rail would pay this now, and when the money would arrive. Asks nobody outside. */
  plan(
    database: Queryable,
    request: PayoutRequest,
  ): Promise<PayoutPlan | { readonly obstacle: PayoutObstacle }>;
  /** Writes the attempt, in the transaction of `submit_payout`. The rail is asked after the commit. */
  openPayout(tx: Transaction, order: Order, plan: PayoutPlan): Promise<void>;
  /**
   * Writes the attempt to pay money back, in the transaction that makes the refund pending. Without a recipient it goes to
   * the account that paid.
   */
  openRefund(tx: Transaction, order: Order, due: Amount, recipient?: RefundRecipient): Promise<void>;
  /**
   * Ends the attempt to pay money back before the rail was asked, because the order is reviewed or frozen. Returns false
   * when the money may have left. Absent: it is never possible.
   */
  withdrawRefund?(tx: Transaction, order: Order): Promise<boolean>;
}

/** An account that an operator has chosen for a refund. Personal data: only the sealed content of an attempt has it. */
export interface RefundRecipient {
  readonly name: string;
  readonly account: string;
}

export interface PayinAccounts {
  /** Undefined when no account takes this currency for the merchant. Then there can be no order. */
  find(
    database: Queryable,
    merchantId: MerchantId,
    currency: CurrencyCode,
  ): Promise<PayinAccount | undefined>;
}
