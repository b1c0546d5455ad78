/** Makes valid and invalid tokens, with the key of the service or another one. */
import { type KeyObject, sign } from 'node:crypto';
import { deriveKey } from '../../src/keys/derive.js';
import { KeyVault } from '../../src/keys/vault.js';
import type { Database } from '../../src/postgres/database.js';
import { openSigningKey } from '../../src/tokens/signing-key.js';
import { listSigningKeys } from '../../src/tokens/store.js';
import { testMasterKey } from '../harness/master-key.js';

export async function sealingKeyOf(database: Database): Promise<Buffer> {
  const masters = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
  return deriveKey((await KeyVault.open(database, masters)).rootKey, 'signing keys');
}

export interface OwnKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: { readonly x: string };
}

/** The newest key of the instance, opened as the service opens it. */
export async function ownKey(database: Database): Promise<OwnKey> {
  const key = (await listSigningKeys(database)).at(-1);
  if (!key) throw new Error('there is no signing key');
  const privateKey = openSigningKey(await sealingKeyOf(database), key);
  return { keyId: key.keyId, privateKey, publicJwk: key.publicKey };
}

export type Json = Record<string, unknown>;

export function base64url(value: string | Uint8Array): string {
  return Buffer.from(value as string).toString('base64url');
}

/** Text is used as it is, so that unusual JSON can be written. */
export function part(value: unknown): string {
  return base64url(typeof value === 'string' ? value : JSON.stringify(value));
}

export function signed(key: OwnKey, header: unknown, payload: unknown): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), key.privateKey).toString('base64url')}`;
}

export function goodHeader(key: OwnKey): Json {
  return { alg: 'EdDSA', typ: 'at+jwt', kid: key.keyId };
}

/** What the service itself would put into a merchant's token. */
export function goodClaims(issuer: string, merchantId: number, now = Math.floor(Date.now() / 1000)): Json {
  return {
    client_id: 'acme',
    scope: 'users kyc rates orders webhooks',
    iss: issuer,
    aud: issuer,
    sub: `merchant:${merchantId}`,
    jti: 'made-by-hand',
    iat: now,
    nbf: now,
    exp: now + 3600,
  };
}

export function payloadOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

export function headerOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}
