import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveKey, deriveSigningKey } from '../../src/keys/derive.js';

const masterKey = Buffer.from('q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=', 'base64');

it('a derived key is the same in every version, so that older signatures and stored values stay valid', () => {
  expect(deriveKey(masterKey, 'idempotency fingerprint').toString('hex')).toBe(
    '9b211f220f3ee7add56cb02f93e97f12fb33c83f47b2fcabf69ddbde44ec3709',
  );
  expect(deriveKey(masterKey, 'audit head').toString('hex')).toBe(
    '53f54ca23dc82870e33579f98c82536100a5a44624ed8adee2696f6a25847467',
  );
});

it('a derived key differs by purpose and by master key', () => {
  const fingerprint = deriveKey(masterKey, 'idempotency fingerprint');
  expect(deriveKey(masterKey, 'audit head').equals(fingerprint)).toBe(false);
  expect(deriveKey(Buffer.alloc(32, 1), 'idempotency fingerprint').equals(fingerprint)).toBe(false);
});

it('a derived signing key is the same in every version, and its public key verifies its signatures', () => {
  const key = deriveSigningKey(masterKey, 'audit head');
  const signature = sign(null, Buffer.from('a message'), key);
  expect(key.asymmetricKeyType).toBe('ed25519');
  expect(signature.toString('base64')).toBe(
    '+NF4AlVDYKKMTgxE38AHwmrQpMv5uiSQ7bed6AU97r01ojAc/LNReXNKEstNCWJ5EyX76o8iTLbKAxZp0pRsAw==',
  );
  expect(verify(null, Buffer.from('a message'), createPublicKey(key), signature)).toBe(true);
  expect(verify(null, Buffer.from('another'), createPublicKey(key), signature)).toBe(false);
});
