/** The attempts of one lane that have begun and have no result yet. */
import type { SharedSlots } from './slots.js';

/** An attempt that waits longer for its answer gives its slot back: others need not wait for it as well. */
const quickMs = 1_000;

export class UnderWay {
  #count = 0;
  /** Those that wait for nobody but the endpoint, … */
  #onTheWire = 0;
  /** … and those of them that have given their slot back. */
  #stragglers = 0;

  constructor(
    readonly slots: SharedSlots,
    /** Hears of every attempt that ends. */
    readonly onEnd: () => void,
  ) {}

  get count(): number {
    return this.#count;
  }

  get onTheWire(): number {
    return this.#onTheWire;
  }

  /** An answer is outstanding for long. */
  get isStalled(): boolean {
    return this.#stragglers > 0;
  }

  /** Counts from the call, waits for a slot, and runs the attempt in it. */
  async run<Result>(isSlow: boolean, attempt: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const giveSlot = await (isSlow ? this.slots.slow : this.slots.usual).take();
    let isStraggler = false;
    const patience = setTimeout(() => {
      isStraggler = true;
      this.#stragglers += 1;
      giveSlot();
    }, quickMs);
    this.#onTheWire += 1;
    try {
      return await attempt();
    } finally {
      clearTimeout(patience);
      giveSlot();
      if (isStraggler) this.#stragglers -= 1;
      this.#onTheWire -= 1;
      this.#count -= 1;
      this.onEnd();
    }
  }
}
