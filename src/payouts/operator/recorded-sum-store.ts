/** SQL on what each operator has recorded by hand on a day. Every machine of a cluster has this table in full. */
import type { OperatorId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { statement, type Transaction } from '../../postgres/statement.js';

const today = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;
/** Adding nothing creates the row, so that the sum can be locked. */
const addToSum = statement(
  'recorded-sum-store.add',
  `INSERT INTO payout_recorded_sums AS recorded (operator_id, currency, day, sum_minor)
   VALUES ($operator, $currency, ${today}, $sumMinor)
   ON CONFLICT (operator_id, currency, day) DO UPDATE SET sum_minor = recorded.sum_minor + excluded.sum_minor
   RETURNING sum_minor`,
).rows<{ sum_minor: bigint }>();

/** Returns the sum of the day. The row stays locked, so that two recordings at once count each other. */
export async function lockSum(tx: Transaction, operator: OperatorId, currency: CurrencyCode): Promise<bigint> {
  const [row] = await tx.query(addToSum, { operator, currency, sumMinor: 0n });
  return row?.sum_minor ?? 0n;
}

export async function addSum(tx: Transaction, operator: OperatorId, { currency, minor }: Amount): Promise<void> {
  await tx.query(addToSum, { operator, currency, sumMinor: minor });
}
