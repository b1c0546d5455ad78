/** What operators say when they reverse a payment. */

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
