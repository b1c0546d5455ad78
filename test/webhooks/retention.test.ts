/** What is kept of events, and for how long. */
import { describe, expect, it } from 'vitest';
import type { EventId } from '../../src/webhooks/event.js';
import { eventRetentionJob } from '../../src/webhooks/events/retention.js';
import { happen } from './happenings.js';
import { attempted, delivered, deliveryOf, register, useWebhookRoom } from './room.js';

const room = useWebhookRoom();
const signal = new AbortController().signal;

/** As if it had been recorded, and tried, so many days ago. */
async function age(eventId: EventId, days: number): Promise<void> {
  await room.sql.query('ALTER TABLE events DISABLE TRIGGER event_stays_as_recorded');
  await room.sql.query(
    'UPDATE events SET recorded_at = statement_timestamp() - make_interval(days => $2) WHERE event_id = $1',
    [eventId, days],
  );
  await room.sql.query('ALTER TABLE events ENABLE TRIGGER event_stays_as_recorded');
  await room.sql.query(
    `UPDATE delivery_attempts SET started_at = statement_timestamp() - make_interval(days => $2) WHERE event_id = $1`,
    [eventId, days],
  );
}

async function kept(eventId: EventId) {
  const { rows } = await room.sql.query(
    `SELECT event.object IS NOT NULL AS object, count(attempt.*)::int AS attempts,
            bool_or(attempt.answer_start IS NOT NULL) AS answer
       FROM events AS event LEFT JOIN delivery_attempts AS attempt USING (merchant_id, event_id)
      WHERE event_id = $1 GROUP BY event.object`,
    [eventId],
  );
  return rows[0];
}

async function runUntilDone(): Promise<void> {
  const job = eventRetentionJob(room.database);
  while ((await job.run(signal)) > 0);
}

describe('an event', () => {
  it('keeps its object and the answers for 30 days, and all else for 90', async () => {
    await register(room, room.acme);
    room.receiver.behaviour = { kind: 'endless-body' };
    const { database, stop } = room.start({ limits: { bodyMs: 200 } });
    const [fresh, month, quarter] = [
      await happen(database, room.acme),
      await happen(database, room.acme),
      await happen(database, room.acme),
    ];
    for (const eventId of [fresh, month, quarter]) await attempted(room, eventId);
    await stop();
    for (const [eventId, days] of [
      [fresh, 29],
      [month, 31],
      [quarter, 91],
    ] as const)
      await age(eventId, days);
    await runUntilDone();
    expect(await kept(fresh)).toEqual({ object: true, attempts: 1, answer: true });
    expect(await kept(month)).toEqual({ object: false, attempts: 1, answer: false });
    expect(await kept(quarter)).toBeUndefined();
    const { rows } = await room.sql.query(
      `SELECT (SELECT count(*)::int FROM deliveries) AS deliveries, (SELECT count(*)::int FROM delivery_attempts) AS attempts`,
    );
    expect(rows).toEqual([{ deliveries: 2, attempts: 2 }]);
  });

  it('is not sent without its object, which goes while it is still pending', async () => {
    await register(room, room.acme);
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    const { database } = room.start();
    const eventId = await happen(database, room.acme);
    await attempted(room, eventId);
    await age(eventId, 31);
    await runUntilDone();
    expect(await deliveryOf(room, eventId)).toMatchObject({ state: 'dropped' });
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    await delivered(room, await happen(database, room.acme));
    expect(room.receiver.received).toHaveLength(2);
  });
});

it('goes through any number of them', async () => {
  await room.sql.query(
    `INSERT INTO events (merchant_id, event_id, channel, type, subject, object, occurred_at, recorded_at, sequence)
     SELECT $1, 'evt_' || n, 'kyc', 'kyc.submitted', 's', '{}', statement_timestamp(),
            statement_timestamp() - interval '100 days', n
       FROM generate_series(1, 2500) AS n`,
    [room.acme.merchant],
  );
  await runUntilDone();
  expect((await room.sql.query('SELECT 1 FROM events')).rowCount).toBe(0);
});
