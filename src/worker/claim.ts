/**
 * How a job takes its work, everywhere the same way.
 *
 * 1. It lists the merchants with due rows: a plain SELECT that locks nothing.
 * 2. For one merchant, one statement claims due rows: it locks them with FOR UPDATE SKIP LOCKED, so that workers do
 *    not wait for one another, and moves their lease (`leased_until` or `try_at`) into the future.
 * 3. Each row is done by itself, in transactions of its own, a few at a time. One that fails stops no other.
 * 4. A result counts only while the row is as it was claimed: the version has not changed, or the row still names this
 *    worker. So a worker whose lease has ended changes nothing any more.
 * 5. What is done leaves the queue, and what must wait gets the time of its next try. What failed, and what a worker
 *    had when it was killed, is due again when the lease ends.
 */
import { isDatabaseUnavailable, isLockTimeout } from '../postgres/failure.js';

/** How many rows a job works on at the same time. */
const rowsAtOnce = 4;

export type Done<Row, Result> =
  | { readonly row: Row; readonly result: Result }
  | { readonly row: Row; readonly error: unknown };

/**
 * Does each row by itself, a few at a time, and returns what became of each, in their order. A row that somebody else
 * has locked for too long has failed. Throws when the database cannot be reached, once the rows under way have ended.
 */
export async function doEach<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): Promise<Done<Row, Result>[]> {
  return mapAtMost(rows, rowsAtOnce, async (row) => {
    try {
      return { row, result: await work(row) };
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error;
      return { row, error };
    }
  });
}

/**
 * As `doEach`, but rows with a common subject are done one after the other, in their order. Returns what became of
 * each, in no particular order.
 */
export async function doEachInOrder<Row, Result>(
  rows: readonly Row[],
  subjectsOf: (row: Row) => readonly string[],
  work: (row: Row) => Promise<Result>,
): Promise<Done<Row, Result>[]> {
  const seen = new Set<string>();
  const [first, later]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    const subjects = subjectsOf(row);
    (subjects.some((subject) => seen.has(subject)) ? later : first).push(row);
    for (const subject of subjects) seen.add(subject);
  }
  const done = await doEach(first, work);
  for (const row of later) done.push(...(await doEach([row], work)));
  return done;
}

/**
 * Works on many items, at most so many at the same time. Returns the results in the order of the items. After a failure
 * no further item is begun; throws the first failure once the items under way have ended.
 */
export async function mapAtMost<Item, Result>(
  items: readonly Item[],
  atMost: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const workOn = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atMost }, workOn));
  if (failures.length > 0) throw failures[0];
  return results;
}
