/** For jobs whose items must not stand in each other's way: each is done by itself, and one that fails is passed over. */
import { RemesaError } from '../errors.js';

export interface Items<Item> {
  /** The next due items, without those that were passed over. Empty when nothing is left. */
  readonly next: (passedOver: readonly Item[]) => Promise<readonly Item[]>;
  /** Answers false when there was nothing to do, because another worker has the item. */
  readonly work: (item: Item) => Promise<boolean>;
  readonly onFailure: (item: Item, error: unknown) => void;
}

/**
 * Goes through all due items and answers how many were done. A failed item stays due, so the next run tries it again.
 * Throws when the database is away: then nothing is wrong with the item.
 */
export async function doOneByOne<Item>(items: Items<Item>, signal: AbortSignal): Promise<number> {
  const passedOver: Item[] = [];
  let done = 0;
  for (;;) {
    const due = await items.next(passedOver);
    if (due.length === 0) return done;
    for (const item of due) {
      if (signal.aborted) return done;
      if (await succeeds(items, item)) done += 1;
      else passedOver.push(item);
    }
  }
}

async function succeeds<Item>({ work, onFailure }: Items<Item>, item: Item): Promise<boolean> {
  try {
    return await work(item);
  } catch (error) {
    if (error instanceof RemesaError && error.kind === 'unavailable') throw error;
    onFailure(item, error);
    return false;
  }
}
