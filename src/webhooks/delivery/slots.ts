/** How many attempts a process makes at once. First come, first served: no lane gets a second before others' first. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Answers what gives the slot back; calling that again does nothing. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isTaken = true;
    return () => {
      if (isTaken) this.#give();
      isTaken = false;
    };
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Endpoints that are known to be slow wait among themselves, so that they cannot take what the others need. */
export interface SharedSlots {
  readonly usual: Slots;
  readonly slow: Slots;
}

const shareOfSlow = 0.25;

export function sharedSlots(count: number): SharedSlots {
  const slow = Math.max(1, Math.floor(count * shareOfSlow));
  return { usual: new Slots(Math.max(1, count - slow)), slow: new Slots(slow) };
}
