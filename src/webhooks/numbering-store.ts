/** SQL that numbers events and queues their deliveries, for all merchants at once. */
import { merchantId } from '../ids.js';
import type { Database } from '../postgres/database.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { EndpointRef } from './endpoint.js';
import type { Channel } from './event.js';

/**
 * One statement that commits by itself. The advisory lock lets only one process number at a time. If two overlap, because
 * the second began before the first had committed, the row locks make the second check again: no event is numbered twice,
 * and no number is given to an event that has one.
 *
 * An injected fault applies to one event after the other. `reorder` holds back every other event, so that the next one
 * overtakes it.
 *
 * The endpoints are locked against deletion, and only against that, until the deliveries are committed: a transaction that
 * deletes an endpoint sees everything that was queued for it. Within a channel `due_at` of first attempts never runs
 * backwards, so their order is that of the numbers even if the clock is set back.
 */
const numberBatch = statement<{
  merchant_id: bigint;
  channel: Channel;
  numbered: number;
  is_queued: boolean;
}>(
  'numbering-store.number-batch',
  `WITH gate AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(2003201902) AS is_open),
   batch AS MATERIALIZED (
     SELECT merchant_id, channel, event_id, subject,
            row_number() OVER (PARTITION BY merchant_id, channel ORDER BY event_no) AS rank
       FROM (SELECT merchant_id, channel, event_id, subject, event_no FROM events
              WHERE sequence IS NULL AND type <> 'webhook.test' AND (SELECT is_open FROM gate)
              ORDER BY event_no LIMIT 1000 FOR NO KEY UPDATE) AS waiting),
   added AS MATERIALIZED (
     SELECT merchant_id, channel, count(*) AS events FROM batch GROUP BY merchant_id, channel),
   given AS (
     INSERT INTO event_sequences AS known (merchant_id, channel, last_sequence, last_due_at)
     SELECT merchant_id, channel, events, clock_timestamp() FROM added
     ON CONFLICT (merchant_id, channel) DO UPDATE
        SET last_sequence = known.last_sequence + excluded.last_sequence,
            last_due_at = greatest(known.last_due_at, excluded.last_due_at)
     RETURNING merchant_id, channel, last_sequence, last_due_at),
   numbered AS MATERIALIZED (
     SELECT batch.merchant_id, batch.channel, batch.event_id, batch.subject, batch.rank,
            given.last_sequence - added.events + batch.rank AS sequence, given.last_due_at AS due_at
       FROM batch
       JOIN added ON added.merchant_id = batch.merchant_id AND added.channel = batch.channel
       JOIN given ON given.merchant_id = batch.merchant_id AND given.channel = batch.channel),
   written AS (
     UPDATE events AS event SET sequence = numbered.sequence FROM numbered
      WHERE event.merchant_id = numbered.merchant_id AND event.event_id = numbered.event_id),
   served AS MATERIALIZED (
     SELECT endpoint.merchant_id, endpoint.channel FROM webhook_endpoints AS endpoint
       JOIN added ON added.merchant_id = endpoint.merchant_id AND added.channel = endpoint.channel
        FOR KEY SHARE OF endpoint),
   faults AS MATERIALIZED (
     SELECT fault.merchant_id, fault.channel, fault.fault, fault.events, fault.applied, fault.delay_seconds
       FROM webhook_faults AS fault
       JOIN added ON added.merchant_id = fault.merchant_id AND added.channel = fault.channel
      WHERE fault.applied < fault.events FOR UPDATE OF fault),
   consumed AS (
     UPDATE webhook_faults AS fault SET applied = least(fault.events, fault.applied + added.events) FROM added
      WHERE fault.merchant_id = added.merchant_id AND fault.channel = added.channel AND fault.applied < fault.events),
   planned AS (
     SELECT numbered.merchant_id, numbered.channel, numbered.event_id, numbered.subject, numbered.sequence,
            numbered.due_at, make_interval(secs => faults.delay_seconds) AS delay,
            CASE WHEN faults.applied + numbered.rank > faults.events THEN NULL
                 WHEN faults.fault = 'reorder' AND (faults.applied + numbered.rank) % 2 = 0 THEN NULL
                 ELSE faults.fault END AS fault
       FROM numbered
       JOIN served ON served.merchant_id = numbered.merchant_id AND served.channel = numbered.channel
       LEFT JOIN faults ON faults.merchant_id = numbered.merchant_id AND faults.channel = numbered.channel),
   queued AS (
     INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, injected_fault, state, due_at)
     SELECT merchant_id, event_id, channel, subject, sequence, fault,
            CASE WHEN fault = 'drop' THEN 'dropped' ELSE 'pending' END,
            CASE fault WHEN 'delay' THEN due_at + delay
                       WHEN 'reorder' THEN due_at + interval '10 seconds'
                       ELSE due_at END
       FROM planned)
   SELECT added.merchant_id, added.channel, added.events::int AS numbered, served.channel IS NOT NULL AS is_queued
     FROM added LEFT JOIN served ON served.merchant_id = added.merchant_id AND served.channel = added.channel`,
);
const findOldest = statement<{ seconds: number | null }>(
  'numbering-store.find-oldest',
  `SELECT extract(epoch FROM clock_timestamp() - recorded_at)::float8 AS seconds FROM events
    WHERE sequence IS NULL AND type <> 'webhook.test' ORDER BY event_no LIMIT 1`,
);

/** The same limit as in the statement, where it is a literal so that the planner can see it. */
export const eventsAtOnce = 1000;

export interface NumberedBatch {
  readonly events: number;
  /** The endpoints that deliveries were queued for. */
  readonly queued: readonly EndpointRef[];
}

/** Numbers the oldest events. Does nothing while another process is numbering. */
export async function numberNextBatch(database: Database): Promise<NumberedBatch> {
  const rows = await database.write(numberBatch, []);
  return {
    events: rows.reduce((sum, row) => sum + row.numbered, 0),
    queued: rows
      .filter((row) => row.is_queued)
      .map((row) => ({ merchantId: merchantId(row.merchant_id), channel: row.channel })),
  };
}

export async function oldestUnnumberedSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}
