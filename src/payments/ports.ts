/**
 * What payments need from the room that moves money out. It is a neighbour, so it is declared here and provided by
 * `app.ts`.
 */
import type { TenantId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { Transaction } from '../postgres/statement.js';

/** Money in suspense that goes back to who paid it. */
export interface SuspenseRefund {
  /** Whose books the money is in. */
  readonly ownerId: TenantId;
  readonly suspenseId: string;
  readonly due: Amount;
  /** The account that the movement arrived on: the refund is paid from there. */
  readonly bank: string;
  /** Without an account where the bank did not tell it, undefined when nobody knows: then an operator finds out. */
  readonly payer: SuspensePayer | undefined;
}

export type SuspensePayer =
  | { readonly name: string; readonly account: string }
  | { readonly name: string; readonly account: null };

export interface SuspenseRefunds {
  /**
   * Writes the attempt to pay the money back, in the transaction that makes the refund due. The rail is asked later.
   */
  open(tx: Transaction, refund: SuspenseRefund): Promise<void>;
  /** Ends the attempt before anybody was instructed to pay. Returns false when the money may have left. */
  withdraw(tx: Transaction, record: Pick<SuspenseRefund, 'ownerId' | 'suspenseId'>): Promise<boolean>;
}
