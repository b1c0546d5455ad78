/** What batches need from whoever owns the payments. `app.ts` provides it. */
import type { TenantId } from '../../ids.js';
import type { PaymentOrder } from '../../iso20022/payment-message.js';
import type { Amount } from '../../money/amount.js';

/** The job that collects payments. Whoever opens a payment wakes it. */
export const batchJob = 'bank.batches';
/** The job that takes released batches on, step by step. */
export const releaseJob = 'bank.releasing';

export interface PaymentRef {
  /** Whose money it is. */
  readonly merchantId: TenantId;
  readonly attemptId: string;
}

export interface WaitingPayment extends PaymentRef {
  /** What we and the banks know the payment by: its end-to-end id. */
  readonly reference: string;
  readonly direction: 'payout' | 'refund';
  readonly amount: Amount;
  /** Undefined for a payment that no bank can make, and after the key of its user was destroyed. */
  readonly order: PaymentOrder | undefined;
  /** The account that it must leave from; undefined when any account of the currency will do. */
  readonly bank: string | undefined;
}

/** A payment that nobody has withdrawn. */
export interface CheckedPayment extends PaymentRef {
  readonly version: number;
  /** False for one that must wait: for the end of a pause, or for a correction. */
  readonly mayLeave: boolean;
}

/** What the bank says about a payment. */
export interface PaymentNews {
  /** The same when the bank says the same again. */
  readonly reportId: string;
  readonly reference: string;
  readonly kind: 'accepted' | 'rejected' | 'recalled';
  readonly reason?: string;
  readonly raw: string;
}

export interface BatchedPayments {
  /** Payments that have to be put into a batch. Nobody else gets them for a minute. */
  claimWaiting(): Promise<WaitingPayment[]>;
  lookAgainIn(payment: PaymentRef, seconds: number): Promise<void>;
  /** Examines them again. What does not pass is withdrawn, and left out. */
  check(payments: readonly PaymentRef[]): Promise<CheckedPayment[]>;
  /** From now on nobody withdraws it. Returns false for one that was changed since it was checked. */
  send(
    payment: PaymentRef & { readonly version: number },
    message: { readonly messageId: string; readonly createdAt: Date },
  ): Promise<boolean>;
  /** By the id of the attempt. */
  ordersOf(payments: readonly PaymentRef[]): Promise<ReadonlyMap<string, PaymentOrder>>;
  /** Those that a bank has and may still debit: the ids of the attempts. */
  listUndebited(payments: readonly PaymentRef[]): Promise<ReadonlySet<string>>;
  /** Returns false when some of it could not be recorded, and has to be told again. */
  tell(news: readonly PaymentNews[]): Promise<boolean>;
}

/** The payments of a room that is built later. Nothing is asked of it while no payment leaves in a file. */
export function paymentsBuiltLater(find: () => BatchedPayments | undefined): BatchedPayments {
  const built = (): BatchedPayments => {
    const payments = find();
    if (!payments) throw new Error('no payment of this instance leaves in a file');
    return payments;
  };
  return {
    claimWaiting: () => built().claimWaiting(),
    lookAgainIn: (payment, seconds) => built().lookAgainIn(payment, seconds),
    check: (payments) => built().check(payments),
    send: (payment, message) => built().send(payment, message),
    ordersOf: (payments) => built().ordersOf(payments),
    listUndebited: (payments) => built().listUndebited(payments),
    tell: (news) => built().tell(news),
  };
}
