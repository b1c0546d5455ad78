/** Real events, pushed and pulled, held against the `webhooks` section and the schemas of the OpenAPI document. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { type OpenApiDocument, valueFault } from '../harness/openapi-observer.js';
import { useReceiver } from '../harness/receiver.js';
import { decide, moveClock, newLink, rejection, runJob, submitted, useKycService } from '../kyc/kyc-service.js';
import { cancel, lupita, placed, runExpiry, sender } from '../orders/orders.js';
import { drive } from '../orders/paid.js';
import { loaded, paid, reaches, TestPayouts } from '../orders/paid-orders.js';

interface Sent {
  readonly parameters: readonly { readonly name: string; readonly required?: boolean }[];
}
type Document = OpenApiDocument & { readonly webhooks: Readonly<Record<string, { readonly post: Sent }>> };

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Document;
const receiver = useReceiver();
const payouts = new TestPayouts();
const kyc = useKycService({}, () => ({ routes: [], jobs: [], payouts }));
const reasoned = { publicReason: 'other', internalReason: 'A test.' };

/** Brings cases and orders into every state that they can reach. */
async function makeEveryEvent(): Promise<void> {
  const { token } = kyc.acme;
  for (const channel of ['kyc', 'order']) {
    const body = { url: `${receiver.url}/hook` };
    await kyc.api.post(`/merchant/webhook/${channel}-notification`, { token, body });
  }
  await makeOrderEvents();
  await kyc.api.post('/merchant/webhook/test', { token, body: {} });
  const cases: string[] = [];
  for (const level of ['LEVEL_2', 'LEVEL_2', 'LEVEL_1'] as const) {
    cases.push((await submitted(kyc, { level })).caseId);
  }
  const [sentBack = '', rejected = '', approved = ''] = cases;
  const parts = { parts: ['selfie'], publicReasons: ['blurry'], internalReason: 'A test.' };
  await decide(kyc, sentBack, { decision: 'request', ...parts });
  await decide(kyc, rejected, rejection);
  await decide(kyc, approved, { decision: 'revoke', ...reasoned });
  const { user: renewing } = await submitted(kyc, { level: 'LEVEL_1' });
  await moveClock(kyc, kyc.acme, '710 days');
  await runJob(kyc, 'kyc.tell-expiring');
  await newLink(kyc, renewing);
  await moveClock(kyc, kyc.acme, '1 year');
  await runJob(kyc, 'kyc.expire');
  await changeSecrets();
}

/** A new secret is made, the one before ends with all tokens, and a restricted one is made. */
async function changeSecrets(): Promise<void> {
  const [path, admin] = ['/operator/merchants/acme', { token: kyc.admin }];
  const rotated = done(await kyc.api.post(`${path}/rotate-secret`, { ...admin, body: {} }));
  const { secrets } = done(await kyc.api.get(`${path}/secrets`, admin));
  done(await kyc.api.post(`${path}/secrets/${secrets[1].secretId}/end`, admin));
  const token = await tokenOf(kyc, rotated);
  const body = { currentSecret: rotated.clientSecret, name: 'Reports', scopes: ['orders.read'] };
  done(await kyc.api.post('/merchant/secrets', { token, body, headers: { 'idempotency-key': randomUUID() } }));
  Object.assign(kyc.acme, { token });
}

async function makeOrderEvents(): Promise<void> {
  const user = await sender(kyc);
  const [cancelled, expired] = [await placed(kyc, user), await placed(kyc, user)];
  const beneficiary = { ...lupita, account: { clabe: '002010077777777771' } };
  const { token } = kyc.acme;
  await kyc.api.post(`/orders/${expired.id}/beneficiary`, { token, body: { beneficiary } });
  await cancel(kyc, cancelled.id);
  const completed = await paid(kyc, { user });
  await reaches(kyc, completed, 'PAYOUT_SUBMITTED');
  await drive(kyc, await loaded(kyc, completed), 'complete', 'record_loss', 'record_paid_twice', 'return');
  const failed = await paid(kyc, { user });
  await reaches(kyc, failed, 'PAYOUT_SUBMITTED');
  const refunding = ['refund', 'update_refund', 'settle_refund', 'fail_refund'] as const;
  await drive(kyc, await loaded(kyc, failed), 'fail_payout', ...refunding);
  await payPartAndLate(await placed(kyc, user));
  await makeReviewEvents();
  await moveClock(kyc, kyc.acme, '96 hours');
  await runExpiry(kyc);
}

/** The rest comes after the rate was guaranteed. */
async function payPartAndLate({ id: orderId }: { readonly id: string }): Promise<void> {
  const bookedAt = new Date(Date.now() + 30 * 3_600_000).toISOString();
  for (const paidIn of [{ amount: 1 }, { bookedAt }]) {
    const body = { orderId, ...paidIn };
    done(await kyc.api.post('/sandbox/payments', { token: kyc.acme.token, body }));
  }
}

/** An order whose beneficiary is on the list: reviewed, asked about, to be cancelled, and refused. */
async function makeReviewEvents(): Promise<void> {
  const id = await paid(kyc, {
    body: { beneficiary: { ...lupita, firstName: 'Iris', lastName: 'Blokwell' } },
  });
  await reaches(kyc, id, 'IN_REVIEW');
  const operate = (verb: string, body: object) =>
    kyc.api.post(`/operator/orders/${id}/${verb}`, {
      token: kyc.reviewer,
      body: { note: 'A test.', ...body },
    });
  await operate('request-information', { items: ['purpose', 'relationship'] });
  for (const code of ['purpose', 'relationship']) {
    const answers = [{ code, answer: 'A gift to my sister.' }];
    await kyc.api.post(`/orders/${id}/information`, { token: kyc.acme.token, body: { answers } });
  }
  await cancel(kyc, id);
  const { json } = await kyc.api.get(`/operator/orders/${id}/review`, { token: kyc.reviewer });
  await operate('refuse', { reason: 'other', version: json.version });
  await reaches(kyc, id, 'REFUND_PENDING');
}

it('every type of event has an entry in `webhooks`, and what is delivered and listed fits its schema', async () => {
  await makeEveryEvent();
  const documented = Object.keys(document.webhooks).sort();
  const typesSeen = () => [...new Set(receiver.received.map(({ body }) => JSON.parse(body).type))].sort();
  await eventually(() => typesSeen().length >= documented.length || undefined, {
    withinMs: 40_000,
    what: 'an event of every type',
  });
  expect(typesSeen()).toEqual(documented);
  for (const { body, headers } of receiver.received) {
    const { type } = JSON.parse(body);
    const at = `#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    expect([type, valueFault(document, at, body)]).toEqual([type, undefined]);
    expect([type, valueFault(document, '#/components/schemas/Notification', body)]).toEqual([type, undefined]);
    const wanted = (document.webhooks[type]?.post.parameters ?? []).filter(({ required }) => required);
    expect(wanted.map(({ name, required }) => [name, required, typeof headers[name]])).toEqual(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, true, 'string']),
    );
  }
  const list = '#/paths/~1events/get/responses/200/content/application~1json/schema';
  const listed = new Set<string>(['webhook.test']);
  for (const channel of ['kyc', 'order']) {
    const { text, json } = await kyc.api.get(`/events?channel=${channel}`, { token: kyc.acme.token });
    expect(valueFault(document, list, text)).toBeUndefined();
    for (const { type } of json) listed.add(type);
  }
  expect([...listed].sort()).toEqual(documented);
});

it('an event that has the type of another does not fit', () => {
  const [example] = (document as unknown as { components: { schemas: Record<string, { examples: object[] }> } })
    .components.schemas.KycApprovedNotification?.examples ?? [{}];
  const at = '#/components/schemas/Notification';
  expect(valueFault(document, at, JSON.stringify(example))).toBeUndefined();
  expect(valueFault(document, at, JSON.stringify({ ...example, type: 'kyc.rejected' }))).toContain('must');
  expect(valueFault(document, at, JSON.stringify({ ...example, type: 'order.paid' }))).toContain('must');
});
