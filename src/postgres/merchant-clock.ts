/** The clocks of merchants, in SQL. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement } from './statement.js';

/**
 * The time by which everything of a merchant is judged valid, due or expired: the database's time, which a sandbox merchant
 * can move forward. While a clock is moved it stands still, and `least` ignores a clock that does not. It is the time at
 * which the statement began, so where time must follow a lock, lock in one statement and compare in the next. It is
 * written out instead of called, because a function that reads a table cannot run on a distributed schema.
 */
export const merchantNow = `least(
  statement_timestamp() + coalesce(
    (SELECT ahead FROM merchant_clocks WHERE merchant_clocks.merchant_id = $merchantId), interval '0'),
  (SELECT stands_at FROM merchant_clocks WHERE merchant_clocks.merchant_id = $merchantId))` as const;

const readClock = statement('merchant-clock.read', `SELECT date_trunc('milliseconds', ${merchantNow}) AS now`).rows<{
  now: Date;
}>();

/** The time by the tenant's clock, in whole milliseconds. */
export async function readMerchantClock(database: Queryable, merchantId: TenantId): Promise<Date> {
  const [row] = await database.query(readClock, { merchantId });
  if (!row) throw new Error('the clock was not read');
  return row.now;
}

/** The day by the tenant's clock (UTC), as `2026-11-15`. */
export async function readMerchantDay(database: Queryable, merchantId: TenantId): Promise<string> {
  return (await readMerchantClock(database, merchantId)).toISOString().slice(0, 10);
}

/** `merchantNow` where `merchant_clocks` is joined as `clock`, for statements over several merchants. */
export const nowByClock = `least(statement_timestamp() + coalesce(clock.ahead, interval '0'), clock.stands_at)`;
