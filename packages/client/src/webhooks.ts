/** Notifications: checks the signature of a request, and returns what it says. Needs no client. */
import type { Notification } from './generated/api.schemas.js';

/** The request as it arrived. The body is the bytes, or the text, before anything parsed it. */
export interface SignedRequest {
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface UnwrapOptions {
  /** Your secret, `whsec_…`. During a rotation, both. */
  readonly secrets?: readonly string[];
  /** The public keys of `GET /merchant/webhook`, `whpk_…`. One of the two is needed. */
  readonly publicKeys?: readonly string[];
  /** A request that was signed longer ago, or later, is refused. */
  readonly toleranceSeconds?: number;
}

/** A notification with the id of its event, which is the same at every attempt. */
export type WebhookNotification = Notification & { readonly id: string };

/** The request does not come from the service, was changed, or is too old. Answer 401. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

const usualToleranceSeconds = 300;

/** Throws `WebhookRefused` unless one of the signatures fits. */
export async function unwrap(
  { body, headers }: SignedRequest,
  { secrets = [], publicKeys = [], toleranceSeconds = usualToleranceSeconds }: UnwrapOptions,
): Promise<WebhookNotification> {
  const id = headerOf(headers, 'webhook-id');
  const sentAt = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > toleranceSeconds || !/^\d+$/.test(sentAt))
    throw new WebhookRefused('The request was signed too long ago, or your clock is wrong.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${sentAt}.`), bytes);
  const fits =
    (await anyFits(signatures, 'v1a,', publicKeys, (key, signature) => isSignedBy(key, signature, signed))) ||
    (await anyFits(signatures, 'v1,', secrets, (secret, signature) => isSignedWith(secret, signature, signed)));
  if (!fits) throw new WebhookRefused('No signature of the request fits.');
  return { ...(JSON.parse(new TextDecoder().decode(bytes)) as Notification), id };
}

async function anyFits(
  signatures: readonly string[],
  version: 'v1,' | 'v1a,',
  keys: readonly string[],
  fits: (key: string, signature: Uint8Array<ArrayBuffer>) => Promise<boolean>,
): Promise<boolean> {
  for (const signature of signatures.filter((each) => each.startsWith(version)))
    for (const key of keys) if (await fits(key, bytesOf(signature.slice(version.length)))) return true;
  return false;
}

async function isSignedBy(
  publicKey: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const raw = bytesOf(publicKey.replace(/^whpk_/, ''));
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, signed);
}

/** Compares in constant time, as `verify` of WebCrypto does. */
async function isSignedWith(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = bytesOf(secret.replace(/^whsec_/, ''));
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, signed);
}

function headerOf(headers: SignedRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookRefused(`The request has no header ${name}.`);
  return value;
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Throws `WebhookRefused` for what is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new WebhookRefused('A signature or a key is not base64.');
  }
}
