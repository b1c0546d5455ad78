import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until there is an answer; undefined when the time is over. */
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
