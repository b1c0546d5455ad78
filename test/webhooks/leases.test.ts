/** Several processes on one queue: which one serves an endpoint, and whose results are recorded. */
import { describe, expect, it } from 'vitest';
import type { AttemptClient, AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { happen } from './happenings.js';
import {
  arrivalsOf,
  arrived,
  attemptsOf,
  delivered,
  deliveryOf,
  endpointRow,
  register,
  useWebhookRoom,
} from './room.js';

const room = useWebhookRoom();

/** A process that stands still in the middle of an attempt, until the test lets it go on with an answer of its choice. */
function stalledClient() {
  const waiting: ((result: AttemptResult) => void)[] = [];
  const client: AttemptClient = {
    post: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {},
  };
  const answer = (status: number) => {
    const result = {
      kind: 'answered',
      status,
      retryAfter: undefined,
      answerStart: Buffer.alloc(0),
      isSlow: false,
      durationMs: 1,
    };
    for (const resolve of waiting.splice(0)) resolve(result as AttemptResult);
  };
  return { makeClient: () => client, isWaiting: () => waiting.length > 0, answer };
}

/** As if the heartbeat of a worker had failed for too long. */
async function stopHeart(workerId: string): Promise<void> {
  await room.sql.query(
    `UPDATE webhook_workers SET alive_until = statement_timestamp() - interval '1 hour' WHERE worker_id = $1`,
    [workerId],
  );
}

describe('a process that stands still past its lease', () => {
  it('loses its endpoints to another worker, and its late results change nothing', async () => {
    await register(room, room.acme);
    const stalled = stalledClient();
    const slow = room.start({ makeClient: stalled.makeClient });
    const eventId = await happen(slow.database, room.acme);
    await eventually(stalled.isWaiting);
    const { held_by: slowWorker } = await endpointRow(room, room.acme.merchant);
    const quick = room.start();
    await eventually(async () => {
      await stopHeart(slowWorker);
      return arrivalsOf(room, eventId).length > 0;
    });
    const before = await delivered(room, eventId);
    const claimed = await endpointRow(room, room.acme.merchant);
    stalled.answer(500);
    // Whatever it still wants to say is said by the time that it has stopped.
    await slow.stop();
    expect(await deliveryOf(room, eventId)).toMatchObject({
      state: before.state,
      attempts: before.attempts,
      last_attempt_no: before.last_attempt_no,
    });
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({
      claim: claimed.claim,
      consecutive_failures: 0,
    });
    expect(await attemptsOf(room, eventId)).toMatchObject([{ attempt_no: 1, outcome: 'delivered' }]);
    await quick.stop();
  });

  it('keeps its endpoints as long as its heartbeat works, however long an attempt takes', async () => {
    await register(room, room.acme);
    await register(room, room.rival);
    const stalled = stalledClient();
    const slow = room.start({ makeClient: stalled.makeClient });
    const eventId = await happen(slow.database, room.acme);
    await eventually(stalled.isWaiting);
    const quick = room.start();
    await delivered(room, await happen(quick.database, room.rival));
    expect(arrivalsOf(room, eventId)).toEqual([]);
    stalled.answer(200);
    await delivered(room, eventId);
    expect(arrivalsOf(room, eventId)).toEqual([]);
  });
});

describe('a process that died', () => {
  it('leaves nothing behind that the next one does not find', async () => {
    await register(room, room.acme);
    const { database, stop } = room.start();
    room.receiver.behaviour = { kind: 'answer', status: 500 };
    const eventId = await happen(database, room.acme);
    await arrived(room, eventId);
    await stop();
    await room.sql.query(
      `UPDATE webhook_endpoints SET held_by = '00000000-0000-4000-8000-000000000000', claim = claim + 1`,
    );
    await room.sql.query('UPDATE deliveries SET due_at = statement_timestamp()');
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    room.start();
    await delivered(room, eventId);
  });
});

describe('a process that stops', () => {
  it('lets attempts in flight end, records them, and frees its endpoints', async () => {
    await register(room, room.acme);
    room.receiver.behaviour = { kind: 'answer', status: 200, afterMs: 300 };
    const { database, stop } = room.start();
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, index) => happen(database, room.acme, { subject: `s${index}` })),
    );
    await eventually(() => room.receiver.received.length > 0);
    await stop();
    const sent = new Set(room.receiver.received.map(({ headers }) => headers['webhook-id']));
    const { rows } = await room.sql.query(`SELECT event_id FROM deliveries WHERE state = 'delivered'`);
    expect(new Set(rows.map((row) => row.event_id))).toEqual(sent);
    expect(sent.size).toBeLessThan(ids.length);
    expect((await room.sql.query('SELECT 1 FROM webhook_workers')).rowCount).toBe(0);
    expect((await endpointRow(room, room.acme.merchant)).held_by).toBeNull();

    room.receiver.behaviour = { kind: 'answer', status: 200 };
    room.start();
    for (const eventId of ids) await delivered(room, eventId);
    expect(room.receiver.received).toHaveLength(30);
  });

  it('waits five seconds at most for an endpoint that does not answer, and counts that as no attempt', async () => {
    await register(room, room.acme);
    room.receiver.behaviour = { kind: 'never-answer' };
    const { database, stop } = room.start();
    const eventId = await happen(database, room.acme);
    await arrived(room, eventId);
    await stop();
    expect(await deliveryOf(room, eventId)).toMatchObject({ state: 'pending', attempts: 0 });
    room.receiver.behaviour = { kind: 'answer', status: 200 };
    room.start();
    await delivered(room, eventId);
    expect(await attemptsOf(room, eventId)).toHaveLength(1);
  });
});

it('four processes deliver every event once while none of them dies', async () => {
  for (const merchant of [room.acme, room.rival])
    for (const channel of ['order', 'kyc'] as const) await register(room, merchant, { channel });
  room.receiver.behaviour = () => ({ kind: 'answer', status: 200, afterMs: Math.random() * 5 });
  const nodes = Array.from({ length: 4 }, () => room.start());
  const ids: string[] = [];
  // In groups, so that no transaction waits long for a connection on a busy machine.
  const events = rounds(160, 400);
  for (let start = 0; start < events; start += 40) {
    const group = Array.from({ length: 40 }, (_, offset) => {
      const index = start + offset;
      const { database } = nodes[index % 4] as (typeof nodes)[0];
      const channel = index % 2 ? 'kyc' : 'order';
      return happen(database, index % 3 ? room.acme : room.rival, { channel, subject: `s${index}` });
    });
    ids.push(...(await Promise.all(group)));
  }
  await eventually(
    async () =>
      (await room.sql.query(`SELECT 1 FROM deliveries WHERE state = 'delivered'`)).rowCount === events,
    { withinMs: 60_000 },
  );
  expect(room.receiver.received.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual(
    ids.toSorted(),
  );
});
