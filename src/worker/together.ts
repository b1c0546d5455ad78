/**
 * Does many things in few transactions, each as if it had one of its own: what cannot be done takes nothing else with it.
 * Use it only for work that is safe to repeat, because a transaction that failed is tried again with fewer items.
 */

import type { Database } from '../postgres/database.js';
import { isDatabaseUnavailable, isTransactionAborted } from '../postgres/failure.js';
import { inStep } from '../postgres/in-step.js';
import type { Transaction } from '../postgres/statement.js';
import { inTurns } from './in-turns.js';

export interface Shared<Item, Result> {
  work(tx: Transaction, item: Item): Promise<Result>;
  /** What the item locks or changes. Items with the same subject are done one after the other, in their order. */
  subjects(item: Item): readonly string[];
}

export type Done<Item, Result> =
  | { readonly item: Item; readonly result: Result }
  | { readonly item: Item; readonly error: unknown };

/** Measured in decision 57. What the items of a transaction lock stays locked until it ends. */
const itemsPerTransaction = 50;
const transactionsAtOnce = 2;

/** All items are of one merchant. Returns them in no particular order. Throws when the database cannot be reached. */
export async function doTogether<Item, Result>(
  database: Database,
  items: readonly Item[],
  { work, subjects }: Shared<Item, Result>,
): Promise<Done<Item, Result>[]> {
  const { first, later } = byRepetition(items, subjects);
  const groups = Array.from({ length: Math.ceil(first.length / itemsPerTransaction) }, (_, group) =>
    first.slice(group * itemsPerTransaction, (group + 1) * itemsPerTransaction),
  );
  const done = await inTurns(groups, transactionsAtOnce, (group) => together(database, group, work));
  return [...done.flat(), ...(await inTurns(later, 1, (item) => alone(database, item, work)))];
}

function byRepetition<Item>(
  items: readonly Item[],
  subjects: (item: Item) => readonly string[],
): { first: Item[]; later: Item[] } {
  const seen = new Set<string>();
  const first: Item[] = [];
  const later: Item[] = [];
  for (const item of items) {
    const own = subjects(item);
    (own.some((subject) => seen.has(subject)) ? later : first).push(item);
    for (const subject of own) seen.add(subject);
  }
  return { first, later };
}

type Work<Item, Result> = Shared<Item, Result>['work'];

/** When it fails, the items that were the reason are done by themselves, and the others together again. */
async function together<Item, Result>(
  database: Database,
  items: readonly Item[],
  work: Work<Item, Result>,
): Promise<Done<Item, Result>[]> {
  if (items.length < 2) return Promise.all(items.map((item) => alone(database, item, work)));
  const failed = new Set<Item>();
  try {
    return await database.transaction((tx) =>
      inStep(tx, items, async (item) => {
        try {
          return { item, result: await work(tx, item) };
        } catch (error) {
          if (!isTransactionAborted(error)) failed.add(item);
          throw error;
        }
      }),
    );
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
  }
  // If none failed by itself, the commit did, and each may be the reason.
  const suspected = failed.size > 0 ? failed : new Set(items);
  const others = await together(
    database,
    items.filter((item) => !suspected.has(item)),
    work,
  );
  return [...others, ...(await inTurns([...suspected], 1, (item) => alone(database, item, work)))];
}

async function alone<Item, Result>(
  database: Database,
  item: Item,
  work: Work<Item, Result>,
): Promise<Done<Item, Result>> {
  try {
    return { item, result: await database.transaction((tx) => work(tx, item)) };
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return { item, error };
  }
}
