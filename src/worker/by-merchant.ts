/** Runs a sweep merchant by merchant: a transaction writes rows of one merchant only. */
import { type TenantId, tenantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import type { Statement, Transaction } from '../postgres/statement.js';

export interface MerchantSweep {
  /** Lists merchants with due rows, those whose rows have waited longest first. */
  readonly due: Statement<{ merchant_id: bigint }>;
  readonly values: readonly unknown[];
  /** Sweeps due rows of one merchant, or of the instance, and returns how many. */
  readonly sweep: (tx: Transaction, merchant: TenantId) => Promise<number>;
}

/** Returns how many rows were swept. Merchants without due rows cost nothing. */
export async function sweepByMerchant(
  database: Database,
  { due, values, sweep }: MerchantSweep,
  signal: AbortSignal,
): Promise<number> {
  const merchants = await database.query(due, [...values]);
  let swept = 0;
  for (const { merchant_id } of merchants) {
    if (signal.aborted) return swept;
    swept += await database.transaction((tx) => sweep(tx, tenantId(merchant_id)));
  }
  return swept;
}
