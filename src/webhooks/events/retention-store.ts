/** SQL of the retention job: lists old rows of all merchants, and changes them merchant by merchant. */
import { type MerchantId, merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Statement, statement, type Transaction } from '../../postgres/statement.js';

interface OldRows {
  merchant_id: bigint;
  event_ids: string[];
  /** For attempts only. */
  attempt_nos?: number[];
}

const listOldObjects = statement(
  'retention-store.list-old-objects',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM events
            WHERE object IS NOT NULL AND recorded_at < statement_timestamp() - make_interval(days => $days)
              AND (sequence IS NOT NULL OR type = 'webhook.test')
            ORDER BY recorded_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<OldRows>();
/** Pending deliveries of these events are dropped: without its object an event cannot be sent. */
const forgetOldObjects = statement(
  'retention-store.forget-objects',
  `WITH dropped AS (
     UPDATE deliveries SET state = 'dropped', lease_token = NULL, leased_until = NULL
      WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds) AND state = 'pending')
   UPDATE events SET object = NULL
     WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds) AND object IS NOT NULL
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();
const listOldAnswers = statement(
  'retention-store.list-old-answers',
  `SELECT merchant_id, array_agg(event_id) AS event_ids, array_agg(attempt_no) AS attempt_nos
     FROM (SELECT merchant_id, event_id, attempt_no FROM delivery_attempts
            WHERE answer_start IS NOT NULL AND started_at < statement_timestamp() - make_interval(days => $days)
            ORDER BY started_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<OldRows>();
const forgetOldAnswers = statement(
  'retention-store.forget-answers',
  `UPDATE delivery_attempts AS attempt SET answer_start = NULL
     FROM unnest($eventIds::text[], $attemptNos::int[]) AS old (event_id, attempt_no)
    WHERE attempt.merchant_id = $merchantId AND attempt.event_id = old.event_id
      AND attempt.attempt_no = old.attempt_no
      AND attempt.answer_start IS NOT NULL
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();
const listOldEvents = statement(
  'retention-store.list-old-events',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM events
            WHERE object IS NULL AND recorded_at < statement_timestamp() - make_interval(days => $days)
            ORDER BY recorded_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<OldRows>();
const deleteOldEvents = statement(
  'retention-store.delete-events',
  `WITH attempts AS (DELETE FROM delivery_attempts WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds)),
   pushed AS (DELETE FROM deliveries WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds))
   DELETE FROM events WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds)
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();

/** What ends after a number of days: the statement that lists it, and the one that ends it for one merchant. */
export interface Retention {
  readonly list: Statement<OldRows, 'days'>;
  readonly end: Statement<{ changed: number }, 'merchantId' | 'eventIds' | 'attemptNos'>;
}

export const objects: Retention = { list: listOldObjects, end: forgetOldObjects };
export const answers: Retention = { list: listOldAnswers, end: forgetOldAnswers };
export const events: Retention = { list: listOldEvents, end: deleteOldEvents };

/** Old rows of one merchant. */
export interface OldBatch {
  readonly merchantId: MerchantId;
  readonly eventIds: readonly string[];
  /** Of attempts only, one for each event id. */
  readonly attemptNos: readonly number[];
}

/** Lists at most 1,000 old rows, the oldest first. */
export async function listOld(database: Database, { list }: Retention, days: number): Promise<OldBatch[]> {
  return (await database.query(list, { days })).map((row) => ({
    merchantId: merchantId(row.merchant_id),
    eventIds: row.event_ids,
    attemptNos: row.attempt_nos ?? [],
  }));
}

/** Returns how many rows were changed: fewer than were listed when another worker was faster. */
export async function endOld(tx: Transaction, { end }: Retention, batch: OldBatch): Promise<number> {
  return (await tx.query(end, batch)).length;
}
