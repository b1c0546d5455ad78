/** Which notifications the client takes for genuine. The signatures are made by the reference libraries. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { unwrap } from '../../packages/client/src/index.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = JSON.stringify({ type: 'order.completed', timestamp: '2026-11-15T09:30:00.000Z', data: { object: {} } });
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const writtenKey = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;

function headersOf({ by = secret, at = new Date(), of = body } = {}) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, of),
  };
}

function headersOfKey(at = new Date()) {
  const sentAt = String(Math.floor(at.getTime() / 1000));
  const signature = sign(null, Buffer.from(`evt_1.${sentAt}.${body}`), privateKey).toString('base64');
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': sentAt, 'webhook-signature': `v1,bm8= v1a,${signature}` };
}

it('takes a notification that the secret or the public key has signed, as text, as bytes and with headers of fetch', async () => {
  const taken = { id: 'evt_1', type: 'order.completed' };
  expect(await unwrap({ headers: headersOf(), body }, { secrets: [secret] })).toMatchObject(taken);
  const bytes = new TextEncoder().encode(body);
  expect(await unwrap({ headers: new Headers(headersOf()), body: bytes }, { secrets: [secret] })).toMatchObject(taken);
  expect(await unwrap({ headers: headersOfKey(), body }, { publicKeys: [writtenKey] })).toMatchObject(taken);
});

it('takes both secrets during a rotation', async () => {
  const secrets = [otherSecret, secret];
  expect(await unwrap({ headers: headersOf(), body }, { secrets })).toMatchObject({ id: 'evt_1' });
});

it.each([
  ['another secret has signed it', { headers: headersOf({ by: otherSecret }), body }],
  ['one byte of the body was changed', { headers: headersOf(), body: body.replace('completed', 'compleded') }],
  ['it was signed six minutes ago', { headers: headersOf({ at: new Date(Date.now() - 360_000) }), body }],
  ['it was signed in six minutes', { headers: headersOf({ at: new Date(Date.now() + 360_000) }), body }],
  ['its time is no number', { headers: { ...headersOf(), 'webhook-timestamp': 'now' }, body }],
  ['its id is another one', { headers: { ...headersOf(), 'webhook-id': 'evt_2' }, body }],
  ['its signature is not base64', { headers: { ...headersOf(), 'webhook-signature': 'v1,***' }, body }],
  ['it has no signature', { headers: { 'webhook-id': 'evt_1' }, body }],
])('refuses a notification when %s', async (_, request) => {
  await expect(unwrap(request, { secrets: [secret] })).rejects.toThrow(
    expect.objectContaining({ name: 'WebhookRefused' }),
  );
});

it('refuses a signature of the public key where only a secret is known', async () => {
  await expect(unwrap({ headers: headersOfKey(), body }, { secrets: [secret] })).rejects.toThrow('No signature');
});
