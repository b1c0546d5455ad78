/** SQL on the clocks of sandbox merchants. Whoever moves a clock holds its row by name, for a limited time. */
import { type MerchantId, merchantId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

const readClock = statement(
  'clock-store.read',
  `SELECT ${merchantNow} AS now, coalesce(extract(epoch FROM max(ahead)), 0)::float8 AS ahead_seconds,
          coalesce(max(moved_until) > statement_timestamp(), false) AS is_moving
     FROM merchant_clocks WHERE merchant_id = $merchantId`,
).rows<{ now: Date; ahead_seconds: number; is_moving: boolean }>();
const insertClock = statement(
  'clock-store.insert',
  'INSERT INTO merchant_clocks (merchant_id) VALUES ($merchantId) ON CONFLICT (merchant_id) DO NOTHING',
);
const takeClock = statement(
  'clock-store.take',
  `UPDATE merchant_clocks SET stands_at = clock.at, moved_by = $movedBy, moved_until = clock.until
     FROM (SELECT date_trunc('milliseconds', ${merchantNow} + interval '999 microseconds') AS at,
                  statement_timestamp() + make_interval(secs => $leaseSeconds) AS until) AS clock
    WHERE merchant_id = $merchantId AND (moved_until IS NULL OR moved_until <= statement_timestamp())
   RETURNING stands_at`,
).rows<{ stands_at: Date }>();
/** The running time stays ahead of the standing one, so that the clock never goes back when it runs again. */
const moveClock = statement(
  'clock-store.move',
  `UPDATE merchant_clocks SET stands_at = $to, ahead = step.ahead, moved_until = step.until
     FROM (SELECT greatest(ahead, make_interval(secs => 0.001 + extract(epoch
       FROM $to::timestamptz - statement_timestamp())::float8)) AS ahead,
                  statement_timestamp() + make_interval(secs => $leaseSeconds) AS until
             FROM merchant_clocks WHERE merchant_id = $merchantId) AS step
    WHERE merchant_id = $merchantId AND moved_by = $movedBy AND stands_at <= $to
   RETURNING merchant_id`,
).rows<{ merchant_id: bigint }>();
const letRun = statement(
  'clock-store.let-run',
  `UPDATE merchant_clocks SET stands_at = NULL, moved_by = NULL, moved_until = NULL
    WHERE merchant_id = $merchantId AND moved_by = $movedBy`,
);
const listGivenUp = statement(
  'clock-store.list-given-up',
  'SELECT merchant_id, moved_by FROM merchant_clocks WHERE moved_until <= statement_timestamp()',
).rows<{ merchant_id: bigint; moved_by: string }>();

export interface MerchantClock {
  readonly now: Date;
  readonly aheadSeconds: number;
  /** Somebody moves it now. */
  readonly isMoving: boolean;
}

export interface Mover {
  readonly merchantId: MerchantId;
  /** A name that nobody else has. */
  readonly name: string;
}

/** How long a mover that does not answer keeps the clock. */
const leaseSeconds = 60;

export async function readMovableClock(database: Queryable, merchant: MerchantId): Promise<MerchantClock> {
  const [row] = await database.query(readClock, { merchantId: merchant });
  if (!row) throw new Error('the clock gave no time');
  return { now: row.now, aheadSeconds: row.ahead_seconds, isMoving: row.is_moving };
}

/** The clock stands still from now on. Returns at what time, or undefined while somebody else moves it. */
export async function takeMerchantClock(tx: Transaction, mover: Mover): Promise<Date | undefined> {
  await tx.query(insertClock, mover);
  const [row] = await tx.query(takeClock, {
    merchantId: mover.merchantId,
    movedBy: mover.name,
    leaseSeconds,
  });
  return row?.stands_at;
}

/** Returns false when the clock was taken away, because the mover did not answer for too long. */
export async function setMerchantClock(tx: Transaction, mover: Mover, to: Date): Promise<boolean> {
  return (
    (await tx.query(moveClock, { merchantId: mover.merchantId, movedBy: mover.name, to, leaseSeconds })).length > 0
  );
}

/** The clock runs again. */
export async function releaseMerchantClock(tx: Transaction, mover: Mover): Promise<void> {
  await tx.query(letRun, { merchantId: mover.merchantId, movedBy: mover.name });
}

/** The movers whose time is over. */
export async function listMoversGivenUp(database: Queryable): Promise<Mover[]> {
  const rows = await database.query(listGivenUp);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), name: row.moved_by }));
}
