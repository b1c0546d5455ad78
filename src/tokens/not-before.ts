/** Reads `tokens_not_before`: tokens issued up to this second are refused. -1 when tokens were never ended. */
export function notBeforeSecond(epochSeconds: number | null): number {
  return epochSeconds === null || !Number.isFinite(epochSeconds) ? -1 : Math.floor(epochSeconds);
}
