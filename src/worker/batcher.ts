/**
 * Collects the items of concurrent callers and processes them together, usually with one statement. Items that arrive
 * while a batch is processed belong to the next batch. With a concurrency of 1, batches keep the order of arrival.
 */
export interface BatcherOptions<Item, Result> {
  /** How long the first item of a batch waits for others. By default until the end of this turn of the event loop. */
  readonly gatherMs?: number;
  readonly batchSize: number;
  /** How many batches are processed at the same time; 1 by default. */
  readonly concurrency?: number;
  /** Returns one result for each item, in the order of the items. If it throws, every item of the batch fails. */
  readonly perform: (items: readonly Item[]) => Promise<readonly Result[]>;
}

interface WaitingItem<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class Batcher<Item, Result> {
  readonly #waiting: WaitingItem<Item, Result>[] = [];
  #isScheduled = false;
  #running = 0;

  constructor(readonly options: BatcherOptions<Item, Result>) {}

  /** Resolves with the result of this item. Rejects when its batch fails. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const { gatherMs } = this.options;
    if (gatherMs === undefined) setImmediate(() => this.#start());
    else setTimeout(() => this.#start(), gatherMs);
  }

  #start(): void {
    this.#isScheduled = false;
    const { batchSize, concurrency = 1 } = this.options;
    if (this.#running >= concurrency || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, batchSize);
    this.#running += 1;
    this.#perform(batch)
      .catch((error) => {
        for (const { reject } of batch) reject(error);
      })
      .finally(() => {
        this.#running -= 1;
        if (this.#waiting.length > 0) this.#schedule();
      });
  }

  async #perform(batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    const results = await this.options.perform(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }
}
