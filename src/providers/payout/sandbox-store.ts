/** SQL of the simulated rail: what it was asked to pay. Each reference is paid once, however often it is sent. */
import type { TenantId } from '../../ids.js';
import { type Amount, amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { SandboxOutcomeName } from './sandbox-outcomes.js';

const insertPayout = statement(
  'sandbox-store.insert-payout',
  `INSERT INTO sandbox_payouts (merchant_id, reference, outcome, currency, amount_minor, method, content_hash,
     received_at)
   SELECT $merchantId::bigint, $reference, $outcome, $currency, $amountMinor::bigint, $method, $contentHash,
     ${merchantNow}
   ON CONFLICT (merchant_id, reference) DO NOTHING RETURNING reference`,
).rows<{ reference: string }>();
const findPayout = statement(
  'sandbox-store.find-payout',
  `SELECT outcome, currency, amount_minor, method, content_hash,
          extract(epoch FROM ${merchantNow} - received_at)::float8 AS age_seconds
     FROM sandbox_payouts WHERE merchant_id = $merchantId AND reference = $reference`,
).rows<{
  outcome: SandboxOutcomeName;
  currency: CurrencyCode;
  amount_minor: bigint;
  method: string;
  content_hash: string;
  age_seconds: number;
}>();

export interface SandboxPayout {
  readonly outcome: SandboxOutcomeName;
  readonly amount: Amount;
  readonly method: string;
  readonly contentHash: string;
}

/** Returns false when the rail has this reference already. */
export async function addPayout(
  tx: Transaction,
  merchantId: TenantId,
  reference: string,
  payout: SandboxPayout,
): Promise<boolean> {
  const { currency, minor: amountMinor } = payout.amount;
  const added = await tx.query(insertPayout, { ...payout, merchantId, reference, currency, amountMinor });
  return added.length > 0;
}

/** `ageSeconds`: since it was received, by the merchant's clock. */
export async function findSandboxPayout(
  database: Queryable,
  merchantId: TenantId,
  reference: string,
): Promise<(SandboxPayout & { ageSeconds: number }) | undefined> {
  const [row] = await database.query(findPayout, { merchantId, reference });
  return (
    row && {
      outcome: row.outcome,
      amount: amount(row.currency, row.amount_minor),
      method: row.method,
      contentHash: row.content_hash,
      ageSeconds: row.age_seconds,
    }
  );
}
