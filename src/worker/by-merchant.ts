/** Runs a sweep merchant by merchant: a transaction writes rows of one merchant only. */
import { type TenantId, tenantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { doEach } from './claim.js';

export interface MerchantSweep {
  /** Lists merchants with due rows, those whose rows have waited longest first. */
  readonly due: (database: Queryable) => Promise<readonly { merchant_id: bigint }[]>;
  /** Sweeps due rows of one merchant, or of the instance, and returns how many. */
  readonly sweep: (tx: Transaction, merchant: TenantId) => Promise<number>;
}

/**
 * Returns how many rows were swept. Merchants without due rows cost nothing. Throws a failure when all have had their
 * turn.
 */
export async function sweepByMerchant(
  database: Database,
  { due, sweep }: MerchantSweep,
  signal: AbortSignal,
): Promise<number> {
  const done = await doEach(await due(database), async ({ merchant_id }) =>
    signal.aborted ? 0 : database.transaction((tx) => sweep(tx, tenantId(merchant_id))),
  );
  for (const merchant of done) if ('error' in merchant) throw merchant.error;
  return done.reduce((total, merchant) => total + ('result' in merchant ? merchant.result : 0), 0);
}
