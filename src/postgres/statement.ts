/**
 * A statement has a name, so that the server prepares it once per connection, and the type of its rows.
 * Every SQL text of the service is made here: the tenancy check reads them by this call.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never there at run time; carries the row's type. */
  readonly row?: Row;
}

export function statement<Row = never>(name: string, text: string): Statement<Row> {
  return { name, text };
}

/** Whoever may run a statement: a transaction, or the database for a single read. */
export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

declare const transactionBrand: unique symbol;

/** Only `Database.transaction` makes one, so a function that asks for it can't be called outside of one. */
export interface Transaction extends Queryable {
  /** Wakes a job of the worker once this transaction is committed, and not at all if it is not. */
  wake(job: string): void;
  readonly [transactionBrand]: true;
}
