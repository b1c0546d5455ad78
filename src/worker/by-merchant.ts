/** Runs a sweep merchant by merchant: a transaction writes rows of one merchant only. */
import { type TenantId, tenantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';

export interface MerchantSweep {
  /** Lists merchants with due rows, those whose rows have waited longest first. */
  readonly due: (database: Queryable) => Promise<readonly { merchant_id: bigint }[]>;
  /** Sweeps due rows of one merchant, or of the instance, and returns how many. */
  readonly sweep: (tx: Transaction, merchant: TenantId) => Promise<number>;
}

/** Returns how many rows were swept. Merchants without due rows cost nothing. */
export async function sweepByMerchant(
  database: Database,
  { due, sweep }: MerchantSweep,
  signal: AbortSignal,
): Promise<number> {
  let swept = 0;
  for (const { merchant_id } of await due(database)) {
    if (signal.aborted) return swept;
    swept += await database.transaction((tx) => sweep(tx, tenantId(merchant_id)));
  }
  return swept;
}
