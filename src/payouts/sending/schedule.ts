/** How long a rail may take to answer, and when a failing one is left alone. Pure data. */

export const answerWithinSeconds = 20;
/** Longer than a request may take, so that a worker whose lease has ended asks nothing any more. */
export const leaseSeconds = 60;

/** A rail is left alone after so many failures in a row. */
const failuresBeforePause = 5;
const longestPauseSeconds = 300;

/** How long nothing is sent to a rail that has failed so often. */
export function pauseAfterFailures(failures: number): number {
  return failures < failuresBeforePause ? 0 : Math.min(longestPauseSeconds, 5 * 2 ** (failures - failuresBeforePause));
}
