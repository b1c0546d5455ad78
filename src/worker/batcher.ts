/**
 * What several lanes want in the same moment is done by one statement; one at a time, so that what came later is also
 * written later. Whatever gathers while one is under way goes with the next.
 */
export interface GroupedOptions<Item, Answer> {
  /** For the first of a group, which waits for company. */
  readonly gatherMs: number;
  readonly itemsAtOnce: number;
  /** Answers one for each, in their order. */
  readonly perform: (items: readonly Item[]) => Promise<readonly Answer[]>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export class Grouped<Item, Answer> {
  #waiting: Waiting<Item, Answer>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isPerforming = false;

  constructor(readonly options: GroupedOptions<Item, Answer>) {}

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#timer ??= setTimeout(() => this.#next(), this.options.gatherMs);
    });
  }

  #next(): void {
    this.#timer = undefined;
    if (this.#isPerforming || this.#waiting.length === 0) return;
    const group = this.#waiting.splice(0, this.options.itemsAtOnce);
    this.#isPerforming = true;
    this.#perform(group)
      .catch((error) => {
        for (const { reject } of group) reject(error);
      })
      .finally(() => {
        this.#isPerforming = false;
        if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#next(), this.options.gatherMs);
      });
  }

  async #perform(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    const answers = await this.options.perform(group.map(({ item }) => item));
    for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
  }
}
