/**
 * Limits how many requests are worked on at a time, so that a busy process refuses some instead of serving all of them
 * late. A request is worked on from the moment its body has arrived until its answer is made, so neither a slow sender
 * nor a slow reader occupies a slot. Needed against attack 3 (a slot was taken before the body had arrived).
 */
import { RemesaError } from '../../errors.js';
import { type Lane, lanes, perLane } from './lanes.js';

export interface ShedLimits {
  /** For callers with a token. Pages, and callers without a token, have half as many each in addition. */
  readonly requestsInFlight: number;
  readonly eventLoopDelayMs: number;
}

export type RefusalReason = 'lane_full' | 'event_loop_late';

const probeEveryMs = 50;

export class Shedder {
  readonly #working: Record<Lane, number> = perLane(() => 0);
  readonly #limitOf: Readonly<Record<Lane, number>>;
  #delayMs = 0;
  readonly #probe: NodeJS.Timeout;

  constructor(readonly limits: ShedLimits) {
    const half = Math.ceil(limits.requestsInFlight / 2);
    this.#limitOf = perLane((lane) => (lane === 'api' ? limits.requestsInFlight : half));
    let expected = performance.now() + probeEveryMs;
    let delayBeforeMs = 0;
    this.#probe = setInterval(() => {
      const now = performance.now();
      const delayMs = Math.max(0, now - expected);
      // Late twice in a row means a busy loop. Late once means a process that was paused for a moment.
      this.#delayMs = Math.min(delayMs, delayBeforeMs);
      delayBeforeMs = delayMs;
      expected = now + probeEveryMs;
    }, probeEveryMs).unref();
  }

  get inFlight(): number {
    return lanes.reduce((sum, lane) => sum + this.inLane(lane), 0);
  }

  inLane(lane: Lane): number {
    return this.#working[lane];
  }

  /** Why this lane cannot take another request now. Callers without a token are refused first. */
  reasonToRefuse(lane: Lane): RefusalReason | undefined {
    if (this.inLane(lane) >= this.#limitOf[lane]) return 'lane_full';
    const allowedMs = this.limits.eventLoopDelayMs / (lane === 'anonymous' ? 2 : 1);
    return this.#delayMs > allowedMs ? 'event_loop_late' : undefined;
  }

  enter(lane: Lane): void {
    this.#working[lane] += 1;
  }

  leave(lane: Lane): void {
    this.#working[lane] -= 1;
  }

  stop(): void {
    clearInterval(this.#probe);
  }
}

/** The slot of one request: taken when its body has arrived, and released for good when its answer is made. */
export class Slot {
  #isTaken = false;
  #isEnded = false;
  /** Called when the slot ends, to stop work whose result is no longer needed. */
  onEnd: (() => void) | undefined;

  constructor(
    readonly shedder: Shedder,
    readonly lane: Lane,
  ) {}

  /**
   * Takes the slot even beyond the limit: the caller has checked `reasonToRefuse`, or the request was accepted before.
   * Does nothing after the slot has ended, because it would never be released.
   */
  take(): void {
    if (this.#isTaken || this.#isEnded) return;
    this.#isTaken = true;
    this.shedder.enter(this.lane);
  }

  release(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.shedder.leave(this.lane);
  }

  /** Call it when the answer is made or the caller has gone. */
  end(): void {
    this.release();
    this.#isEnded = true;
    this.onEnd?.();
  }
}

/** Made once, because under overload even the stack trace of an error costs too much. */
export const overloaded = new RemesaError('unavailable', 'overloaded', 'The service is busy. Try again shortly.', {
  retryAfterSeconds: 1,
});
