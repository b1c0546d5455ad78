/** Lets an answer wait for a decision that another job or process makes. */
import { setTimeout as pause } from 'node:timers/promises';

/** A clean case is decided within some ten milliseconds; the user never waits longer than this in all. */
const pausesMs = [15, 15, 30, 60, 120, 240, 480, 540] as const;

/** Polls for at most 1.5 seconds. A failed query ends the wait, because the form is already saved. */
export async function waitWhile(isWaiting: () => Promise<boolean>): Promise<void> {
  for (const milliseconds of pausesMs) {
    await pause(milliseconds);
    if (!(await isWaiting().catch(() => false))) return;
  }
}
