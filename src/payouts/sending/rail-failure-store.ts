/** SQL on the failures of rails. Every machine of a cluster has this table in full. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const countFailure = statement(
  'rail-failure-store.count',
  `INSERT INTO payout_rail_failures AS failing (rail, failures, failing_since, resumes_at)
   VALUES ($rail, 1, statement_timestamp(), statement_timestamp())
   ON CONFLICT (rail) DO UPDATE SET failures = failing.failures + 1 RETURNING failures`,
).rows<{ failures: number }>();
const pauseRail = statement(
  'rail-failure-store.pause',
  `UPDATE payout_rail_failures SET resumes_at = statement_timestamp() + make_interval(secs => $seconds) WHERE rail = $rail`,
);
const findFailing = statement(
  'rail-failure-store.find',
  'SELECT rail FROM payout_rail_failures WHERE rail = $rail',
).rows<{ rail: string }>();
const deleteFailures = statement('rail-failure-store.delete', 'DELETE FROM payout_rail_failures WHERE rail = $rail');

export async function addFailure(tx: Transaction, rail: string): Promise<number> {
  const [row] = await tx.query(countFailure, { rail });
  return row?.failures ?? 1;
}

export async function backOff(tx: Transaction, rail: string, seconds: number): Promise<void> {
  await tx.query(pauseRail, { rail, seconds });
}

export async function isFailing(database: Queryable, rail: string): Promise<boolean> {
  return (await database.query(findFailing, { rail })).length > 0;
}

export async function forgetFailures(tx: Transaction, rail: string): Promise<void> {
  await tx.query(deleteFailures, { rail });
}
