/** What operators say when they reverse a payment, and why one command does not reverse it. */
import { RemesaError } from '../../errors.js';

export interface Correction {
  /** Of the order or of the suspense record that has the payment. */
  readonly version: number;
  readonly note: string;
}

/** The line of the bank statement that shows that the money was taken back. */
export interface BankClawback extends Correction {
  readonly bankReference: string;
  readonly bookedAt: Date;
}

export function notReversible(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_not_reversible', `The payment cannot be reversed. ${message}`);
}
