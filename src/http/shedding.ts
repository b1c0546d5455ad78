/**
 * Refuses what can't be served in time before the process drowns in it. The number of requests under way is what
 * counts: it rises at once when anything behind gets slow, the processor, the pool or the disk. How many are not too
 * many depends on the machine, so it is found by trying: fewer as long as answers are late, more again when they are not.
 */
import { RemesaError } from '../errors.js';

export interface ShedLimits {
  /** At the most, on a machine that is quick enough for so many. */
  readonly requestsInFlight: number;
  readonly eventLoopDelayMs: number;
}

const probeEveryMs = 50;
/** An answer after this time is late: it leaves room up to the second in which everything accepted should be served. */
const lateMs = 700;
/** Enough to keep the database busy, twice over; fewer would make nothing quicker. */
const fewestInFlight = 32;
const downBy = 0.99;
const upBy = 0.1;

export class Shedder {
  #inFlight = 0;
  #limit: number;
  #delayMs = 0;
  readonly #probe: NodeJS.Timeout;

  constructor(readonly limits: ShedLimits) {
    this.#limit = limits.requestsInFlight;
    let expected = performance.now() + probeEveryMs;
    let delayBeforeMs = 0;
    this.#probe = setInterval(() => {
      const now = performance.now();
      const delayMs = Math.max(0, now - expected);
      // Late twice in a row is a busy loop; late once is a process that was paused and is well again.
      this.#delayMs = Math.min(delayMs, delayBeforeMs);
      delayBeforeMs = delayMs;
      expected = now + probeEveryMs;
    }, probeEveryMs).unref();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Counts the request in, or answers the refusal. Whoever was counted in must be counted out. */
  enter(): RemesaError | undefined {
    const isFull = this.#inFlight >= this.#limit;
    if (isFull || this.#delayMs > this.limits.eventLoopDelayMs) return overloaded;
    this.#inFlight += 1;
    return undefined;
  }

  leave(afterMs = 0): void {
    this.#inFlight -= 1;
    const { requestsInFlight: most } = this.limits;
    if (afterMs <= lateMs) this.#limit = Math.min(most, this.#limit + upBy);
    // One that is slow by itself says nothing about the others.
    else if (this.#inFlight >= fewestInFlight) this.#limit = Math.max(fewestInFlight, this.#limit * downBy);
  }

  stop(): void {
    clearInterval(this.#probe);
  }
}

// Made once: under overload even the stack trace of an error is work that others wait for.
const overloaded = new RemesaError('unavailable', 'overloaded', 'The service is busy. Try again shortly.', {
  retryAfterSeconds: 1,
});
