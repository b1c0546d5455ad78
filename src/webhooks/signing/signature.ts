/** Signatures of notifications as in Standard Webhooks 1.0. */
import { createHmac, type KeyObject, sign } from 'node:crypto';

const secretPrefix = 'whsec_';
const publicKeyPrefix = 'whpk_';

export interface Signers {
  /** Ed25519, for `v1a`. */
  readonly privateKey: KeyObject;
  /** Each makes a `v1`: the current secret and, for a day after a rotation, the previous one. */
  readonly secrets: readonly Buffer[];
}

/** `sentAt` is the time of the attempt. The id and the body are the same at every attempt. */
export function signatureHeaders(
  signers: Signers,
  eventId: string,
  sentAt: Date,
  body: Buffer,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const content = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]);
  const signatures = [
    `v1a,${sign(null, content, signers.privateKey).toString('base64')}`,
    ...signers.secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
  ];
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The secret as the merchant sees it. */
export function writtenSecret(secret: Buffer): string {
  return `${secretPrefix}${secret.toString('base64')}`;
}

/** The 32 bytes of the key in the notation of Standard Webhooks. */
export function writtenPublicKey(publicKey: KeyObject): string {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return `${publicKeyPrefix}${Buffer.from(x, 'base64url').toString('base64')}`;
}
