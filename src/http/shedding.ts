/**
 * Refuses what can't be served in time before the process drowns in it. The number of requests under way is what
 * counts: it rises at once when anything behind gets slow, the processor, the pool or the disk.
 */
import { RemesaError } from '../errors.js';

export interface ShedLimits {
  readonly requestsInFlight: number;
  readonly eventLoopDelayMs: number;
}

const probeEveryMs = 50;

export class Shedder {
  #inFlight = 0;
  #delayMs = 0;
  readonly #probe: NodeJS.Timeout;

  constructor(readonly limits: ShedLimits) {
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
    const isFull = this.#inFlight >= this.limits.requestsInFlight;
    if (isFull || this.#delayMs > this.limits.eventLoopDelayMs) return overloaded;
    this.#inFlight += 1;
    return undefined;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  stop(): void {
    clearInterval(this.#probe);
  }
}

// Made once: under overload even the stack trace of an error is work that others wait for.
const overloaded = new RemesaError('unavailable', 'overloaded', 'The service is busy. Try again shortly.', {
  retryAfterSeconds: 1,
});
