/** What is kept of events, and for how long. */
import { describe, expect, it } from 'vitest';
import type { EventId } from '../../src/changes/event.js';
import { eventRetentionJob } from '../../src/webhooks/events/retention.js';
import { eventually } from '../harness/eventually.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { age, happen, happenOften } from './happenings.js';
import { attempted, delivered, deliveryOf, register, useWebhookRoom } from './room.js';

const room = useWebhookRoom();
const signal = new AbortController().signal;

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
      await age(room.sql, eventId, days);
    await runUntilDone();
    expect(await kept(fresh)).toEqual({ object: true, attempts: 1, answer: true });
    expect(await kept(month)).toEqual({ object: false, attempts: 1, answer: false });
    expect(await kept(quarter)).toBeUndefined();
    const { rows } = await room.sql.query(
      `SELECT (SELECT count(*)::int FROM deliveries) AS deliveries, (SELECT count(*)::int FROM delivery_attempts) AS attempts`,
    );
    expect(rows).toEqual([{ deliveries: 2, attempts: 2 }]);
  });

  it('that is still pending when its object goes is not sent without it', async () => {
    await register(room, room.acme);
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    const { database } = room.start();
    const eventId = await happen(database, room.acme);
    await attempted(room, eventId);
    await age(room.sql, eventId, 31);
    await runUntilDone();
    expect(await deliveryOf(room, eventId)).toMatchObject({ state: 'dropped' });
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    await delivered(room, await happen(database, room.acme));
    expect(room.receiver.received).toHaveLength(2);
  });
});

it('the change that an event tells of stays in the log', async () => {
  const { database } = room.start();
  const eventId = await happen(database, room.acme);
  await eventually(async () => (await room.sql.query('SELECT 1 FROM changes WHERE number IS NOT NULL')).rowCount === 1);
  await age(room.sql, eventId, 91);
  await runUntilDone();
  const { rows } = await room.sql.query(
    'SELECT action, object, object_digest IS NOT NULL AS has_digest FROM changes WHERE event_id = $1',
    [eventId],
  );
  expect(rows).toEqual([{ action: 'kyc.submitted', object: null, has_digest: true }]);
});

it('goes through any number of them', async () => {
  await register(room, room.acme);
  await happenOften(room.database, room.acme, 2500);
  const { stopJobs } = room.start();
  await eventually(async () => (await room.sql.query('SELECT 1 FROM deliveries')).rowCount === 2500, {
    withinMs: 30_000,
  });
  await stopJobs();
  await withoutTriggers(room.sql, (client) =>
    client.query(`UPDATE changes SET recorded_at = recorded_at - interval '100 days';
                  UPDATE deliveries SET recorded_at = recorded_at - interval '100 days'`),
  );
  await runUntilDone();
  expect((await room.sql.query('SELECT 1 FROM deliveries UNION ALL SELECT 1 FROM delivery_attempts')).rowCount).toBe(0);
  expect((await room.sql.query('SELECT 1 FROM changes WHERE object IS NOT NULL')).rowCount).toBe(0);
});
