/** Polls until a condition holds. */
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the first defined result of `check`, or undefined when the time is up. */
export async function waitFor<Result>(
  check: () => Promise<Result | undefined> | Result | undefined,
  { withinMs, everyMs = 20 }: { withinMs: number; everyMs?: number },
): Promise<Result | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const result = await check();
    if (result !== undefined || performance.now() >= deadline) return result;
    await pause(everyMs);
  }
}
