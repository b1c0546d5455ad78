/**
 * For due items without a lease (`claim.ts` is for those with one): one after the other. One that fails stops no other.
 */
import { isDatabaseUnavailable, isLockTimeout } from '../postgres/failure.js';

export interface Items<Item> {
  /** The next due items, without the skipped ones. Empty when nothing is left. */
  readonly next: (skipped: readonly Item[]) => Promise<readonly Item[]>;
  /** Returns false when there was nothing to do, because another worker has the item. */
  readonly work: (item: Item) => Promise<boolean>;
  readonly onFailure: (item: Item, error: unknown) => void;
}

/**
 * Works on all due items and returns how many were done. A failed item stays due, so the next run tries it again.
 * Throws when the database cannot be reached, because then the item is not at fault.
 */
export async function forEachDue<Item>(items: Items<Item>, signal: AbortSignal): Promise<number> {
  const skipped: Item[] = [];
  let done = 0;
  for (;;) {
    const due = await items.next(skipped);
    if (due.length === 0) return done;
    for (const item of due) {
      if (signal.aborted) return done;
      if (await succeeds(items, item)) done += 1;
      else skipped.push(item);
    }
  }
}

async function succeeds<Item>({ work, onFailure }: Items<Item>, item: Item): Promise<boolean> {
  try {
    return await work(item);
  } catch (error) {
    if (isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error;
    onFailure(item, error);
    return false;
  }
}
