/** GET /events, /events/{id}, /events/{id}/attempts, POST /events/{id}/redeliver, POST /merchant/webhook/test. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventId } from '../../src/changes/event.js';
import { auditRows, tokenOf } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { newUser, told, userToken } from '../harness/users.js';
import { emptyLog, happen } from './happenings.js';
import { arrivalsOf, arrived, deliveryOf, makeDue, register, unregister, useNotifications } from './notifying.js';

const running = useNotifications();
const { sql, receiver } = running;
const get = (path: string, token = running.acme.token) => running.api.get(path, { token });
const post = (path: string, body?: unknown, token = running.acme.token) =>
  running.api.post(path, { token, ...(body === undefined ? {} : { body }) });
const happens = (change = {}) => happen(running.service.database, running.acme, change);
const unknown = 'evt_00000000000000000000000000';

beforeEach(async () => {
  await emptyLog(sql);
  await sql.query('TRUNCATE deliveries, delivery_attempts');
  receiver.received.splice(0);
});
afterEach(async () => {
  receiver.behaviour = { kind: 'answer', status: 200 };
  await unregister(running, running.acme);
});

/** Once they are numbered. */
async function listed(query: string, count: number) {
  return eventually(async () => {
    const answer = await get(`/events?${query}`);
    return answer.json.length === count ? answer : undefined;
  });
}

describe('GET /events', () => {
  it('200: what would have been pushed, in order, with the id that the header has', async () => {
    const first = await happens();
    const second = await happens({ type: 'kyc.approved', object: { amount: 1.1 }, previousStatus: null });
    await happens({ channel: 'order', type: 'order.completed' });
    const { json, headers } = await listed('channel=kyc', 2);
    expect(json).toEqual([
      {
        id: first,
        channel: 'kyc',
        type: 'kyc.submitted',
        timestamp: expect.any(String),
        data: {
          object: { id: 'kyc_00000000000000000000000001', status: 'SUBMITTED' },
          previousStatus: 'PENDING',
          sequence: 1,
        },
      },
      {
        id: second,
        channel: 'kyc',
        type: 'kyc.approved',
        timestamp: expect.any(String),
        data: { object: { amount: 1.1 }, previousStatus: null, sequence: 2 },
      },
    ]);
    expect(headers.get('link')).toBeNull();
    expect((await listed('channel=order', 1)).json).toMatchObject([{ channel: 'order', data: { sequence: 1 } }]);
  });

  it('is the twin of the push: the same type, time and data', async () => {
    await register(running, running.acme);
    const eventId = await happens({ object: { name: 'Núñez', amount: 0.1 } });
    const [received] = await arrived(running, eventId);
    const [{ id, channel, ...pulled }] = (await listed('channel=kyc', 1)).json;
    expect([id, channel]).toEqual([eventId, 'kyc']);
    expect(pulled).toEqual(JSON.parse(received?.body ?? ''));
  });

  it('200: pages by sequence, and names the next in Link', async () => {
    for (let index = 0; index < 5; index += 1) await happens();
    await listed('channel=kyc', 5);
    const sequences: number[] = [];
    let path: string | undefined = '/events?channel=kyc&limit=2';
    while (path !== undefined) {
      const answer = await get(path);
      sequences.push(...answer.json.map((event: { data: { sequence: number } }) => event.data.sequence));
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    expect((await get('/events?channel=kyc&after=3')).json).toHaveLength(2);
  });

  it('200: another merchant’s are not among them', async () => {
    await happens();
    await listed('channel=kyc', 1);
    expect((await get('/events?channel=kyc', running.rival.token)).json).toEqual([]);
  });

  it('400: without a channel, with one that is not there, with limits that are not right', async () => {
    for (const query of [
      '',
      'channel=rates',
      'channel=kyc&limit=0',
      'channel=kyc&limit=1001',
      'channel=kyc&after=x',
      'channel=kyc&after=99999999999999999999',
      'channel=kyc&after=9007199254740993',
    ]) {
      expect(told(await get(`/events?${query}`))).toEqual([400, 'invalid_fields']);
    }
  });
});

describe('GET /events/{id}', () => {
  it('200: without a delivery when no url was registered', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    const { json } = await get(`/events/${eventId}`);
    expect(json).toMatchObject({ id: eventId, channel: 'kyc', data: { sequence: 1 } });
    expect(json).not.toHaveProperty('delivery');
  });

  it('200: what became of its delivery, at each state', async () => {
    await register(running, running.acme);
    receiver.behaviour = { kind: 'answer', status: 500 };
    const eventId = await happens();
    await eventually(async () => (await get(`/events/${eventId}`)).json.delivery?.attempts === 1);
    expect((await get(`/events/${eventId}`)).json.delivery).toEqual({
      state: 'pending',
      attempts: 1,
      nextAttemptAt: expect.any(String),
    });
    receiver.behaviour = { kind: 'answer', status: 200 };
    await makeDue(running);
    expect(await deliveryOf(running, running.acme, eventId, 'delivered')).toEqual({
      state: 'delivered',
      attempts: 2,
      deliveredAt: expect.any(String),
    });
  });

  it('404: unknown, another merchant’s, no id at all: one answer', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    for (const answer of [
      await get(`/events/${unknown}`),
      await get('/events/nonsense'),
      await get(`/events/${eventId}`, running.rival.token),
    ]) {
      expect(told(answer)).toEqual([404, 'event_not_found']);
    }
  });
});

describe('GET /events/{id}/attempts', () => {
  it('200: each attempt, without what was answered', async () => {
    await register(running, running.acme);
    receiver.behaviour = { kind: 'answer', status: 503, headers: { 'x-secret': 'inside' }, body: 'inside' };
    const eventId = await happens();
    await eventually(async () => (await get(`/events/${eventId}/attempts`)).json.length === 1);
    receiver.behaviour = { kind: 'answer', status: 200 };
    await makeDue(running);
    await deliveryOf(running, running.acme, eventId, 'delivered');
    const url = `${receiver.url}/hook`;
    const shown = { startedAt: expect.any(String), durationMs: expect.any(Number), url };
    const { rows } = await sql.query('SELECT answer_start FROM delivery_attempts WHERE status = 503');
    expect(rows).toEqual([{ answer_start: Buffer.from('inside') }]);
    expect((await get(`/events/${eventId}/attempts`)).json).toEqual([
      { attempt: 1, ...shown, outcome: 'refused_status', status: 503 },
      { attempt: 2, ...shown, outcome: 'delivered', status: 200 },
    ]);
  });

  it('404: unknown and another merchant’s', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    expect(told(await get(`/events/${unknown}/attempts`))).toEqual([404, 'event_not_found']);
    expect(told(await get(`/events/${eventId}/attempts`, running.rival.token))).toEqual([404, 'event_not_found']);
  });
});

describe('POST /events/{id}/redeliver', () => {
  it('200, empty: sends the same bytes again under the same id, and is audited', async () => {
    await register(running, running.acme);
    const eventId = await happens();
    await deliveryOf(running, running.acme, eventId, 'delivered');
    const answer = await post(`/events/${eventId}/redeliver`);
    expect([answer.status, answer.text]).toEqual([200, '']);
    const [first, second] = await arrived(running, eventId, 2);
    expect(second?.body).toBe(first?.body);
    await eventually(async () => (await get(`/events/${eventId}/attempts`)).json.length === 2);
    expect((await auditRows(sql, 'webhook.redelivered')).at(-1)).toMatchObject({
      actor: `merchant:${running.acme.merchant}`,
      subject: `event:${eventId}`,
    });
  });

  it('200: also what happened before there was a url', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    await register(running, running.acme);
    expect(arrivalsOf(running, eventId)).toEqual([]);
    expect((await post(`/events/${eventId}/redeliver`)).status).toBe(200);
    await deliveryOf(running, running.acme, eventId, 'delivered');
  });

  it('404: unknown and another merchant’s', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    expect(told(await post(`/events/${unknown}/redeliver`))).toEqual([404, 'event_not_found']);
    const foreign = await post(`/events/${eventId}/redeliver`, undefined, running.rival.token);
    expect(told(foreign)).toEqual([404, 'event_not_found']);
  });

  it('409: without a url, with a disabled one, and when the object is gone', async () => {
    const eventId = await happens();
    await listed('channel=kyc', 1);
    const redelivering = () => post(`/events/${eventId}/redeliver`);
    const missing = await redelivering();
    expect(told(missing)).toEqual([409, 'webhook_not_registered']);
    expect(missing.json.channel).toBe('kyc');
    await register(running, running.acme);
    await sql.query('UPDATE changes SET object = NULL');
    expect(told(await redelivering())).toEqual([409, 'event_object_gone']);
    await sql.query(
      `UPDATE webhook_endpoints SET status = 'disabled', disabled_because = 'failing', disabled_at = statement_timestamp()`,
    );
    const disabled = await redelivering();
    expect(told(disabled)).toEqual([409, 'webhook_disabled']);
    expect(disabled.json.disabledBecause).toBe('failing');
  });
});

describe('POST /merchant/webhook/test', () => {
  it('200: an event without a sequence to each channel, which GET /events does not list', async () => {
    await register(running, running.acme);
    await register(running, running.acme, { channel: 'order', url: `${receiver.url}/orders` });
    const { status, json } = await post('/merchant/webhook/test', {});
    expect([status, json.events.length]).toEqual([200, 2]);
    for (const { id, channel } of json.events as { id: EventId; channel: string }[]) {
      const [received] = await arrived(running, id);
      expect([received?.path, JSON.parse(received?.body ?? '')]).toEqual([
        channel === 'kyc' ? '/hook' : '/orders',
        {
          type: 'webhook.test',
          timestamp: expect.any(String),
          data: {
            object: { channel, message: 'Your endpoint is reached.' },
            previousStatus: null,
            sequence: null,
          },
        },
      ]);
      await deliveryOf(running, running.acme, id, 'delivered');
    }
    expect((await get('/events?channel=kyc')).json).toEqual([]);
    const numbered = await happens();
    await deliveryOf(running, running.acme, numbered, 'delivered');
    expect((await get(`/events/${numbered}`)).json.data.sequence).toBe(1);
  });

  it.each([
    ['to one channel', { channel: 'kyc' }],
    ['to what is registered, if no channel is named', {}],
  ])('200: %s', async (_, body) => {
    await register(running, running.acme);
    const { json } = await post('/merchant/webhook/test', body);
    expect(json.events).toEqual([{ id: expect.stringMatching(/^evt_/), channel: 'kyc' }]);
  });

  it('400, 401, 403, 409', async () => {
    expect(told(await post('/merchant/webhook/test', { channel: 'rates' }))).toEqual([400, 'invalid_fields']);
    expect(told(await running.api.post('/merchant/webhook/test', { body: {} }))).toEqual([401, 'unauthorized']);
    for (const body of [{ channel: 'kyc' }, {}]) {
      expect(told(await post('/merchant/webhook/test', body))).toEqual([409, 'webhook_not_registered']);
    }
  });
});

it('403: none of these paths is open to a user token, nor to one without the scope', async () => {
  const ofUser = await userToken(running, running.acme, await newUser(running, running.acme));
  const withoutScope = await tokenOf(running, running.acme, { scope: 'kyc' });
  const calls: [string, string, unknown?][] = [
    ['GET', '/events?channel=kyc'],
    ['GET', `/events/${unknown}`],
    ['GET', `/events/${unknown}/attempts`],
    ['POST', `/events/${unknown}/redeliver`],
    ['POST', '/merchant/webhook/test', {}],
  ];
  for (const [method, path, body] of calls) {
    const ask = (token: string) => running.api.call(method, path, { token, ...(body ? { body } : {}) });
    expect(told(await ask(ofUser))).toEqual([403, 'merchant_token_required']);
    expect(told(await ask(withoutScope))).toEqual([403, 'scope_missing']);
    expect(told(await running.api.call(method, path, body ? { body } : {}))).toEqual([401, 'unauthorized']);
  }
});
