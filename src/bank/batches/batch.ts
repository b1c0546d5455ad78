/**
 * A batch is a file of payments to one of our banks, before and after it leaves. This file has its states, and when it
 * closes. Pure.
 */
import type { PublicId, TenantId } from '../../ids.js';
import { cutOffOf, executionDayFor } from '../../iso20022/bank-days.js';
import type { BankProfile } from '../../iso20022/profiles.js';
import type { Amount } from '../../money/amount.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { isUsableBy } from '../accounts/bank-account.js';

export type BatchId = PublicId<'bat'>;

/**
 * `COLLECTING`: payments join. `WAITING`: closed, for operators to release. `RELEASED`: its payments are examined
 * again. `CHECKED`: nobody withdraws a payment any more. `WRITTEN`: its file is stored, to be sent. `SENT`: the bank
 * has it. `EMPTY`: no payment was left when it was released.
 */
export const batchStates = ['COLLECTING', 'WAITING', 'RELEASED', 'CHECKED', 'WRITTEN', 'SENT', 'EMPTY'] as const;
export type BatchState = (typeof batchStates)[number];

export type BatchEvent = 'close' | 'release' | 'check' | 'write' | 'send' | 'empty';

const transitions: Readonly<Record<BatchEvent, { readonly from: readonly BatchState[]; readonly to: BatchState }>> = {
  close: { from: ['COLLECTING'], to: 'WAITING' },
  release: { from: ['WAITING'], to: 'RELEASED' },
  check: { from: ['RELEASED'], to: 'CHECKED' },
  write: { from: ['CHECKED'], to: 'WRITTEN' },
  send: { from: ['WRITTEN'], to: 'SENT' },
  empty: { from: ['RELEASED', 'CHECKED'], to: 'EMPTY' },
};

/** Undefined when the batch is in no state for it. */
export function batchStateAfter(from: BatchState, event: BatchEvent): BatchState | undefined {
  const { from: allowed, to } = transitions[event];
  return allowed.includes(from) ? to : undefined;
}

export interface Batch {
  readonly batchId: BatchId;
  readonly accountId: string;
  readonly state: BatchState;
  /** When it closes by itself. */
  readonly closesAt: Date;
  /** Counts its changes, also the payments that joined. */
  readonly version: number;
  /** Of the payments that joined and did not leave. */
  readonly payments: number;
  readonly sum: Amount;
  /** On which day the bank pays; known when the file is written. */
  readonly executionDay: string | undefined;
  readonly file: BatchFile | undefined;
  /** What the bank said about the batch as a whole, such as `ACTC`. */
  readonly answer: string | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/** The account as a file names it: what an operator may change until the file is written. */
export type PayingAccount = Pick<
  BankAccount,
  'accountId' | 'currency' | 'holder' | 'address' | 'bankName' | 'country' | 'number' | 'bic' | 'profile' | 'timeZone'
>;

export interface BatchFile {
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly hash: string;
}

/** A payment in a batch. It leaves the batch when it is withdrawn, or has to wait, before the file is written. */
export interface BatchPayment {
  readonly merchantId: TenantId;
  readonly attemptId: string;
  readonly reference: string;
  readonly direction: 'payout' | 'refund';
  readonly amount: Amount;
  readonly hasLeft: boolean;
  /** The version of the attempt that was examined when the batch was released. */
  readonly version: number | undefined;
  /** What the bank said about the payment, such as `ACSP`. */
  readonly answer: string | undefined;
}

/** The bank knows the file, and the one block of payments in it, by these. */
export function messageIdOf(batchId: BatchId): string {
  return `MSG${batchId.slice('bat_'.length)}`;
}

export function paymentInformationIdOf(batchId: BatchId): string {
  return `PMT${batchId.slice('bat_'.length)}`;
}

/** Undefined for a message that is no batch of ours. */
export function batchIdOfMessage(messageId: string): string | undefined {
  const [, tail] = /^(?:MSG|PMT)([0-9A-HJKMNP-TV-Z]{26})$/.exec(messageId) ?? [];
  return tail === undefined ? undefined : `bat_${tail}`;
}

/** So long before the bank's cut-off a batch closes, so that there is time to release it. */
const timeToReleaseMs = 45 * 60_000;

export function closingTime({ bankDays }: BankProfile, now: Date): Date {
  const day = executionDayFor(new Date(now.getTime() + timeToReleaseMs), bankDays);
  return new Date(cutOffOf(day, bankDays).getTime() - timeToReleaseMs);
}

/** A file is examined by people, and written at once. */
const mostPayments = 1000;

export function isFull({ paymentsPerMessage }: Pick<BankProfile, 'paymentsPerMessage'>, payments: number): boolean {
  return payments >= Math.min(paymentsPerMessage, mostPayments);
}

export interface PaymentToPlace {
  readonly merchantId: TenantId;
  readonly currency: string;
  /** Where it must leave from; undefined when any account of the currency will do. */
  readonly bank: string | undefined;
}

/** The account that a payment leaves from: the merchant's own before one that is shared, the first by id. */
export function payingAccount(accounts: readonly BankAccount[], payment: PaymentToPlace): BankAccount | undefined {
  const { merchantId, currency, bank } = payment;
  const usable = accounts.filter(
    (account) =>
      account.uses.includes('payout') &&
      account.currency === currency &&
      isUsableBy(account, merchantId) &&
      (bank === undefined || account.accountId === bank),
  );
  return usable.find(({ ownerId }) => ownerId === merchantId) ?? usable[0];
}

/**
 * Whether one person, or nobody, is enough to release the batch: what left on the same day counts, so that many small
 * batches are no way around the second person.
 */
export function leavesAlone(
  { sum }: Pick<Batch, 'sum'>,
  { releaseUpTo }: Pick<BankAccount, 'releaseUpTo'>,
  releasedTodayMinor: bigint,
): boolean {
  return releaseUpTo !== undefined && releasedTodayMinor + sum.minor <= releaseUpTo.minor;
}

/** The name under which the log of changes and approvals know a batch. */
export function recordOf({ batchId }: Pick<Batch, 'batchId'>): string {
  return `bank_batch:${batchId}`;
}
