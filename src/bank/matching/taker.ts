/** What the bank asks of the rooms that move money: whose a line is. */
import type { Amount } from '../../money/amount.js';
import type { Database } from '../../postgres/database.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { DetailRef, LineSign } from '../lines/line.js';
import type { EntryKind } from '../lines/reported.js';

/** A payment of a line that nothing explains yet. */
export interface ReportedMovement extends DetailRef {
  readonly account: Pick<BankAccount, 'accountId' | 'ownerId' | 'profile'>;
  readonly sign: LineSign;
  readonly amount: Amount;
  readonly bookedOn: string;
  /** The bank's own, or the id of the line. */
  readonly reference: string;
  readonly endToEndId: string | undefined;
  /** Whoever is on the other side. */
  readonly name: string | undefined;
  readonly counterpartyAccount: string | undefined;
  readonly text: string;
  readonly references: readonly string[];
  readonly isReturn: boolean;
  readonly returnReason: string | undefined;
  /** Ids of the message or block that the bank carried out, where it does not list the payments of it. */
  readonly messageIds: readonly string[];
  /** How many payments the bank says that these are. */
  readonly count: number | undefined;
  /** The bank's code of what kind of transaction it is. Payers do not choose it. */
  readonly code: string | undefined;
  /** What people said that it is. */
  readonly saidToBe: EntryKind | 'payment' | undefined;
}

/** Explained; or not, because of something that a person must look at. */
export type Verdict = { readonly explainedBy: string } | { readonly reason: string };

export interface LineTaker {
  /**
   * Books the movement, if it is of this room, and explains its line in the same transaction. Returns undefined for a
   * movement that is not of this room. Throws `LineExplained`.
   */
  take(database: Database, movement: ReportedMovement): Promise<Verdict | undefined>;
}
