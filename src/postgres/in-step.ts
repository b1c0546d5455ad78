/**
 * Joins the statements that several works in one transaction send for an item each into one statement for all items. The
 * server then parses, plans and answers once instead of once for each item. Measured in decision 57.
 */
import type { Queryable, Statement, Transaction } from './statement.js';

const joiners = new WeakMap<Queryable, Joiner>();

/**
 * Does the work for all items at the same time, so that they share statements. No two items may lock or change the same row.
 * Ends when all have ended, and throws the first failure.
 */
export async function inStep<Item, Result>(
  tx: Transaction,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const failures: unknown[] = [];
  joiners.set(tx, new Joiner(tx));
  // None may send a statement after the transaction has ended, so a failure waits for the others.
  const settled = await Promise.allSettled(
    items.map((item) =>
      work(item).catch((error: unknown) => {
        failures.push(error);
        throw error;
      }),
    ),
  );
  joiners.delete(tx);
  return settled.map((result) => {
    if (result.status === 'rejected') throw failures[0];
    return result.value;
  });
}

/** True within `inStep`. Elsewhere nothing is joined, and a row can be sent without waiting for its answer. */
export function isInStep(tx: Transaction): boolean {
  return joiners.has(tx);
}

/**
 * Runs a statement for one item. Its first parameter is the merchant; each other one is an array with a value of every item.
 * Within `inStep`, items of the same moment share the statement: the rows are those of all of them, so each row must tell
 * whose it is.
 *
 * In the text, the first array that decides how many rows are read stands as `(SELECT $2::text[])`. The server then does not
 * see its length. Otherwise a plan for one item looks cheaper than one for any number, and it would plan anew in every call.
 */
export function queryJoined<Row>(
  database: Queryable,
  statement: Statement<Row>,
  merchantId: number,
  item: readonly unknown[],
): Promise<readonly Row[]> {
  const joiner = joiners.get(database);
  if (joiner) return joiner.add(statement, merchantId, item);
  return database.query(statement, [merchantId, ...item.map((value) => [value])]);
}

interface Gathered {
  readonly items: (readonly unknown[])[];
  readonly rows: Promise<unknown[]>;
}

class Joiner {
  readonly #gathered = new Map<string, Gathered>();

  constructor(readonly tx: Transaction) {}

  add<Row>(statement: Statement<Row>, merchantId: number, item: readonly unknown[]): Promise<readonly Row[]> {
    const key = `${merchantId} ${statement.name}`;
    const gathered = this.#gathered.get(key) ?? this.#gather(key, statement, merchantId);
    gathered.items.push(item);
    return gathered.rows as Promise<Row[]>;
  }

  /** Sends the statement at the end of this turn of the event loop, with the items of all works that came as far. */
  #gather(key: string, statement: Statement<unknown>, merchantId: number): Gathered {
    const items: (readonly unknown[])[] = [];
    const rows = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#gathered.delete(key);
      const columns = (items[0] ?? []).map((_, column) => items.map((item) => item[column]));
      return this.tx.query(statement, [merchantId, ...columns]);
    });
    const gathered = { items, rows };
    this.#gathered.set(key, gathered);
    return gathered;
  }
}
