/**
 * What orders need from the rooms that move money. Those rooms are above this one, so they are declared here and
 * provided by `app.ts`.
 */
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { MerchantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Sender } from './copies/sealed.js';
import type { Order, OrderId, OrderRef, Payee, PayinAccount, Refund } from './order.js';

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

/** Who sends and who receives, as the gate has opened them. */
export interface PayoutPeople {
  /** The user's retained key. */
  readonly retainedKey: Buffer;
  /** Undefined after the user was deleted. */
  readonly senderName?: string | undefined;
  readonly sender: Sender;
  readonly beneficiary: Details;
  /** How many attempts the order had before. A new one changes the version of the order. */
  readonly earlierAttempts: number;
}

/** Why nothing can be paid out now. */
export type PayoutObstacle = 'no_rail' | 'rail_paused' | 'corridor_paused' | 'merchant_paused';

export interface Payouts {
  /** Which rail would pay this at that time, by the merchant's clock, and when the money would arrive. Asks nobody. */
  plan(request: PayoutRequest, now: Date): PayoutPlan | { readonly obstacle: PayoutObstacle };
  /** Whether the newest payout failed or came back by a document that one operator may have handed in. */
  hasEndedByDocument?(database: Queryable, order: OrderRef): Promise<boolean>;
  /** Whether operators have stopped new orders like this one. Asks nobody. Absent: never. */
  areOrdersStopped?(request: PayoutRequest): boolean;
  /** How many attempts these orders have had, payouts and refunds. Orders without one may be left out. */
  countAttempts(
    database: Queryable,
    merchantId: MerchantId,
    orderIds: readonly OrderId[],
  ): Promise<ReadonlyMap<OrderId, number>>;
  /**
   * Writes the attempt, in the transaction of `submit_payout` and one statement. The rail is asked after the commit.
   */
  openPayout(tx: Transaction, order: Order, plan: PayoutPlan, people: PayoutPeople): Promise<void>;
  /**
   * Writes the attempt to pay money back, in the transaction that makes the refund pending. Without a recipient it goes
   * to the account that paid.
   */
  openRefund(tx: Transaction, order: Order, refund: Refund, recipient?: RefundRecipient): Promise<void>;
  /**
   * The account that the refund goes to when it is opened again after a review withdrew it, if an operator chose it or
   * the bank told it. Absent: never known.
   */
  withdrawnRecipient?(tx: Transaction, order: Order, refund: Refund): Promise<RefundRecipient | undefined>;
  /**
   * Ends the payout or the refunds of the order before anybody was instructed to make them, because the order is
   * reviewed or frozen, or less is owed. `refund`: only its attempt. Refunds that have failed or were paid need
   * nothing. Returns undefined, and writes nothing, when money may have left that is not known to have arrived. Absent:
   * it is never possible.
   */
  withdrawUnsent?(tx: Transaction, order: Order, refund?: Refund): Promise<Withdrawn | undefined>;
}

/** A payout or refunds that were stopped in time. */
export interface Withdrawn {
  /** Undefined when nothing was under way. */
  readonly rail: string | undefined;
}

/**
 * Whether money may be sent now. `wait`: that cannot be told now. `withdrawn`: it has ended, and a person decides.
 */
export type ExitVerdict = 'pass' | 'wait' | 'withdrawn';

/** Who paid, as the bank named them. */
export interface NamedPayer {
  readonly name: string;
  /** Undefined when the bank did not tell. */
  readonly account?: string | undefined;
  /** The name is unlike the user's. */
  readonly isAnother: boolean;
}

export interface NamedPayment {
  readonly paymentId: string;
  /** Personal data. Undefined after the user's retained key was destroyed. */
  readonly payerName: string | undefined;
  /** The name is unlike the user's. */
  readonly isAnother: boolean;
}

/** What one payer paid of an order, from one account. */
export interface PaidPart {
  readonly paymentIds: readonly string[];
  readonly amount: Amount;
}

/** The payments that orders have. What was taken off an order, voided or taken back by a bank is left out. */
export interface Payers {
  /**
   * The payers of the payments that these orders of one merchant have, sealed under the retained keys of their users.
   * Orders without a payment are left out. Opening throws `BrokenSeal`.
   */
  listOf(
    database: Queryable,
    merchantId: MerchantId,
    orderIds: readonly OrderId[],
  ): Promise<ReadonlyMap<OrderId, (retainedKey: Buffer) => readonly NamedPayer[]>>;
  /** What the order has from each account that paid it, the one that paid first first. */
  partsOf(database: Queryable, order: Order): Promise<readonly PaidPart[]>;
  /** Who made the payments that the order has, the first one first. */
  namesOf(database: Queryable, order: Order): Promise<readonly NamedPayment[]>;
}

/** An account that an operator has chosen for a refund. Personal data: only the sealed content of an attempt has it. */
export interface RefundRecipient {
  readonly name: string;
  readonly account: string;
}

export interface PayinAccounts {
  /** Undefined when no account takes this currency for the merchant. Then there can be no order. */
  find(database: Queryable, merchantId: MerchantId, currency: CurrencyCode): Promise<PayinAccount | undefined>;
  /** For a new order. Throws `ledger_fault` when somebody else has changed the account in the database. */
  choose(tx: Transaction, merchantId: MerchantId, currency: CurrencyCode): Promise<PayinAccount | undefined>;
}
