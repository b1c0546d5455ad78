/** When a failed notification is sent again: the schedule that Standard Webhooks recommends, as data. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The gaps between ten attempts: 75 hours in all. */
export const gapsSeconds: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitter = 0.2;
/** An endpoint that answers 429, or not in time, is busy: it gets at least a minute. */
const shortestForBusySeconds = minute;

export interface FailedAttempt {
  /** Attempts since the event was last queued, including this one. */
  readonly attempts: number;
  /** The endpoint answered 429 or did not answer in time. */
  readonly isBusy: boolean;
  readonly retryAfterSeconds: number | undefined;
}

/** Returns seconds, or undefined when no attempt is left. `random` is from 0 to 1. */
export function delayBeforeNext(failed: FailedAttempt, random: number): number | undefined {
  const gap = gapsSeconds[failed.attempts - 1];
  if (gap === undefined) return undefined;
  const scattered = gap * (1 - jitter + 2 * jitter * random);
  const requested = Math.min(failed.retryAfterSeconds ?? 0, Math.max(2 * gap, hour), day);
  return Math.max(scattered, requested, failed.isBusy ? shortestForBusySeconds : 0);
}

/** Returns seconds from now. The header holds a number of seconds or a date; anything else is ignored. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Only the date format of HTTP; `Date.parse` alone would accept many others.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
