/** SQL of the retention job: for all merchants, in batches. */
import { statement, type Transaction } from '../postgres/statement.js';

/** Pending deliveries of these events are dropped: without its object an event cannot be sent. */
const forgetOldObjects = statement<{ forgotten: number }>(
  'retention-store.forget-objects',
  `WITH old AS (
     SELECT merchant_id, event_id FROM events
      WHERE object IS NOT NULL AND recorded_at < clock_timestamp() - make_interval(days => $1)
        AND (sequence IS NOT NULL OR type = 'webhook.test')
      ORDER BY recorded_at LIMIT 1000 FOR UPDATE SKIP LOCKED),
   ended AS (
     UPDATE deliveries AS delivery SET state = 'dropped' FROM old
      WHERE delivery.merchant_id = old.merchant_id AND delivery.event_id = old.event_id AND delivery.state = 'pending')
   UPDATE events AS event SET object = NULL FROM old
    WHERE event.merchant_id = old.merchant_id AND event.event_id = old.event_id
   RETURNING 1 AS forgotten`,
);
const forgetOldAnswers = statement<{ forgotten: number }>(
  'retention-store.forget-answers',
  `UPDATE delivery_attempts AS attempt SET answer_start = NULL FROM (
     SELECT merchant_id, event_id, attempt_no FROM delivery_attempts
      WHERE answer_start IS NOT NULL AND started_at < clock_timestamp() - make_interval(days => $1)
      ORDER BY started_at LIMIT 1000) AS old
    WHERE attempt.merchant_id = old.merchant_id AND attempt.event_id = old.event_id
      AND attempt.attempt_no = old.attempt_no
   RETURNING 1 AS forgotten`,
);
const deleteOldEvents = statement<{ deleted: number }>(
  'retention-store.delete-events',
  `WITH old AS (
     SELECT merchant_id, event_id FROM events
      WHERE object IS NULL AND recorded_at < clock_timestamp() - make_interval(days => $1)
      ORDER BY recorded_at LIMIT 1000 FOR UPDATE SKIP LOCKED),
   attempts AS (
     DELETE FROM delivery_attempts AS attempt USING old
      WHERE attempt.merchant_id = old.merchant_id AND attempt.event_id = old.event_id),
   pushed AS (
     DELETE FROM deliveries AS delivery USING old
      WHERE delivery.merchant_id = old.merchant_id AND delivery.event_id = old.event_id)
   DELETE FROM events AS event USING old
    WHERE event.merchant_id = old.merchant_id AND event.event_id = old.event_id
   RETURNING 1 AS deleted`,
);
const deleteWorkers = statement(
  'retention-store.delete-workers',
  `DELETE FROM webhook_workers WHERE alive_until < statement_timestamp() - interval '1 day'`,
);

export async function forgetObjects(tx: Transaction, afterDays: number): Promise<number> {
  return (await tx.query(forgetOldObjects, [afterDays])).length;
}

export async function forgetAnswers(tx: Transaction, afterDays: number): Promise<number> {
  return (await tx.query(forgetOldAnswers, [afterDays])).length;
}

export async function deleteEvents(tx: Transaction, afterDays: number): Promise<number> {
  return (await tx.query(deleteOldEvents, [afterDays])).length;
}

export async function deleteDeadWorkers(tx: Transaction): Promise<void> {
  await tx.query(deleteWorkers);
}
