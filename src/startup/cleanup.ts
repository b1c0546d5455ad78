/** What was started is stopped in reverse: the edge before the worker, the database last. */
export class UndoList {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that failed. Throws the first failure at the end. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
