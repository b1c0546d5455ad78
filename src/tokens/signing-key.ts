/**
 * Owns what proves a caller: the signing keys, access tokens and their revocation.
 * Does not own the callers: merchants and operators decide whether their tokens are still accepted.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { open, seal } from '../keys/sealing.js';

/** The public half as a JWK set shows it (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: PublicJwk;
  readonly sealedKey: Buffer;
  readonly activatesAt: Date;
  /** Tokens of this key are accepted until then. Undefined until a newer key replaces it. */
  readonly expiresAt: Date | undefined;
}

export function makeSigningKey(sealingKey: Buffer): Pick<SigningKey, 'keyId' | 'publicKey' | 'sealedKey'> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyId = randomBytes(12).toString('base64url');
  const { x } = publicKey.export({ format: 'jwk' });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    keyId,
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: x as string, kid: keyId, alg: 'EdDSA', use: 'sig' },
    sealedKey: seal(sealingKey, der, sealedFor(keyId)),
  };
}

export function openSigningKey(sealingKey: Buffer, key: Pick<SigningKey, 'keyId' | 'sealedKey'>): KeyObject {
  const der = open(sealingKey, key.sealedKey, sealedFor(key.keyId));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The key that signs now: the newest one that is active. */
export function signingNow(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const active = keys.filter((key) => key.activatesAt <= now && isAlive(key, now));
  return active.sort((a, b) => b.activatesAt.getTime() - a.activatesAt.getTime())[0];
}

export function isAlive(key: SigningKey, now: Date): boolean {
  return key.expiresAt === undefined || key.expiresAt > now;
}

/** Bound to its row, so that a sealed key can't be put in another's place. */
function sealedFor(keyId: string): string {
  return `signing_keys|${keyId}`;
}
