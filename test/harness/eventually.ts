/**
 * Waits for a condition instead of sleeping: tries again until the probe neither throws nor answers nothing. Without
 * `everyMs` it asks soon at first, and then less and less often: what takes seconds is not worth fifty questions in
 * each.
 */
export async function eventually<T>(
  probe: () => Promise<T> | T,
  options: { withinMs?: number; everyMs?: number; what?: string } = {},
): Promise<NonNullable<T>> {
  const { withinMs = 60_000, everyMs, what = 'the condition' } = options;
  let pauseMs = everyMs ?? firstPauseMs;
  const watch = startWatch();
  try {
    for (;;) {
      const outcome = await attempt(probe);
      if ('value' in outcome) return outcome.value;
      if (watch.ms() > withinMs) {
        throw new Error(`${what} did not hold within ${withinMs} ms`, { cause: outcome.error });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (everyMs === undefined) pauseMs = Math.min(pauseMs * 1.2, longestPauseMs);
    }
  } finally {
    watch.stop();
  }
}

const firstPauseMs = 15;
const longestPauseMs = 120;
const tickMs = 50;

/** Counts the time in which this process ran: when the machine stands still for seconds, the limit does not run out. */
function startWatch(): { ms(): number; stop(): void } {
  let ms = 0;
  let tickedAt = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    ms += Math.min(now - tickedAt, 2 * tickMs);
    tickedAt = now;
  }, tickMs);
  return { ms: () => ms, stop: () => clearInterval(ticking) };
}

async function attempt<T>(probe: () => Promise<T> | T): Promise<{ value: NonNullable<T> } | { error: unknown }> {
  try {
    const value = await probe();
    return value === undefined || value === null || value === false
      ? { error: new Error(`the probe answered ${String(value)}`) }
      : { value: value as NonNullable<T> };
  } catch (error) {
    return { error };
  }
}
