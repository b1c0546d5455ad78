/** SQL on what merchants declared. */
import type { MerchantId } from '../../ids.js';
import { queryJoined } from '../../postgres/in-step.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { DeclaredPolicies, Policies } from './policies.js';

interface PolicyRow {
  on_short: Policies['short'];
  on_over: Policies['over'];
  on_late: Policies['late'];
  on_duplicate: Policies['duplicate'];
  on_wrong_currency: Policies['wrongCurrency'];
  on_after_end: Policies['afterEnd'];
  version: number;
}

const columns = 'on_short, on_over, on_late, on_duplicate, on_wrong_currency, on_after_end, version';

const findByMerchant = statement<PolicyRow>(
  'policy-store.find',
  `SELECT ${columns} FROM payment_policies WHERE merchant_id = $1`,
);
const insertPolicies = statement<PolicyRow>(
  'policy-store.insert',
  `INSERT INTO payment_policies (merchant_id, ${columns}, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 1, statement_timestamp())
   ON CONFLICT (merchant_id) DO NOTHING RETURNING ${columns}`,
);
const updatePolicies = statement<PolicyRow>(
  'policy-store.update',
  `UPDATE payment_policies SET on_short = $2, on_over = $3, on_late = $4, on_duplicate = $5, on_wrong_currency = $6,
          on_after_end = $7, version = version + 1, updated_at = statement_timestamp()
    WHERE merchant_id = $1 AND version = $8
   RETURNING ${columns}`,
);

/** Undefined for a merchant that has declared nothing. */
export async function findPolicies(
  database: Queryable,
  merchantId: MerchantId,
): Promise<DeclaredPolicies | undefined> {
  const [row] = await queryJoined(database, findByMerchant, merchantId, []);
  return row && toPolicies(row);
}

/** Returns undefined when the merchant has declared others since `version`. */
export async function savePolicies(
  tx: Transaction,
  merchantId: MerchantId,
  { short, over, late, duplicate, wrongCurrency, afterEnd, version }: DeclaredPolicies,
): Promise<DeclaredPolicies | undefined> {
  const values = [merchantId, short, over, late, duplicate, wrongCurrency, afterEnd];
  const [row] =
    version === 0
      ? await tx.query(insertPolicies, values)
      : await tx.query(updatePolicies, [...values, version]);
  return row && toPolicies(row);
}

function toPolicies(row: PolicyRow): DeclaredPolicies {
  return {
    short: row.on_short,
    over: row.on_over,
    late: row.on_late,
    duplicate: row.on_duplicate,
    wrongCurrency: row.on_wrong_currency,
    afterEnd: row.on_after_end,
    version: row.version,
  };
}
