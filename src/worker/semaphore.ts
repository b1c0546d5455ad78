/**
 * Limits how many callers do the same thing at a time. A released slot goes to the caller that has waited longest, and
 * no newcomer can take it first.
 */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(
    readonly slots: number,
    /** With so many callers waiting the semaphore `isFull`. */
    readonly waitingAtMost = Number.POSITIVE_INFINITY,
  ) {
    this.#free = slots;
  }

  /** No slot is free, and no further caller should wait for one. Ask before `acquire`. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.length >= this.waitingAtMost;
  }

  get isIdle(): boolean {
    return this.#free === this.slots;
  }

  /** Waits for a slot. Returns the function that releases it; calling that function again does nothing. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release();
      isReleased = true;
    };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
