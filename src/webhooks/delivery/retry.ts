/** When a notification is tried again: the schedule that Standard Webhooks recommends, as data. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Between ten attempts, 75 hours in all. */
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
/** Whoever answers 429, or not in time, is busy: five seconds would not help it. */
const shortestForBusySeconds = minute;

export interface FailedAttempt {
  /** How many were made since the event was put on its way, this one included. */
  readonly attempts: number;
  /** It said that it has too much to do, or did not answer in time. */
  readonly isBusy: boolean;
  /** What it asked for, if it did. */
  readonly retryAfterSeconds: number | undefined;
}

/** In seconds; undefined when no attempt is left. `random` is from 0 to 1. */
export function delayBeforeNext(failed: FailedAttempt, random: number): number | undefined {
  const gap = gapsSeconds[failed.attempts - 1];
  if (gap === undefined) return undefined;
  const scattered = gap * (1 - jitter + 2 * jitter * random);
  const asked = Math.min(failed.retryAfterSeconds ?? 0, Math.max(2 * gap, hour), day);
  return Math.max(scattered, asked, failed.isBusy ? shortestForBusySeconds : 0);
}

/** Seconds from now, however many: the header has a number of them, or a date. Anything else says nothing. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Only the form that HTTP has for dates; `Date.parse` alone would take many others.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
