/** SQL of the retention job: lists old rows of all merchants, and ends them merchant by merchant. */
import { type MerchantId, merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { statement, type Transaction } from '../../postgres/statement.js';

/** Without its object an event cannot be sent. */
const dropPending = statement(
  'retention-store.drop-pending',
  `UPDATE deliveries SET state = 'dropped', lease_token = NULL, leased_until = NULL
    WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds) AND state = 'pending'`,
);
const listOldAnswers = statement(
  'retention-store.list-old-answers',
  `SELECT merchant_id, array_agg(event_id) AS event_ids, array_agg(attempt_no) AS attempt_nos
     FROM (SELECT merchant_id, event_id, attempt_no FROM delivery_attempts
            WHERE answer_start IS NOT NULL AND started_at < statement_timestamp() - make_interval(days => $days)
            ORDER BY started_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<{ merchant_id: bigint; event_ids: string[]; attempt_nos: number[] }>();
const forgetAnswers = statement(
  'retention-store.forget-answers',
  `UPDATE delivery_attempts AS attempt SET answer_start = NULL
     FROM unnest($eventIds::text[], $attemptNos::int[]) AS old (event_id, attempt_no)
    WHERE attempt.merchant_id = $merchantId AND attempt.event_id = old.event_id
      AND attempt.attempt_no = old.attempt_no
      AND attempt.answer_start IS NOT NULL
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();
const listOldDeliveries = statement(
  'retention-store.list-old-deliveries',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM deliveries
            WHERE recorded_at < statement_timestamp() - make_interval(days => $days) LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<{ merchant_id: bigint; event_ids: string[] }>();
const deleteDeliveries = statement(
  'retention-store.delete-deliveries',
  `WITH attempts AS (DELETE FROM delivery_attempts WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds))
   DELETE FROM deliveries WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds)
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();

/** Old rows of one merchant. */
export interface OldDeliveries {
  readonly merchantId: MerchantId;
  readonly eventIds: readonly string[];
}

export interface OldAnswers extends OldDeliveries {
  /** One for each event id. */
  readonly attemptNos: readonly number[];
}

export async function dropPendingDeliveries(
  tx: Transaction,
  { merchantId: merchant, eventIds }: OldDeliveries,
): Promise<void> {
  await tx.query(dropPending, { merchantId: merchant, eventIds });
}

/** Lists at most 1,000 old answers, the oldest first. */
export async function listAnswersOlderThan(database: Database, days: number): Promise<OldAnswers[]> {
  return (await database.query(listOldAnswers, { days })).map((row) => ({
    merchantId: merchantId(row.merchant_id),
    eventIds: row.event_ids,
    attemptNos: row.attempt_nos,
  }));
}

/** Lists at most 1,000 old deliveries. */
export async function listDeliveriesOlderThan(database: Database, days: number): Promise<OldDeliveries[]> {
  return (await database.query(listOldDeliveries, { days })).map((row) => ({
    merchantId: merchantId(row.merchant_id),
    eventIds: row.event_ids,
  }));
}

/** Returns how many answers went: fewer than were listed when another worker was faster. */
export async function endAnswers(
  tx: Transaction,
  { merchantId: merchant, eventIds, attemptNos }: OldAnswers,
): Promise<number> {
  return (await tx.query(forgetAnswers, { merchantId: merchant, eventIds, attemptNos })).length;
}

/** Deletes deliveries with their attempts. Returns how many: fewer than were listed when another worker was faster. */
export async function endDeliveries(
  tx: Transaction,
  { merchantId: merchant, eventIds }: OldDeliveries,
): Promise<number> {
  return (await tx.query(deleteDeliveries, { merchantId: merchant, eventIds })).length;
}
