/** A merchant's developer who has read the README and has a program that reads the OpenAPI document. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { type OpenApiDocument, valueFault } from '../harness/openapi-observer.js';
import { type Received, useReceiver } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { readText } from '../house/repository.js';
import { DocumentClient, type Facts } from './document-client.js';

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;
const running = useService(useTestDatabase());
const receiver = useReceiver();

/** The requests under First requests of the README, as operations of the document, up to the events. */
function stepsOf(client: DocumentClient): string[] {
  const [, section = ''] = readText('README.md').split('\n## First requests\n');
  const [own = ''] = section.split('\n## ');
  const commands = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, command = '']) => command);
  const steps = commands.map((command) => {
    const [, path = ''] = /http:\/\/127\.0\.0\.1:3000([^\s"'?]*)/.exec(command) ?? [];
    return client.operationAt(/curl [^|]* -d /.test(command) ? 'POST' : 'GET', path);
  });
  return steps.slice(0, steps.indexOf('listEvents') + 1);
}

/** What a reader takes from an answer for the requests that follow. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the service.
const learns: Readonly<Record<string, (answer: any) => Facts>> = {
  createUser: ({ id }) => ({ userId: id }),
  createRate: ({ code }) => ({ rateCode: code, code }),
  createBeneficiary: ({ id }) => ({ beneficiaryId: id }),
  createOrder: ({ id }) => ({ orderId: id, id }),
};

it('the OpenAPI document and the README lead from a token to a completed order and its signed notification', async () => {
  const client = new DocumentClient(document, running.service.url);
  const steps = stepsOf(client);
  expect(steps).toEqual([
    ...['createToken', 'createUser', 'listUsers', 'getUserDetails', 'createKycLink', 'getKycLevels'],
    ...['grantKycLevelInSandbox', 'createRate', 'createRate', 'getRate', 'createBeneficiary'],
    ...['createOrder', 'payInSandbox', 'getOrder', 'listEvents'],
  ]);
  client.token = (await client.call('createToken')).access_token;
  await client.call('setOrderNotificationUrl', { url: receiver.url });
  const { secret } = await client.call('rotateWebhookSecret');
  const answers = new Map<string, unknown>();
  for (const step of steps.slice(1)) {
    const answer = await (step === 'getOrder'
      ? eventually(async () => {
          const order = await client.call(step);
          return order.status === 'COMPLETED' ? order : undefined;
        })
      : client.call(step, step === 'listEvents' ? { channel: 'order' } : {}));
    answers.set(step, answer);
    Object.assign(client.facts, learns[step]?.(answer));
  }
  const order = answers.get('getOrder') as { id: string };
  expect(order).toMatchObject({ status: 'COMPLETED', amountReceived: 100, userId: client.facts.userId });
  const isCompleted = ({ body }: Received) => JSON.parse(body).type === 'order.completed';
  const notice = await eventually(() => receiver.received.find(isCompleted), { what: 'the notification' });
  const schema = '#/webhooks/order.completed/post/requestBody/content/application~1json/schema';
  expect(valueFault(document, schema, notice.body)).toBeUndefined();
  expect(JSON.parse(notice.body).data.object).toEqual(order);
  const { keys } = await client.call('getWebhookKeys', { clientId: 'demo' });
  expect(signaturesOf(notice, secret, keys[0].publicKey)).toEqual({ v1: true, v1a: true });
  expect(signaturesOf({ ...notice, body: `${notice.body} ` }, secret, keys[0].publicKey)).toEqual({
    ...{ v1: false, v1a: false },
  });
});

/** As the document describes signatures: over `id.timestamp.body`, with the base64 after `whsec_` and `whpk_`. */
function signaturesOf({ headers, body }: Received, secret: string, publicKey: string) {
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = new Map(
    String(headers['webhook-signature'])
      .split(' ')
      .map((signature) => signature.split(',') as [string, string]),
  );
  const bytes = (kind: string) => Buffer.from(signatures.get(kind) ?? '', 'base64');
  const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest();
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return {
    v1: bytes('v1').length === mac.length && timingSafeEqual(bytes('v1'), mac),
    v1a: verify(null, signed, key, bytes('v1a')),
  };
}
