/**
 * Reads figures at most once in a while, however often and by how many they are scraped. What could not be read is
 * tried again at once.
 */
export function readAtMostEvery<Result>(
  seconds: number,
  read: () => Promise<Result>,
  nowMs: () => number = () => performance.now(),
): () => Promise<Result> {
  let kept: { readonly result: Promise<Result>; readonly atMs: number } | undefined;
  return () => {
    if (kept && nowMs() - kept.atMs < 1000 * seconds) return kept.result;
    const result = read();
    const reading = { result, atMs: nowMs() };
    kept = reading;
    result.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return result;
  };
}
