/** SQL on how much operators recorded by hand. A day is one of UTC, in real time. */
import type { OperatorId, TenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const today = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

const sumOfDay = statement(
  'hand-sum-store.sum',
  `SELECT coalesce(sum(usd_minor), 0)::bigint AS usd_minor FROM payments_by_hand
    WHERE operator_id = $operator AND day = ${today}`,
).rows<{ usd_minor: bigint }>();
const addToDay = statement(
  'hand-sum-store.add',
  `INSERT INTO payments_by_hand (merchant_id, operator_id, day, usd_minor)
   SELECT $merchantId::bigint, $operator::bigint, ${today}, $usdMinor::bigint
   ON CONFLICT (merchant_id, operator_id, day) DO UPDATE SET usd_minor = payments_by_hand.usd_minor + excluded.usd_minor`,
);

/** In US cents, over all merchants. */
export async function handSumToday(database: Queryable, operator: OperatorId): Promise<bigint> {
  const [row] = await database.query(sumOfDay, { operator });
  return row?.usd_minor ?? 0n;
}

export async function addToHandSum(
  tx: Transaction,
  owner: TenantId,
  operator: OperatorId,
  usdMinor: bigint,
): Promise<void> {
  await tx.query(addToDay, { merchantId: owner, operator, usdMinor });
}
