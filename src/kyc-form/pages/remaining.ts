/** How long a page may still be filled in. */
import type { FormView } from '../../kyc/submissions/view.js';

/** Sent as a duration, because the clock of a phone may be wrong. */
export function secondsLeft({ expiresAt }: Pick<FormView, 'expiresAt'>, now: Date): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
}
