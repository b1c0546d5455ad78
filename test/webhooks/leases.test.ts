/** Several processes on one queue: which of them sends, and whose results are recorded. */
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
  endLeases,
  endpointRow,
  leasedCount,
  register,
  useWebhookRoom,
} from './room.js';

const room = useWebhookRoom();

/**
 * A process that stands still in the middle of an attempt, until the test lets it go on with an answer of its choice.
 */
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
  const isWaiting = () => waiting.length > 0;
  return { makeClient: () => client, isWaiting, count: () => waiting.length, answer };
}

/** A process that stands still in its turn begins no other, which would claim the delivery again. */
const onlyOneTurn = { turnsAtMost: 1 };

describe('a process that stands still past its lease', () => {
  it('is replaced by another, and its late results change nothing', async () => {
    await register(room, room.acme);
    const stalled = stalledClient();
    const slow = room.start({ makeClient: stalled.makeClient, bounds: onlyOneTurn });
    const eventId = await happen(slow.database, room.acme);
    await eventually(stalled.isWaiting);
    await slow.stopJobs();
    await endLeases(room);
    const quick = room.start();
    const before = await delivered(room, eventId);
    stalled.answer(500);
    // Whatever it still wants to say is said by the time that it has stopped.
    await slow.stop();
    expect(await deliveryOf(room, eventId)).toMatchObject({
      state: before.state,
      attempts: before.attempts,
      last_attempt_no: before.last_attempt_no,
    });
    expect(await endpointRow(room, room.acme.merchant)).toMatchObject({ consecutive_failures: 0 });
    expect(await attemptsOf(room, eventId)).toMatchObject([{ attempt_no: 1, outcome: 'delivered' }]);
    await quick.stop();
  });
});

describe('a process whose lease lasts', () => {
  it('is the only one that sends to the url, however long an attempt takes', async () => {
    await register(room, room.acme);
    const stalled = stalledClient();
    const slow = room.start({ makeClient: stalled.makeClient, bounds: onlyOneTurn });
    const eventId = await happen(slow.database, room.acme);
    await eventually(stalled.isWaiting);
    await register(room, room.rival);
    const quick = room.start();
    const later = await happen(quick.database, room.acme, { subject: 'another' });
    await eventually(() => deliveryOf(room, later));
    // Whichever process has the rival's event, it passes through all the steps of the later one.
    const rivals = await happen(quick.database, room.rival);
    await eventually(() => stalled.count() > 1 || arrivalsOf(room, rivals).length > 0);
    expect([...arrivalsOf(room, eventId), ...arrivalsOf(room, later)]).toEqual([]);
    stalled.answer(200);
    await delivered(room, eventId);
    expect(arrivalsOf(room, eventId)).toEqual([]);
  });
});

describe('a process that died', () => {
  it('leaves nothing behind that is not sent when its lease has ended', async () => {
    await register(room, room.acme);
    const eventId = await happen(room.database, room.acme);
    const stalled = stalledClient();
    const died = room.start({ makeClient: stalled.makeClient, bounds: onlyOneTurn });
    await eventually(stalled.isWaiting);
    await died.stopJobs();
    // Otherwise the turn that the endpoint still waits for could claim the delivery again, for a client that stands
    // still.
    const isDead = () => Promise.reject(new Error('the process is dead'));
    Object.assign(died.database, { transaction: isDead, write: isDead });
    expect(await leasedCount(room)).toBe(1);
    const next = room.start();
    await register(room, room.rival);
    await delivered(room, await happen(next.database, room.rival));
    expect(arrivalsOf(room, eventId)).toEqual([]);
    await endLeases(room);
    await delivered(room, eventId);
    stalled.answer(200);
  });
});

describe('a process that stops', () => {
  it('lets attempts in flight end, records them, and gives back the rest', async () => {
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
    expect(await leasedCount(room)).toBe(0);

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

it('four processes deliver every event once, with at most four attempts in flight to a url', async () => {
  for (const merchant of [room.acme, room.rival])
    for (const channel of ['order', 'kyc'] as const)
      await register(room, merchant, { channel, path: `/${merchant.clientId}/${channel}` });
  const open = new Map<string, number>();
  let most = 0;
  const change = (path: string, by: number) => {
    open.set(path, (open.get(path) ?? 0) + by);
    most = Math.max(most, open.get(path) ?? 0);
  };
  room.receiver.behaviour = ({ path }) => {
    const afterMs = Math.random() * 5;
    change(path, 1);
    setTimeout(() => change(path, -1), afterMs);
    return { kind: 'answer', status: 200, afterMs };
  };
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
    async () => (await room.sql.query(`SELECT 1 FROM deliveries WHERE state = 'delivered'`)).rowCount === events,
    { withinMs: 60_000 },
  );
  expect(room.receiver.received.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual(ids.toSorted());
  expect(most).toBeLessThanOrEqual(4);
});
