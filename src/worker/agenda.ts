/**
 * What a room does when its time has come by a merchant's clock. The jobs do it anyway, a little later; the sandbox
 * does it at once, so that it can move a clock from one due time to the next.
 */
import type { MerchantId } from '../ids.js';

export interface Agenda {
  /** When something of the merchant falls due next, later than this moment. Undefined when nothing will. */
  nextDue(merchantId: MerchantId, after: Date): Promise<Date | undefined>;
  /** Does what is due now, and returns how much that was. Leaves alone what another worker is doing. */
  runDue(merchantId: MerchantId, signal: AbortSignal): Promise<number>;
  /** Whether something is due now and not done yet: another worker is doing it, or it failed. */
  hasDue(merchantId: MerchantId): Promise<boolean>;
}

export function earliest(moments: readonly (Date | null | undefined)[]): Date | undefined {
  const known = moments.filter((moment) => moment instanceof Date);
  return known.length === 0 ? undefined : new Date(Math.min(...known.map((moment) => moment.getTime())));
}
