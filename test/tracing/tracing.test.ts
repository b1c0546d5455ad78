/** Traces as a collector gets them: from a request to the webhook that it caused. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { endTracing } from '../../src/tracing/tracing.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { root } from '../harness/programs.js';
import { useReceiver } from '../harness/receiver.js';
import { useRemesa } from '../harness/remesa.js';
import { placed, sender } from '../orders/orders.js';
import { type Recorded, recordSpans } from './recorder.js';

const running = useRemesa({ hasRates: true, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const receiver = useReceiver();
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const person = {
  ...{ firstName: 'Zebulon', lastName: 'Quarterman', email: 'zebulon@quarterman.example' },
  ...{ address: '12 Quarterman Lane', city: 'Zebulonia', stateProvince: 'Quartermanshire', postalCode: '46001' },
};

const recorded = recordSpans();
afterAll(recorded.stop);

const named = (name: string) => recorded.ended.filter((span) => span.name === name);
const parentOf = ({ parentId }: Recorded) => recorded.ended.find(({ spanId }) => spanId === parentId);

it('a request continues the trace of its caller, and its delivery links back to it', async () => {
  const { token } = running.acme;
  done(await running.api.post('/merchant/webhook/kyc-notification', { token, body: { url: `${receiver.url}/kyc` } }));
  const { id } = done(await running.api.post('/user', { token, body: { ...person, countryCode: 'ES' } }));
  const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` };
  const body = { kycLevel: 'LEVEL_1', zone: 'EEA' };
  done(await running.api.post(`/kyc/links?userId=${id}`, { token, body, headers }));
  await eventually(async () => named('deliver').length > 0 && named('POST /kyc/links').length > 0);

  const [request] = named('POST /kyc/links');
  expect(request).toMatchObject({
    traceId: caller.traceId,
    parentId: caller.spanId,
    attributes: { 'http.response.status_code': 200, 'remesa.operation': 'createKycLink' },
  });
  const statements = recorded.ended.filter(({ traceId }) => traceId === caller.traceId);
  const [change] = statements.filter(({ name }) => name === 'changes.insert');
  expect(change && parentOf(change)).toMatchObject({ name: 'command', parentId: request?.spanId });
  const [delivery] = named('deliver');
  expect(delivery?.attributes).toMatchObject({ 'remesa.event.type': 'kyc.pending', 'http.response.status_code': 200 });
  expect(delivery?.traceId).not.toBe(caller.traceId);
  expect(delivery?.links).toMatchObject([{ context: { traceId: caller.traceId } }]);
  expect(named('webhooks.deliver').length + named('changes.number').length).toBeGreaterThan(0);
});

/** The outermost span of the trace. */
function rootOf(traceId: string): Recorded | undefined {
  const spans = recorded.ended.filter((span) => span.traceId === traceId);
  return spans.find(({ parentId }) => !spans.some(({ spanId }) => spanId === parentId));
}

it('each notification of an order links to the request or job that caused it, as the guide shows, and the merchant who asked for it continues its trace', async () => {
  const { token } = running.acme;
  const url = `${receiver.url}/order`;
  const register = (body: object) => running.api.post('/merchant/webhook/order-notification', { token, body });
  done(await register({ url, traceparent: true }));
  const order = await placed(running, await sender(running));
  done(await running.api.post('/sandbox/payments', { token, body: { orderId: order.id, amount: 100 } }));
  const arrived = await eventually(
    () => {
      const all = receiver.received.filter(({ path, body }) => path === '/order' && body.includes(order.id));
      return all.some(({ body }) => JSON.parse(body).type === 'order.completed') ? all : undefined;
    },
    { withinMs: 30_000, what: 'the last notification' },
  );
  await eventually(() => named('deliver').filter(({ attributes }) => isOfOrder(attributes)).length === arrived.length);

  const deliveries = named('deliver').filter(({ attributes }) => isOfOrder(attributes));
  const picture = deliveries.map(({ attributes, links }) => {
    const cause = rootOf(links[0]?.context.traceId ?? '');
    return `${attributes['remesa.event.type']} ──links to──▶ ${cause?.name}`;
  });
  expect(picture).toEqual([
    'order.awaiting_payment ──links to──▶ POST /orders',
    'order.payment_received ──links to──▶ POST /sandbox/payments',
    'order.converted ──links to──▶ orders.advance',
    'order.payout_submitted ──links to──▶ orders.advance',
    'order.completed ──links to──▶ payouts.send',
  ]);
  const guide = readFileSync(join(root, 'docs/running.md'), 'utf8');
  for (const line of picture) expect(guide).toContain(line);
  for (const { headers } of arrived) {
    const sent = deliveries.find(({ attributes }) => attributes['remesa.event.id'] === headers['webhook-id']);
    expect(headers.traceparent).toBe(`00-${sent?.traceId}-${sent?.spanId}-01`);
  }
  // The url of KYC cases was set without it.
  expect(receiver.received.filter(({ path, headers }) => path === '/kyc' && headers.traceparent)).toEqual([]);
});

const isOfOrder = (attributes: Recorded['attributes']) => String(attributes['remesa.event.type']).startsWith('order.');

it('no span has personal data, also when a request is refused', async () => {
  const { token } = running.acme;
  const body = { ...person, countryCode: 'Quarterman' };
  expect((await running.api.post('/user', { token, body })).status).toBe(400);
  await eventually(async () => named('POST /user').length > 1);
  const text = JSON.stringify(recorded.ended);
  for (const value of Object.values(person)) expect(text).not.toContain(value);
});

it('an SDK sends what waits before the process ends', async () => {
  expect(recorded.wasShutDown()).toBe(false);
  await endTracing();
  expect(recorded.wasShutDown()).toBe(true);
});
