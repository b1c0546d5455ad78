/** Keeps something in memory up to date: loads it at the start, at regular intervals, and whenever it is asked to. */
export class Refresher {
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly load: () => Promise<void>,
    readonly everyMs: number,
  ) {}

  /** Throws what the first `load` throws. A later failure is ignored, because the next interval tries again. */
  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => this.refresh().catch(() => {}), this.everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Resolves after a `load` that began after the call, so it includes everything that was committed before. One `load`
   * runs at a time, so that older data never replaces newer; callers that come meanwhile share the next one.
   * Throws what `load` throws.
   */
  async refresh(): Promise<void> {
    await this.#running?.catch(() => {});
    this.#running ??= this.load().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }
}
