import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { notificationBody } from '../../src/webhooks/event.js';
import { signatureHeaders, writtenPublicKey, writtenSecret } from '../../src/webhooks/signing/signature.js';
import { MerchantSigningKeys } from '../../src/webhooks/signing/signing-keys.js';
import { verifiesAsymmetric } from './verifying.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const oldSecret = randomBytes(32);
const newSecret = randomBytes(32);
const eventId = 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW';

function signed(body: Buffer, secrets: Buffer[] = [newSecret, oldSecret], at = new Date()) {
  return signatureHeaders({ privateKey, secrets }, eventId, at, body);
}

const verifiers = [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
] as const;

/** Objects with words in any script, and everything that JSON has a way to write. */
const anyObject = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Núñez', 'محمد', '王小明', 'Ольга', '🙂', 'a.b', '', '\u2028', '"\\', '\u0000'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  ),
);

function bodyOf(object: object): Buffer {
  return Buffer.from(
    notificationBody({
      type: 'kyc.submitted',
      occurredAt: new Date('2026-11-15T09:30:00Z'),
      objectText: JSON.stringify(object),
      previousStatus: 'PENDING',
      sequence: 12n,
    }),
  );
}

describe.each(verifiers)('the published verifier %s', (_, Webhook) => {
  it('accepts every body in every script, with the new secret and with the one before', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const body = bodyOf(object);
        for (const secret of [newSecret, oldSecret]) {
          const webhook = new Webhook(writtenSecret(secret));
          expect(webhook.verify(body.toString('utf8'), signed(body))).toEqual(JSON.parse(body.toString('utf8')));
        }
      }),
    );
  });

  it('refuses a secret that does not sign any more, another body, and a time long past', () => {
    const body = bodyOf({ id: 'kyc_1' });
    const old = new Webhook(writtenSecret(oldSecret));
    const text = body.toString('utf8');
    expect(() => old.verify(text, signed(body, [newSecret]))).toThrow();
    expect(() => old.verify(`${text} `, signed(body))).toThrow();
    expect(() => old.verify(text, signed(body, [oldSecret], new Date(Date.now() - 360_000)))).toThrow();
  });
});

describe('v1a', () => {
  it('is verified by node:crypto with the published key, in every script', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const body = bodyOf(object);
        expect(verifiesAsymmetric(signed(body, []), body, writtenPublicKey(publicKey))).toBe(true);
      }),
    );
  });

  it('is what is left when there is no secret', () => {
    expect(signed(Buffer.from('{}'), [])['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
  });

  it('fails with any bit of the id, the time, the body or the signature turned over', () => {
    const body = bodyOf({ id: 'kyc_1' });
    const headers = signed(body, []);
    const signature = Buffer.from(headers['webhook-signature']?.slice(4) ?? '', 'base64');
    const head = Buffer.from(`${eventId}.${headers['webhook-timestamp']}.`);
    const content = Buffer.concat([head, body]);
    const turned = fc.integer({ min: 0, max: (content.length + signature.length) * 8 - 1 });
    fc.assert(
      fc.property(turned, (bit) => {
        const all = Buffer.concat([content, signature]);
        all[bit >> 3] = (all[bit >> 3] as number) ^ (1 << (bit & 7));
        const isGenuine = verify(null, all.subarray(0, content.length), publicKey, all.subarray(content.length));
        expect(isGenuine).toBe(false);
      }),
      { numRuns: 1000 },
    );
    expect(verify(null, content, publicKey, signature)).toBe(true);
  });
});

describe('v1', () => {
  it('fails with any bit of the id, the time, the body or the signature turned over', () => {
    const webhook = new StandardWebhook(writtenSecret(newSecret));
    const body = bodyOf({ id: 'kyc_1', name: 'plain' });
    const headers = signed(body, [newSecret]);
    const flip = (text: string, bit: number) => {
      const bytes = Buffer.from(text, 'latin1');
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      return bytes.toString('latin1');
    };
    const [, v1 = ''] = headers['webhook-signature']?.split(' v1,') ?? [];
    const parts = {
      body: body.toString('latin1'),
      id: eventId,
      time: headers['webhook-timestamp'] ?? '',
      v1,
    };
    const place = fc
      .constantFrom<keyof typeof parts>('body', 'id', 'time', 'v1')
      .chain((part) => fc.tuple(fc.constant(part), fc.nat({ max: parts[part].length * 8 - 1 })));
    fc.assert(
      fc.property(place, ([part, bit]) => {
        const changed = { ...parts, [part]: flip(parts[part], bit) };
        const sent = {
          'webhook-id': changed.id,
          'webhook-timestamp': changed.time,
          'webhook-signature': `v1,${changed.v1}`,
        };
        // The last character of base64 has bits that say nothing.
        if (part === 'v1' && Buffer.from(changed.v1, 'base64').equals(Buffer.from(parts.v1, 'base64'))) return;
        expect(() => webhook.verify(changed.body, sent)).toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the keys of merchants', () => {
  const rootKey = Buffer.alloc(32, 7);
  const keys = new MerchantSigningKeys(rootKey);

  it('are the same in every process and version, or receivers would have to fetch them anew', () => {
    expect(keys.publishedKeyOf(merchantId(7))).toEqual({
      id: '3a9657f645c32aae',
      publicKey: 'whpk_4EEZJxYMLvAwbyqBIX3n219JmI+fAl+xH3DvuOew3zM=',
    });
    expect(new MerchantSigningKeys(rootKey).publishedKeyOf(merchantId(7))).toEqual(keys.publishedKeyOf(merchantId(7)));
  });

  it('are each merchant’s own: what one is sent proves nothing to another', () => {
    const body = Buffer.from('{}');
    const sent = signatureHeaders(
      { privateKey: keys.privateKeyOf(merchantId(7)), secrets: [] },
      eventId,
      new Date(),
      body,
    );
    expect(verifiesAsymmetric(sent, body, keys.publishedKeyOf(merchantId(7)).publicKey)).toBe(true);
    expect(verifiesAsymmetric(sent, body, keys.publishedKeyOf(merchantId(8)).publicKey)).toBe(false);
  });

  it('stay right when more merchants are served than keys are kept', () => {
    const half = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x;
    const first = half(keys.privateKeyOf(merchantId(1)));
    for (let number = 2; number < 1200; number += 1) keys.privateKeyOf(merchantId(number));
    expect(half(keys.privateKeyOf(merchantId(1)))).toBe(first);
  });
});

it('a notification has the same bytes at every attempt, and its numbers as they were written', () => {
  const event = {
    type: 'order.completed',
    occurredAt: new Date('2026-11-15T09:30:00.120Z'),
    objectText: '{"id":"ord_1","amountOut":1234567.10,"name":"Núñez"}',
    previousStatus: null,
    sequence: 9007199254740993n,
  };
  expect(notificationBody(event)).toBe(
    '{"type":"order.completed","timestamp":"2026-11-15T09:30:00.120Z","data":{"object":' +
      '{"id":"ord_1","amountOut":1234567.10,"name":"Núñez"},"previousStatus":null,"sequence":9007199254740993}}',
  );
});
