/**
 * A statement has a name, so that the server prepares it once per connection, and the type of its rows.
 * Every SQL text of the service is declared with `statement(…)`; the tenancy test finds the texts by this call.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** The server plans it for the values of each call, for lists whose filters are optional. It is then not prepared. */
  readonly isPlannedEachTime?: boolean;
  /** Carries the type of the rows. It is never set at run time. */
  readonly row?: Row;
}

export function statement<Row = never>(
  name: string,
  text: string,
  { isPlannedEachTime = false } = {},
): Statement<Row> {
  return isPlannedEachTime ? { name, text, isPlannedEachTime } : { name, text };
}

/** Runs statements: a transaction, or the database for a single read. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

declare const transactionBrand: unique symbol;

/** Created by `Database.transaction` only, so a function that takes one cannot be called outside of a transaction. */
export interface Transaction extends Queryable {
  /**
   * Sends a statement whose answer nobody needs, in one packet with the statement that follows or with COMMIT. If it fails,
   * the transaction fails with its error.
   */
  send(statement: Statement<never>, values: readonly unknown[]): void;
  /** Wakes a job of the worker after the commit. Nothing is woken when the transaction is rolled back. */
  wake(job: string): void;
  /** Runs the work and undoes it. Throws what the work throws; the transaction has failed then. */
  rehearse(work: () => Promise<unknown>): Promise<void>;
  readonly [transactionBrand]: true;
}
