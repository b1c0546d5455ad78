/** SQL that numbers events and queues their deliveries, one channel of one merchant at a time. */
import { merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { EndpointRef } from '../endpoints/endpoint.js';
import type { Channel } from '../event.js';

/**
 * At most this many events of a channel are numbered before the next channel has its turn, and a list of waiting
 * channels reads at most as many. In the statements it is a literal, so that the planner can see it.
 */
const eventsAtOnce = 1000;

const listWaiting = statement(
  'numbering-store.list-waiting',
  `SELECT merchant_id, channel, count(*)::int AS events
     FROM (SELECT merchant_id, channel FROM events
            WHERE sequence IS NULL AND type <> 'webhook.test' AND (merchant_id, channel) > ($merchantId, $channel)
            ORDER BY merchant_id, channel, recorded_at, event_id LIMIT 1000) AS waiting
    GROUP BY merchant_id, channel ORDER BY merchant_id, channel`,
).rows<{ merchant_id: bigint; channel: Channel; events: number }>();
/**
 * One statement that commits by itself. The row of the channel decides: it is moved only if it still is what this
 * statement read at its start, and everything else depends on that. Of two processes that number the same events the
 * second waits for the row, finds it moved, and changes nothing. A deletion of the url moves the row too, so nothing is
 * queued for a url that this statement still saw.
 *
 * An injected fault applies to one event after the other. `reorder` holds back every other event, so that the next one
 * overtakes it. Within a channel `due_at` of first attempts never runs backwards, so their order is that of the numbers
 * even if the clock is set back.
 */
const numberEvents = statement(
  'numbering-store.number-events',
  `WITH read AS MATERIALIZED (
     SELECT last_sequence, url_deletions, greatest(last_due_at, statement_timestamp()) AS due_at
       FROM event_sequences WHERE merchant_id = $merchantId AND channel = $channel),
   batch AS MATERIALIZED (
     SELECT event_id, subject, row_number() OVER (ORDER BY recorded_at, event_id) AS rank
       FROM (SELECT event_id, subject, recorded_at FROM events
              WHERE merchant_id = $merchantId AND channel = $channel AND sequence IS NULL AND type <> 'webhook.test'
              ORDER BY recorded_at, event_id LIMIT 1000) AS waiting),
   total AS MATERIALIZED (SELECT count(*)::int AS events FROM batch),
   moved AS (
     UPDATE event_sequences AS known
        SET last_sequence = read.last_sequence + total.events, last_due_at = read.due_at
       FROM read, total
      WHERE known.merchant_id = $merchantId AND known.channel = $channel AND total.events > 0
        AND known.last_sequence = read.last_sequence AND known.url_deletions = read.url_deletions
     RETURNING read.last_sequence AS before, read.due_at),
   numbered AS MATERIALIZED (
     SELECT batch.event_id, batch.subject, batch.rank, moved.before + batch.rank AS sequence, moved.due_at
       FROM moved CROSS JOIN batch),
   written AS (
     UPDATE events AS event SET sequence = numbered.sequence FROM numbered
      WHERE event.merchant_id = $merchantId AND event.event_id = numbered.event_id),
   injected AS (
     UPDATE webhook_faults AS known SET applied = known.applied + total.events
       FROM moved, total
      WHERE known.merchant_id = $merchantId AND known.channel = $channel AND known.applied < known.events
     RETURNING known.fault, known.events, known.applied - total.events AS applied,
               make_interval(secs => known.delay_seconds) AS delay),
   planned AS (
     SELECT numbered.event_id, numbered.subject, numbered.sequence, numbered.due_at, injected.delay,
            CASE WHEN injected.applied + numbered.rank > injected.events THEN NULL
                 WHEN injected.fault = 'reorder' AND (injected.applied + numbered.rank) % 2 = 0 THEN NULL
                 ELSE injected.fault END AS fault
       FROM numbered LEFT JOIN injected ON true),
   url AS MATERIALIZED (
     SELECT count(*) > 0 AS is_registered FROM webhook_endpoints
       WHERE merchant_id = $merchantId AND channel = $channel),
   queued AS (
     INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, injected_fault, state, due_at)
     SELECT $merchantId, event_id, $channel, subject, sequence, fault,
            CASE WHEN fault = 'drop' THEN 'dropped' ELSE 'pending' END,
            CASE fault WHEN 'delay' THEN due_at + delay
                       WHEN 'reorder' THEN due_at + interval '10 seconds'
                       ELSE due_at END
       FROM planned CROSS JOIN url WHERE url.is_registered)
   SELECT total.events, url.is_registered AS is_queued,
          (SELECT count(*) > 0 FROM read) AS is_started, (SELECT count(*) > 0 FROM moved) AS is_numbered
     FROM total CROSS JOIN url`,
).rows<{
  events: number;
  is_started: boolean;
  is_numbered: boolean;
  is_queued: boolean;
}>();
const startSequence = statement(
  'numbering-store.start-sequence',
  `INSERT INTO event_sequences (merchant_id, channel, last_sequence, last_due_at)
   VALUES ($merchantId, $channel, 0, statement_timestamp()) ON CONFLICT (merchant_id, channel) DO NOTHING`,
);
const noteDeletion = statement(
  'numbering-store.note-deletion',
  `INSERT INTO event_sequences AS known (merchant_id, channel, last_sequence, last_due_at)
   VALUES ($merchantId, $channel, 0, statement_timestamp())
   ON CONFLICT (merchant_id, channel) DO UPDATE SET url_deletions = known.url_deletions + 1`,
);
const findOldest = statement(
  'numbering-store.find-oldest',
  `SELECT extract(epoch FROM statement_timestamp() - min(recorded_at))::float8 AS seconds FROM events
    WHERE sequence IS NULL AND type <> 'webhook.test'`,
).rows<{ seconds: number | null }>();

export interface WaitingChannels {
  readonly endpoints: readonly EndpointRef[];
  /** More channels may follow the last one. */
  readonly isCut: boolean;
}

/** Lists channels with events to number, in a fixed order, beginning after a channel. */
export async function listWaitingChannels(
  database: Queryable,
  after: EndpointRef | undefined,
): Promise<WaitingChannels> {
  const rows = await database.query(listWaiting, {
    merchantId: after?.merchantId ?? 0,
    channel: after?.channel ?? '',
  });
  return {
    endpoints: rows.map((row) => ({ merchantId: merchantId(row.merchant_id), channel: row.channel })),
    isCut: rows.reduce((sum, row) => sum + row.events, 0) === eventsAtOnce,
  };
}

export interface NumberedTurn {
  readonly events: number;
  /** Deliveries were queued, because a url is registered. */
  readonly isQueued: boolean;
  /** Events may be waiting still: the turn was full, or another process numbered at the same time. */
  readonly mayHaveMore: boolean;
}

/** Numbers the oldest events of a channel. */
export async function numberChannel(
  database: Database,
  { merchantId: merchant, channel }: EndpointRef,
): Promise<NumberedTurn> {
  const number = async () => (await database.write(numberEvents, { merchantId: merchant, channel }))[0];
  let row = await number();
  if (row && !row.is_started) {
    await database.write(startSequence, { merchantId: merchant, channel });
    row = await number();
  }
  if (!row?.is_numbered) return { events: 0, isQueued: false, mayHaveMore: (row?.events ?? 0) > 0 };
  return { events: row.events, isQueued: row.is_queued, mayHaveMore: row.events === eventsAtOnce };
}

/**
 * Call it before the url of a channel is deleted. Waits for numbering that is under way, and makes numbering that began
 * before the deletion begin again: no delivery is queued unnoticed.
 */
export async function noteUrlDeletion(tx: Transaction, endpoint: EndpointRef): Promise<void> {
  await tx.query(noteDeletion, endpoint);
}

export async function oldestUnnumberedSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}
