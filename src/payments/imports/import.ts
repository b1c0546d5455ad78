/** An import: a file of movements on one account, and what became of each line. */
import { csvLine } from '../../http/answers/csv.js';
import type { PublicId, TenantId } from '../../ids.js';
import type { AccountRef } from '../payment.js';

export type ImportId = PublicId<'imp'>;

/** What became of a line when it was done. `recorded`: applied to its order, or handed over to the order's merchant. */
export const lineOutcomes = ['recorded', 'suspense', 'duplicate', 'fault'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

/** What became of a line. It contains nothing personal. */
export interface LineResult {
  readonly line: number;
  readonly outcome: LineOutcome;
  /** Absent for a fault. */
  readonly paymentId?: string;
  /** The reason of a suspense, or the code of a fault. */
  readonly reason?: string;
  readonly column?: string;
  readonly message?: string;
}

export interface PaymentImport extends AccountRef {
  readonly importId: ImportId;
  readonly lines: number;
  readonly createdAt: Date;
}

/** How far an import has come. */
export interface ImportProgress extends PaymentImport {
  readonly counts: Readonly<Record<LineOutcome, number>>;
  readonly isFinished: boolean;
  /** Payments that the file recorded and that were voided. */
  readonly voided: number;
  /** Two operators want all to be voided: `voiding` until each was tried. */
  readonly voiding: 'no' | 'voiding' | 'done';
}

/** The lines that one worker does at a time. */
export interface ImportPart {
  readonly ownerId: TenantId;
  readonly importId: ImportId;
  readonly part: number;
}

export const linesPerPart = 200;

/** As CSV. */
export const resultHead = csvLine(['line', 'outcome', 'paymentId', 'reason', 'column', 'message']);

export function resultLine(result: LineResult): string {
  const { line, outcome, paymentId = '', reason = '', column = '', message = '' } = result;
  return csvLine([line, outcome, paymentId, reason, column, message]);
}
