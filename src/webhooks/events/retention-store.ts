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

const listOldObjects = statement<OldRows>(
  'retention-store.list-old-objects',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM events
            WHERE object IS NOT NULL AND recorded_at < statement_timestamp() - make_interval(days => $1)
              AND (sequence IS NOT NULL OR type = 'webhook.test')
            ORDER BY recorded_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
);
/** Pending deliveries of these events are dropped: without its object an event cannot be sent. */
const forgetOldObjects = statement<{ changed: number }>(
  'retention-store.forget-objects',
  `WITH dropped AS (
     UPDATE deliveries SET state = 'dropped', lease_token = NULL, leased_until = NULL
      WHERE merchant_id = $1 AND event_id = ANY ($2) AND state = 'pending')
   UPDATE events SET object = NULL WHERE merchant_id = $1 AND event_id = ANY ($2) AND object IS NOT NULL
   RETURNING 1 AS changed`,
);
const listOldAnswers = statement<OldRows>(
  'retention-store.list-old-answers',
  `SELECT merchant_id, array_agg(event_id) AS event_ids, array_agg(attempt_no) AS attempt_nos
     FROM (SELECT merchant_id, event_id, attempt_no FROM delivery_attempts
            WHERE answer_start IS NOT NULL AND started_at < statement_timestamp() - make_interval(days => $1)
            ORDER BY started_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
);
const forgetOldAnswers = statement<{ changed: number }>(
  'retention-store.forget-answers',
  `UPDATE delivery_attempts AS attempt SET answer_start = NULL
     FROM unnest($2::text[], $3::int[]) AS old (event_id, attempt_no)
    WHERE attempt.merchant_id = $1 AND attempt.event_id = old.event_id AND attempt.attempt_no = old.attempt_no
      AND attempt.answer_start IS NOT NULL
   RETURNING 1 AS changed`,
);
const listOldEvents = statement<OldRows>(
  'retention-store.list-old-events',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM events
            WHERE object IS NULL AND recorded_at < statement_timestamp() - make_interval(days => $1)
            ORDER BY recorded_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
);
const deleteOldEvents = statement<{ changed: number }>(
  'retention-store.delete-events',
  `WITH attempts AS (DELETE FROM delivery_attempts WHERE merchant_id = $1 AND event_id = ANY ($2)),
   pushed AS (DELETE FROM deliveries WHERE merchant_id = $1 AND event_id = ANY ($2))
   DELETE FROM events WHERE merchant_id = $1 AND event_id = ANY ($2)
   RETURNING 1 AS changed`,
);

/** What ends after a number of days: the statement that lists it, and the one that ends it for one merchant. */
export interface Retention {
  readonly list: Statement<OldRows>;
  readonly end: Statement<{ changed: number }>;
}

export const objects: Retention = { list: listOldObjects, end: forgetOldObjects };
export const answers: Retention = { list: listOldAnswers, end: forgetOldAnswers };
export const events: Retention = { list: listOldEvents, end: deleteOldEvents };

/** Old rows of one merchant. */
export interface OldBatch {
  readonly merchantId: MerchantId;
  /** The parameters after the merchant. */
  readonly keys: readonly unknown[];
}

/** Lists at most 1,000 old rows, the oldest first. */
export async function listOld(database: Database, { list }: Retention, days: number): Promise<OldBatch[]> {
  return (await database.query(list, [days])).map(({ merchant_id, event_ids, attempt_nos }) => ({
    merchantId: merchantId(merchant_id),
    keys: attempt_nos ? [event_ids, attempt_nos] : [event_ids],
  }));
}

/** Returns how many rows were changed: fewer than were listed when another worker was faster. */
export async function endOld(tx: Transaction, { end }: Retention, batch: OldBatch): Promise<number> {
  return (await tx.query(end, [batch.merchantId, ...batch.keys])).length;
}
