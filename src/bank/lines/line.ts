/**
 * A line of a bank account: what the bank booked, once, however often it is reported. Its details are the payments in
 * it. Types and pure rules.
 */
import type { PublicId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';

/** The job that explains what waits. Whoever makes something wait wakes it. */
export const matchJob = 'bank.match';

export type LineId = PublicId<'bnl'>;

/** As it is on our account: a credit is money that came in. */
export type LineSign = 'credit' | 'debit';

/** Who reported a line first. `rail` is a payment network that keeps an account for us. */
export const lineSources = [
  'hand',
  'rail',
  'sandbox',
  'csv',
  'csv_statement',
  'camt.052',
  'camt.053',
  'camt.054',
] as const;
export type LineSource = (typeof lineSources)[number];

export const detailStates = ['waiting', 'explained', 'break', 'replaced'] as const;
export type DetailState = (typeof detailStates)[number];

/** The account in the ledger: `bank` is its place. */
export interface BankPlace {
  readonly bank: string;
  readonly currency: CurrencyCode;
}

/** What is known of a line when somebody recorded it without a statement. */
export interface RecordedLine extends BankPlace {
  readonly sign: LineSign;
  readonly amountMinor: bigint;
  /** YYYY-MM-DD. */
  readonly bookedOn: string;
  /** The bank's own reference. */
  readonly reference: string;
  /** What we called the payment, where it is one of ours. */
  readonly endToEndId?: string;
  /** Marks of the other side, such as `account.…`, `name.…` and `order.…`. Undefined: the line is not compared. */
  readonly counterparty?: readonly string[];
  /** Lines with which two people have compared it: it is none of them. */
  readonly otherThan?: readonly string[];
  readonly source: Extract<LineSource, 'hand' | 'rail' | 'sandbox' | 'csv'>;
}

export interface DetailRef {
  readonly lineId: LineId;
  readonly number: number;
}

/** A payment in a line that was stored, with what the line says. */
export interface StoredDetail extends BankPlace, DetailRef {
  readonly sign: LineSign;
  readonly lineAmountMinor: bigint;
  readonly bookedOn: string;
  readonly bankReference: string | undefined;
  readonly source: LineSource;
  /** Whether a statement has the line. */
  readonly isOnStatement: boolean;
  readonly amountMinor: bigint;
  readonly endToEndId: string | undefined;
  readonly state: DetailState;
  readonly record: string | undefined;
  /** Of a break. */
  readonly reason: string | undefined;
  readonly version: number;
}

/** References are compared without blanks, which banks put where they like. */
export function plainReference(reference: string): string {
  return reference.replaceAll(/\s/g, '');
}
