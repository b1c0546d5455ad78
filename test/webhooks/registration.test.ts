/** POST and DELETE /merchant/webhook/order-notification and /kyc-notification, GET /merchant/webhook. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel, EventId } from '../../src/changes/event.js';
import { auditRows, tokenOf } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { newUser, told, userToken } from '../harness/users.js';
import { happen } from './happenings.js';
import { arrivalsOf, arrived, deliveryOf, pathOf, register, unregister, useNotifications } from './notifying.js';

const running = useNotifications();
const { sql, receiver } = running;
const overview = async () => (await running.api.get('/merchant/webhook', { token: running.acme.token })).json;

afterEach(async () => {
  await unregister(running, running.acme);
  receiver.behaviour = { kind: 'answer', status: 200 };
});

describe.each(['order', 'kyc'] as const)('POST /merchant/webhook/%s-notification', (channel) => {
  const path = pathOf(channel);
  const ask = (body: unknown, token = running.acme.token) => running.api.post(path, { token, body });

  it('200, empty: registers the url of its own channel only', async () => {
    const answer = await register(running, running.acme, { channel });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await overview()).endpoints).toEqual([
      {
        channel,
        url: `${receiver.url}/hook`,
        status: 'active',
        registeredAt: expect.any(String),
        traceparent: false,
        consecutiveFailures: 0,
      },
    ]);
  });

  it('400: names every fault of the url at once', async () => {
    const answer = await ask({ url: 'ftp://127.0.0.1/#x', more: 1 });
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors.map((fault: { field: string }) => fault.field).toSorted()).toEqual(['more', 'url']);
    expect(told(await ask({}))).toEqual([400, 'invalid_fields']);
    expect(told(await ask({ url: 7 }))).toEqual([400, 'invalid_fields']);
    expect(told(await ask({ url: running.service.url }))).toEqual([400, 'invalid_fields']);
  });

  it('401: without a token', async () => {
    expect(told(await running.api.post(path, { body: { url: receiver.url } }))).toEqual([401, 'unauthorized']);
  });

  it('403: with a user token, and with one that lacks the scope', async () => {
    const user = await newUser(running, running.acme);
    const ofUser = await userToken(running, running.acme, user);
    expect(told(await ask({ url: receiver.url }, ofUser))).toEqual([403, 'merchant_token_required']);
    const ofOther = await tokenOf(running, running.acme, { scope: 'users' });
    expect(told(await ask({ url: receiver.url }, ofOther))).toEqual([403, 'scope_missing']);
  });

  it('422: the same answer for an unknown name and for a private address', async () => {
    const missing = await ask({ url: 'http://nobody.invalid/hook' });
    const inside = await ask({ url: 'http://10.0.0.1/hook' });
    expect(told(missing)).toEqual([422, 'webhook_url_unreachable']);
    const { requestId: _, ...shown } = missing.json;
    const { requestId: __, ...shownInside } = inside.json;
    expect(shownInside).toEqual(shown);
    expect((await overview()).endpoints).toEqual([]);
    // The log tells them apart.
    const { merchant: merchantId } = running.acme;
    for (const told of [
      { host: 'nobody.invalid', reachability: 'name_not_found' },
      { host: '10.0.0.1', reachability: 'blocked_address' },
    ]) {
      expect(running.logText()).toContain(JSON.stringify({ merchantId, ...told }).slice(1, -1));
    }
  });

  it('422: a key that was used for another url', async () => {
    const key = `${channel}-key`;
    const url = `${receiver.url}/hook`;
    const once = await running.api.post(path, { token: running.acme.token, body: { url }, key });
    const again = await running.api.post(path, { token: running.acme.token, body: { url }, key });
    expect([once.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    const changed = { token: running.acme.token, body: { url: `${url}s` }, key };
    expect(told(await running.api.post(path, changed))).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('a second registration', () => {
  it('changes nothing with the same url', async () => {
    await register(running, running.acme);
    const before = await overview();
    const audited = (await auditRows(sql, 'webhook.%')).length;
    expect((await register(running, running.acme)).status).toBe(200);
    expect(await overview()).toEqual(before);
    expect(await auditRows(sql, 'webhook.%')).toHaveLength(audited);
  });

  it('turns the traceparent on and off with the same url, and leaves it as it is when nothing is said', async () => {
    const shown = async () => (await overview()).endpoints[0].traceparent;
    const set = async (body: object) =>
      (
        await running.api.post(pathOf('kyc'), {
          token: running.acme.token,
          body: { url: `${receiver.url}/hook`, ...body },
        })
      ).status;
    expect([await set({}), await shown()]).toEqual([200, false]);
    expect([await set({ traceparent: true }), await shown()]).toEqual([200, true]);
    expect([await set({}), await shown()]).toEqual([200, true]);
    expect((await auditRows(sql, 'webhook.traced')).length).toBe(1);
    expect([await set({ url: `${receiver.url}/other` }), await shown()]).toEqual([200, true]);
    expect([await set({ url: `${receiver.url}/other`, traceparent: false }), await shown()]).toEqual([200, false]);
    expect(await set({ traceparent: 'yes' })).toBe(400);
  });

  it('is good with the same url even when its host cannot be reached now', async () => {
    await register(running, running.acme);
    await sql.query(`UPDATE webhook_endpoints SET url = 'http://nobody.invalid/hook'`);
    expect((await register(running, running.acme, { url: 'http://nobody.invalid/hook' })).status).toBe(200);
  });

  it('replaces another url, and what is pending goes there', async () => {
    receiver.behaviour = ({ path }) => ({ kind: 'answer', status: path === '/old' ? 500 : 200 });
    await register(running, running.acme, { url: `${receiver.url}/old` });
    const eventId = await happen(running.service.database, running.acme);
    await arrived(running, eventId);
    await register(running, running.acme, { url: `${receiver.url}/new` });
    await deliveryOf(running, running.acme, eventId, 'delivered');
    expect(arrivalsOf(running, eventId).at(-1)?.path).toBe('/new');
    expect((await overview()).endpoints).toMatchObject([{ url: `${receiver.url}/new`, consecutiveFailures: 0 }]);
  });

  it('enables what was disabled with the same url, and what was held is sent', async () => {
    receiver.behaviour = { kind: 'answer', status: 410 };
    await register(running, running.acme);
    const eventId = await happen(running.service.database, running.acme);
    await deliveryOf(running, running.acme, eventId, 'held');
    await eventually(() => running.logText().includes('"disabledBecause":"gone"'));
    expect((await overview()).endpoints).toMatchObject([
      {
        status: 'disabled',
        disabledBecause: 'gone',
        disabledAt: expect.any(String),
        lastFailureAt: expect.any(String),
      },
    ]);
    receiver.behaviour = { kind: 'answer', status: 200 };
    await register(running, running.acme);
    await deliveryOf(running, running.acme, eventId, 'delivered');
    expect((await overview()).endpoints).toMatchObject([{ status: 'active' }]);
  });

  it('leaves one url after two requests at once', async () => {
    const answers = await Promise.all(
      ['/a', '/b', '/c', '/d'].map((path) => register(running, running.acme, { url: `${receiver.url}${path}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await overview()).endpoints).toHaveLength(1);
  });
});

describe('DELETE', () => {
  const isListed = (channel: Channel, eventId: EventId) =>
    eventually(async () => {
      const path = `/events?channel=${channel}&limit=1000`;
      const { json } = await running.api.get(path, { token: running.acme.token });
      return json.some(({ id }: { id: string }) => id === eventId);
    });

  it('200, empty: nothing is pushed any more, events are kept to pull', async () => {
    await register(running, running.acme);
    const answer = await running.api.call('DELETE', pathOf('kyc'), { token: running.acme.token });
    expect([answer.status, answer.text]).toEqual([200, '']);
    const eventId = await happen(running.service.database, running.acme);
    const later = await happen(running.service.database, running.acme, {
      channel: 'order',
      type: 'order.completed',
    });
    await isListed('kyc', eventId);
    // An event without a number would still go to the url that is registered now.
    await isListed('order', later);
    await register(running, running.acme, { channel: 'order' });
    expect([...arrivalsOf(running, eventId), ...arrivalsOf(running, later)]).toEqual([]);
  });

  it('200 also when nothing is registered; 403 with a user token', async () => {
    expect((await running.api.call('DELETE', pathOf('kyc'), { token: running.acme.token })).status).toBe(200);
    const token = await userToken(running, running.acme, await newUser(running, running.acme));
    expect(told(await running.api.call('DELETE', pathOf('kyc'), { token }))).toEqual([403, 'merchant_token_required']);
  });

  it('takes the rival’s url away no more than it sees it', async () => {
    await register(running, running.rival);
    await running.api.call('DELETE', pathOf('kyc'), { token: running.acme.token });
    const { endpoints } = (await running.api.get('/merchant/webhook', { token: running.rival.token })).json;
    expect(endpoints).toHaveLength(1);
    expect((await overview()).endpoints).toEqual([]);
    await unregister(running, running.rival);
  });
});

describe('GET /merchant/webhook', () => {
  it('200: both urls with their health, the key that signs, the secrets’ times and never a secret', async () => {
    await register(running, running.acme);
    await register(running, running.acme, { channel: 'order', url: `${receiver.url}/orders` });
    const eventId = await happen(running.service.database, running.acme);
    await deliveryOf(running, running.acme, eventId, 'delivered');
    const { clientId } = running.acme;
    const published = (await running.api.get(`/.well-known/webhook-keys/${clientId}`)).json;
    expect(await overview()).toEqual({
      endpoints: [
        {
          channel: 'order',
          url: `${receiver.url}/orders`,
          status: 'active',
          registeredAt: expect.any(String),
          traceparent: false,
          consecutiveFailures: 0,
        },
        {
          channel: 'kyc',
          url: `${receiver.url}/hook`,
          status: 'active',
          registeredAt: expect.any(String),
          traceparent: false,
          lastSuccessAt: expect.any(String),
          consecutiveFailures: 0,
        },
      ],
      keys: published.keys,
      secrets: [],
    });
  });

  it('401 without a token, 403 with a user token', async () => {
    expect(told(await running.api.get('/merchant/webhook'))).toEqual([401, 'unauthorized']);
    const token = await userToken(running, running.acme, await newUser(running, running.acme));
    expect(told(await running.api.get('/merchant/webhook', { token }))).toEqual([403, 'merchant_token_required']);
  });
});

it('every change of a url is audited, by its origin and without what may be secret in it', async () => {
  await register(running, running.acme, { url: `${receiver.url}/hook?token=secret` });
  await register(running, running.acme, { url: `${receiver.url}/other?token=secret` });
  await unregister(running, running.acme);
  const rows = (await auditRows(sql, 'webhook.%')).slice(-3);
  const actor = `merchant:${running.acme.merchant}`;
  const details = { channel: 'kyc', origin: receiver.url };
  expect(rows).toMatchObject([
    { actor, action: 'webhook.registered', subject: actor, details },
    { actor, action: 'webhook.replaced', subject: actor, details },
    { actor, action: 'webhook.deleted', subject: actor, details },
  ]);
  expect(JSON.stringify(rows)).not.toContain('secret');
});
