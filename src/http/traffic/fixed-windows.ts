/**
 * Counts events by key in windows of fixed length, within bounded memory. Rate limits are built on it. Needed against
 * attack 5 (the holder of one link stopped everybody's uploads): a form, a login and an address each have their limit,
 * and whoever makes up keys fills no memory.
 */
import { RemesaError } from '../../errors.js';

export interface Limit {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface Counted {
  /** Negative when there were more than allowed. */
  readonly left: number;
  readonly resetSeconds: number;
}

interface Window {
  endsAtMs: number;
  left: number;
}

export class FixedWindows {
  readonly #windows = new Map<string, Window>();

  constructor(
    readonly allowed: number,
    readonly windowSeconds: number,
    readonly nowMs: () => number = () => performance.now(),
    /** With so many keys, the oldest windows are deleted. */
    readonly keysAtMost = 50_000,
  ) {}

  get size(): number {
    return this.#windows.size;
  }

  count(key: string): Counted {
    const nowMs = this.nowMs();
    const window = this.#window(key, nowMs);
    window.left -= 1;
    return { left: window.left, resetSeconds: this.#secondsUntil(window.endsAtMs, nowMs) };
  }

  /** At most the length of the window: a rounding error must not add a whole second. */
  #secondsUntil(endsAtMs: number, nowMs: number): number {
    return Math.min(this.windowSeconds, Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)));
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }

  #window(key: string, nowMs: number): Window {
    const found = this.#windows.get(key);
    if (found && found.endsAtMs > nowMs) return found;
    if (this.#windows.size >= this.keysAtMost) this.#makeRoom(nowMs);
    const opened = { endsAtMs: nowMs + this.windowSeconds * 1000, left: this.allowed };
    // Deleted first, so that the map stays in the order in which the windows were opened.
    this.#windows.delete(key);
    this.#windows.set(key, opened);
    return opened;
  }

  /** Deletes the oldest windows, whether they have ended or not. */
  #makeRoom(nowMs: number): void {
    for (const [key, window] of this.#windows) {
      if (window.endsAtMs > nowMs && this.#windows.size < this.keysAtMost * 0.9) return;
      this.#windows.delete(key);
    }
  }
}

export function rateLimited(limit: Limit, retryAfterSeconds: number): RemesaError {
  const { name, requests, windowSeconds } = limit;
  return new RemesaError('too_many', 'rate_limited', `More than ${requests} requests in ${windowSeconds} s.`, {
    retryAfterSeconds,
    members: { policy: name, max: requests, windowSeconds },
  });
}
