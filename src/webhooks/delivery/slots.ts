/** How many attempts run at once: in the whole process (`SharedSlots`) and in one lane (`AttemptsInFlight`). */
import { Semaphore } from '../../worker/semaphore.js';

/**
 * Slow endpoints have slots of their own, so that they cannot take those of the others. Slots are given in the order of
 * asking, so no lane gets a second one before another lane gets its first.
 */
export interface SharedSlots {
  readonly usual: Semaphore;
  readonly slow: Semaphore;
}

const shareOfSlow = 0.25;

export function sharedSlots(count: number): SharedSlots {
  const slow = Math.max(1, Math.floor(count * shareOfSlow));
  return { usual: new Semaphore(Math.max(1, count - slow)), slow: new Semaphore(slow) };
}

/** An attempt that waits longer for its answer releases its slot, so that other endpoints need not wait for it. */
const slotHeldMs = 1_000;

/** The attempts of one lane that have begun and have no result yet. */
export class AttemptsInFlight {
  #count = 0;
  /** Attempts that have had a slot and wait only for the endpoint. */
  #awaitingAnswer = 0;
  /** Those of them that have released their slot. */
  #overdue = 0;

  constructor(
    readonly slots: SharedSlots,
    /** Called after every attempt. */
    readonly onEnd: () => void,
  ) {}

  get count(): number {
    return this.#count;
  }

  get awaitingAnswer(): number {
    return this.#awaitingAnswer;
  }

  /** The endpoint takes long to answer at least one attempt. */
  get isStalled(): boolean {
    return this.#overdue > 0;
  }

  /** Counts the attempt from the call on, waits for a slot, and runs it. */
  async run<Result>(isSlow: boolean, attempt: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const release = await (isSlow ? this.slots.slow : this.slots.usual).acquire();
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      this.#overdue += 1;
      release();
    }, slotHeldMs);
    this.#awaitingAnswer += 1;
    try {
      return await attempt();
    } finally {
      clearTimeout(timer);
      release();
      if (isOverdue) this.#overdue -= 1;
      this.#awaitingAnswer -= 1;
      this.#count -= 1;
      this.onEnd();
    }
  }
}
