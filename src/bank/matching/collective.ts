/**
 * A debit of many payments that the bank booked as one: which payments of the message that it names are in it. Only
 * what makes the amount to the cent is believed. Pure.
 */
import type { ReportedPayment } from '../lines/reported.js';
import { noContent } from '../lines/reported.js';

/** A payment of the batch that the bank names. */
export interface PaymentOfBatch {
  readonly reference: string;
  readonly amountMinor: bigint;
  /** It left, is not dead, and no other line has it. */
  readonly mayBeDebited: boolean;
}

export interface CollectiveDebit {
  readonly amountMinor: bigint;
  /** Of the payment in the line, where the bank reports exactly one. */
  readonly endToEndId: string | undefined;
  /** How many payments it says that it has. */
  readonly count: number | undefined;
}

/** Many payments that the bank does not list. */
export function isCollective({ endToEndId, count }: Omit<CollectiveDebit, 'amountMinor'>): boolean {
  return endToEndId === undefined || (count ?? 1) > 1;
}

/** Undefined when the payments that can be in it do not make its amount, or are not as many as the bank says. */
export function collectiveParts(
  { amountMinor, count }: CollectiveDebit,
  payments: readonly PaymentOfBatch[],
): ReportedPayment[] | undefined {
  const debited = payments.filter(({ mayBeDebited }) => mayBeDebited);
  const sum = debited.reduce((total, payment) => total + payment.amountMinor, 0n);
  if (debited.length === 0 || sum !== amountMinor) return undefined;
  if (count !== undefined && count !== debited.length) return undefined;
  return debited.map((payment) => ({
    amountMinor: payment.amountMinor,
    endToEndId: payment.reference,
    content: noContent,
  }));
}
