/** Waits for a condition instead of sleeping: tries again until the probe neither throws nor answers nothing. */
export async function eventually<T>(
  probe: () => Promise<T> | T,
  options: { withinMs?: number; everyMs?: number; what?: string } = {},
): Promise<NonNullable<T>> {
  const { withinMs = 10_000, everyMs = 20, what = 'the condition' } = options;
  const deadline = Date.now() + withinMs;
  for (;;) {
    const outcome = await attempt(probe);
    if ('value' in outcome) return outcome.value;
    if (Date.now() > deadline) {
      throw new Error(`${what} did not hold within ${withinMs} ms`, { cause: outcome.error });
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

async function attempt<T>(
  probe: () => Promise<T> | T,
): Promise<{ value: NonNullable<T> } | { error: unknown }> {
  try {
    const value = await probe();
    return value === undefined || value === null || value === false
      ? { error: new Error(`the probe answered ${String(value)}`) }
      : { value: value as NonNullable<T> };
  } catch (error) {
    return { error };
  }
}
