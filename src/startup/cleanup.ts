/** Stops what was started, in reverse order: the HTTP server before the worker, the database last. */
export class CleanupStack {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step, even when an earlier one failed, then throws the first failure. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
