/** /operator/webhooks: what operators see and do of the notifications of all merchants. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { emptyLog, happen } from './happenings.js';
import { arrived, deliveryOf, register, unregister, useNotifications } from './notifying.js';

const running = useNotifications();
const { sql, receiver } = running;
const get = (path: string, token = running.viewer) => running.api.get(`/operator/webhooks${path}`, { token });
const post = (path: string, token = running.reviewer) => running.api.post(`/operator/webhooks${path}`, { token });
const happens = (change = {}, merchant = running.acme) => happen(running.service.database, merchant, change);

beforeEach(async () => {
  await emptyLog(sql);
  await sql.query('TRUNCATE deliveries, delivery_attempts');
  receiver.received.splice(0);
});
afterEach(async () => {
  receiver.behaviour = { kind: 'answer', status: 200 };
  await unregister(running, running.acme);
  await unregister(running, running.rival);
});

describe('GET /operator/webhooks', () => {
  it('200: every merchant’s urls with their health and what waits there', async () => {
    await register(running, running.acme);
    await register(running, running.rival, { channel: 'order' });
    receiver.behaviour = { kind: 'answer', status: 500 };
    await happens();
    await eventually(async () => (await get('')).json[0].consecutiveFailures === 1);
    expect((await get('')).json).toEqual([
      {
        clientId: 'acme',
        channel: 'kyc',
        url: `${receiver.url}/hook`,
        status: 'active',
        registeredAt: expect.any(String),
        traceparent: false,
        lastFailureAt: expect.any(String),
        consecutiveFailures: 1,
        failingSince: expect.any(String),
        lanes: 4,
        pending: 1,
        oldestDueAt: expect.any(String),
      },
      {
        clientId: 'rival',
        channel: 'order',
        url: `${receiver.url}/hook`,
        status: 'active',
        registeredAt: expect.any(String),
        traceparent: false,
        consecutiveFailures: 0,
        lanes: 4,
        pending: 0,
      },
    ]);
  });

  it('200: filtered by status and merchant, in pages', async () => {
    for (const merchant of [running.acme, running.rival])
      for (const channel of ['order', 'kyc'] as const) await register(running, merchant, { channel });
    await sql.query(
      `UPDATE webhook_endpoints SET status = 'disabled', disabled_because = 'failing', disabled_at = statement_timestamp()
        WHERE merchant_id = $1 AND channel = 'kyc'`,
      [running.rival.merchant],
    );
    const named = (endpoints: { clientId: string; channel: string }[]) =>
      endpoints.map(({ clientId, channel }) => `${clientId} ${channel}`);
    expect(named((await get('?status=disabled')).json)).toEqual(['rival kyc']);
    expect(named((await get('?clientId=rival&status=active')).json)).toEqual(['rival order']);
    const seen: string[] = [];
    let path: string | undefined = '?limit=3';
    while (path !== undefined) {
      const answer = await get(path);
      seen.push(...named(answer.json));
      path = /^<\/operator\/webhooks([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(['acme kyc', 'acme order', 'rival kyc', 'rival order']);
  });

  it('400, 401, 404', async () => {
    expect(told(await get('?after=x'))).toEqual([400, 'invalid_fields']);
    expect(told(await running.api.get('/operator/webhooks'))).toEqual([401, 'unauthorized']);
    expect(told(await get('', running.acme.token))).toEqual([401, 'unauthorized']);
    expect(told(await get('?clientId=nobody'))).toEqual([404, 'merchant_not_found']);
  });
});

describe('GET /operator/webhooks/{clientId}/{channel}/events', () => {
  it('200: what became of each event, and only those in one state', async () => {
    await register(running, running.acme);
    receiver.behaviour = ({ body }) => ({ kind: 'answer', status: body.includes('GOOD') ? 200 : 500 });
    const good = await happens({ object: { status: 'GOOD' } });
    const lost = await happens({ subject: 'kyc_lost' });
    const waiting = await happens({ subject: 'kyc_waiting' });
    await deliveryOf(running, running.acme, good, 'delivered');
    await eventually(async () => (await sql.query('SELECT 1 FROM delivery_attempts')).rowCount === 3);
    await sql.query(`UPDATE deliveries SET state = 'exhausted' WHERE event_id = $1`, [lost]);
    const all = (await get('/acme/kyc/events')).json;
    expect(all.map((event: { delivery: { state: string } }) => event.delivery.state)).toEqual([
      'delivered',
      'exhausted',
      'pending',
    ]);
    expect((await get('/acme/kyc/events?state=exhausted')).json).toEqual([
      {
        id: lost,
        type: 'kyc.submitted',
        subject: 'kyc_lost',
        timestamp: expect.any(String),
        sequence: 2,
        delivery: { state: 'exhausted', attempts: 1 },
      },
    ]);
    expect((await get('/acme/kyc/events?state=pending')).json).toMatchObject([{ id: waiting, sequence: 3 }]);
    expect((await get('/acme/kyc/events?state=delivered')).json).toMatchObject([{ id: good }]);
    expect((await get('/acme/kyc/events?state=held')).json).toEqual([]);
    const page = await get('/acme/kyc/events?limit=2');
    expect([page.json.length, page.headers.get('link')]).toEqual([
      2,
      '</operator/webhooks/acme/kyc/events?after=2&limit=2>; rel="next"',
    ]);
    expect((await get('/rival/kyc/events')).json).toEqual([]);
  });

  it('200: what waits for a disabled url is held, and not pending', async () => {
    await register(running, running.acme);
    receiver.behaviour = { kind: 'answer', status: 410 };
    const held = await happens();
    await deliveryOf(running, running.acme, held, 'held');
    const listed = { id: held, delivery: { state: 'held' } };
    expect((await get('/acme/kyc/events?state=held')).json).toMatchObject([listed]);
    expect((await get('/acme/kyc/events?state=pending')).json).toEqual([]);
  });

  it('400, 404', async () => {
    expect(told(await get('/acme/rates/events'))).toEqual([400, 'invalid_fields']);
    expect(told(await get('/nobody/kyc/events'))).toEqual([404, 'merchant_not_found']);
  });
});

describe('GET /operator/webhooks/{clientId}/events/{id}/attempts', () => {
  it('200: with the beginning of what was answered, in bounds', async () => {
    await register(running, running.acme);
    receiver.behaviour = { kind: 'endless-body' };
    const eventId = await happens();
    await arrived(running, eventId);
    const [attempt] = await eventually(async () => {
      const { json } = await get(`/acme/events/${eventId}/attempts`);
      return json.length > 0 && json;
    });
    expect(attempt).toMatchObject({ attempt: 1, url: `${receiver.url}/hook`, answerStart: 'x'.repeat(1024) });
  });

  it('404: another merchant’s event, an unknown merchant', async () => {
    const eventId = await happens();
    expect(told(await get(`/rival/events/${eventId}/attempts`))).toEqual([404, 'event_not_found']);
    expect(told(await get(`/nobody/events/${eventId}/attempts`))).toEqual([404, 'merchant_not_found']);
  });
});

describe('POST /operator/webhooks/{clientId}/events/{id}/redeliver', () => {
  it('200: sends it again, by a reviewer, and is audited', async () => {
    await register(running, running.acme);
    const eventId = await happens();
    await deliveryOf(running, running.acme, eventId, 'delivered');
    expect((await post(`/acme/events/${eventId}/redeliver`)).status).toBe(200);
    await arrived(running, eventId, 2);
    const audited = (await auditRows(sql, 'webhook.redelivered')).at(-1);
    expect(audited?.actor).toMatch(/^operator:/);
    expect(audited?.subject).toBe(`event:${eventId}`);
  });

  it('200: once for a repeated key, which is stored with the merchant', async () => {
    await register(running, running.acme);
    const eventId = await happens();
    await deliveryOf(running, running.acme, eventId, 'delivered');
    const path = `/operator/webhooks/acme/events/${eventId}/redeliver`;
    const ask = () => running.api.post(path, { token: running.reviewer, key: 'again' });
    const before = (await auditRows(sql, 'webhook.redelivered')).length;
    const answers = [await ask(), await ask()];
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await auditRows(sql, 'webhook.redelivered')).toHaveLength(before + 1);
    const { rows } = await sql.query('SELECT merchant_id::int AS owner FROM idempotency_keys');
    expect(rows).toEqual([{ owner: running.acme.merchant }]);
  });

  it('403: a viewer may not; 404: another merchant’s event; 409: no url', async () => {
    const eventId = await happens();
    await eventually(async () => (await sql.query('SELECT 1 FROM events WHERE sequence = 1')).rowCount === 1);
    expect(told(await post(`/acme/events/${eventId}/redeliver`, running.viewer))).toEqual([403, 'role_missing']);
    expect(told(await post(`/rival/events/${eventId}/redeliver`))).toEqual([404, 'event_not_found']);
    expect(told(await post(`/acme/events/${eventId}/redeliver`))).toEqual([409, 'webhook_not_registered']);
  });
});

describe('POST /operator/webhooks/{clientId}/{channel}/enable', () => {
  it('200: sends what was held, and is audited', async () => {
    await register(running, running.acme);
    receiver.behaviour = { kind: 'answer', status: 410 };
    const eventId = await happens();
    await deliveryOf(running, running.acme, eventId, 'held');
    receiver.behaviour = { kind: 'answer', status: 200 };
    expect((await post('/acme/kyc/enable')).status).toBe(200);
    await deliveryOf(running, running.acme, eventId, 'delivered');
    expect((await auditRows(sql, 'webhook.enabled')).at(-1)?.actor).toMatch(/^operator:/);
    expect((await post('/acme/kyc/enable')).status).toBe(200);
  });

  it('403, 404, 409', async () => {
    expect(told(await post('/acme/kyc/enable', running.viewer))).toEqual([403, 'role_missing']);
    expect(told(await post('/nobody/kyc/enable'))).toEqual([404, 'merchant_not_found']);
    expect(told(await post('/acme/kyc/enable'))).toEqual([409, 'webhook_not_registered']);
  });
});
