/**
 * The time by which everything of a merchant is judged valid, due or expired: the database's time, which a sandbox merchant
 * can move forward. It is the time at which the statement began, so where time must follow a lock, lock in one statement
 * and compare in the next. It is written out instead of called, because a function that reads a table cannot run on a
 * distributed schema.
 */
export const merchantNow = `(statement_timestamp() + coalesce(
  (SELECT ahead FROM merchant_clocks WHERE merchant_clocks.merchant_id = $1), interval '0'))`;
