/**
 * Owns signing keys, access tokens and their revocation.
 * Does not own the callers: the rooms of merchants and operators decide whether a caller's tokens are still accepted.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { open, seal } from '../keys/sealing.js';

/** The public key as a JWK set contains it (RFC 8037). */
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

/** Throws when the key was sealed for another row. */
export function openSigningKey(sealingKey: Buffer, key: Pick<SigningKey, 'keyId' | 'sealedKey'>): KeyObject {
  const der = open(sealingKey, key.sealedKey, sealedFor(key.keyId));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Returns the key that signs now: the newest active one. */
export function signingNow(keys: readonly SigningKey[], now: Date): SigningKey | undefined {
  const active = keys.filter((key) => key.activatesAt <= now && isUnexpired(key, now));
  return active.sort((left, right) => right.activatesAt.getTime() - left.activatesAt.getTime())[0];
}

/** Tokens of this key are accepted. */
export function isUnexpired(key: SigningKey, now: Date): boolean {
  return key.expiresAt === undefined || key.expiresAt > now;
}

/** Binds a sealed key to its row, so that it cannot be opened in another one. */
function sealedFor(keyId: string): string {
  return `signing_keys|${keyId}`;
}
