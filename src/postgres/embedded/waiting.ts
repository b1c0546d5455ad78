/** Polls until a condition holds. */
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the first answer of `ask` that is defined, or undefined when the time is over. */
export async function waitFor<Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  { withinMs, everyMs = 20 }: { withinMs: number; everyMs?: number },
): Promise<Answer | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await pause(everyMs);
  }
}
