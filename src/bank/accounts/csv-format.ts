/** How a bank without files of ISO 20022 writes its movements as CSV: declared for an account, as data. Pure. */
import type { FieldFault } from '../../errors.js';

export const csvDelimiters = ['comma', 'semicolon', 'tab'] as const;
export const csvEncodings = ['utf-8', 'windows-1252'] as const;
export const csvDates = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'DD-MM-YYYY', 'MM/DD/YYYY', 'YYYYMMDD'] as const;
export const csvDecimalMarks = ['.', ','] as const;

/** Fields that name a column, by the text in the header of the file. */
export const csvColumnFields = [
  'bookedOn',
  'valueOn',
  'amount',
  'direction',
  'debit',
  'credit',
  'bankReference',
  'endToEndId',
  'name',
  'account',
  'text',
] as const;
export type CsvColumnField = (typeof csvColumnFields)[number];

export interface CsvFormat extends Partial<Record<CsvColumnField, string>> {
  readonly delimiter: (typeof csvDelimiters)[number];
  readonly encoding: (typeof csvEncodings)[number];
  readonly dates: (typeof csvDates)[number];
  readonly decimalMark: (typeof csvDecimalMarks)[number];
  readonly bookedOn: string;
  /** What the column `direction` says of a debit. */
  readonly debitWord?: string;
  /** What it says of a credit. Any other word is a fault: a reversal is no payment. */
  readonly creditWord?: string;
}

/** A file says what came and what left in one column with signs, in one with a word beside it, or in two columns. */
export function csvFormatFaults(format: unknown): FieldFault[] {
  const { amount, direction, debitWord, creditWord, debit, credit } = (format ?? {}) as Partial<CsvFormat>;
  const faults: FieldFault[] = [];
  const refuse = (field: string, message: string) =>
    faults.push({ field: `csv.${field}`, code: 'not_allowed', message });
  const hasTwo = debit !== undefined && credit !== undefined;
  if (amount === undefined && !hasTwo) refuse('amount', 'is required, unless there are both `debit` and `credit`');
  if (amount !== undefined && (debit !== undefined || credit !== undefined))
    refuse('amount', 'must not stand beside `debit` and `credit`');
  for (const word of [debitWord, creditWord])
    if ((direction === undefined) !== (word === undefined) && faults.length === 0)
      refuse('direction', 'needs `debitWord` and `creditWord`: what it says of a debit and of a credit');
  if (direction !== undefined && amount === undefined) refuse('direction', 'stands beside `amount` only');
  return faults;
}
