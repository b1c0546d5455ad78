/** SQL on what merchants declared. */
import type { MerchantId } from '../../ids.js';
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

const findByMerchant = statement(
  'policy-store.find',
  `SELECT ${columns} FROM payment_policies WHERE merchant_id = $merchantId`,
).rows<PolicyRow>();
const insertPolicies = statement(
  'policy-store.insert',
  `INSERT INTO payment_policies (merchant_id, ${columns}, updated_at)
   VALUES ($merchantId, $short, $over, $late, $duplicate, $wrongCurrency, $afterEnd, 1, statement_timestamp())
   ON CONFLICT (merchant_id) DO NOTHING RETURNING ${columns}`,
).rows<PolicyRow>();
const updatePolicies = statement(
  'policy-store.update',
  `UPDATE payment_policies SET on_short = $short, on_over = $over, on_late = $late, on_duplicate = $duplicate,
          on_wrong_currency = $wrongCurrency, on_after_end = $afterEnd, version = version + 1,
          updated_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND version = $version
   RETURNING ${columns}`,
).rows<PolicyRow>();

/** Undefined for a merchant that has declared nothing. */
export async function findPolicies(database: Queryable, merchantId: MerchantId): Promise<DeclaredPolicies | undefined> {
  const [row] = await database.query(findByMerchant, { merchantId });
  return row && toPolicies(row);
}

/** Returns undefined when the merchant has declared others since `version`. */
export async function savePolicies(
  tx: Transaction,
  merchantId: MerchantId,
  { version, ...policies }: DeclaredPolicies,
): Promise<DeclaredPolicies | undefined> {
  const [row] =
    version === 0
      ? await tx.query(insertPolicies, { merchantId, ...policies })
      : await tx.query(updatePolicies, { merchantId, ...policies, version });
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
