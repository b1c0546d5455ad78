/** Whether a rate moved further than anyone would believe without asking: by more than a fifth, up or down. */
import type { Ratio } from '../money/rate.js';

export function jumpsTooFar(before: Ratio, after: Ratio): boolean {
  const was = before.numerator * after.denominator;
  const is = after.numerator * before.denominator;
  return is * 10n > was * 12n || is * 10n < was * 8n;
}
