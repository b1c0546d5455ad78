/**
 * Conditional requests. Validators stay stored when the configuration changes, and another address may then have the
 * same source name. Each validator therefore begins with a prefix of its address and is never sent to another one.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Validators } from '../../rates/sources/rate-source.js';

/** The validators of an answer, to be stored with its rates. */
export function validatorsOf(address: URL, headers: IncomingHttpHeaders): Validators {
  const prefix = prefixOf(address);
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(isSendable(etag) ? { etag: prefix + etag } : {}),
    ...(isSendable(lastModified) ? { lastModified: prefix + lastModified } : {}),
  };
}

/** The request headers that ask this address for a newer document only. */
export function conditionsOf(address: URL, { etag, lastModified }: Validators): Record<string, string> {
  const prefix = prefixOf(address);
  return {
    ...(etag?.startsWith(prefix) ? { 'if-none-match': etag.slice(prefix.length) } : {}),
    ...(lastModified?.startsWith(prefix) ? { 'if-modified-since': lastModified.slice(prefix.length) } : {}),
  };
}

/** A hash that is too short to reveal anything about an API key in the address. */
function prefixOf(address: URL): string {
  return `${createHash('sha256').update(address.href).digest('hex').slice(0, 8)} `;
}

/** Unusual values are not stored, because they would be sent in a header. That costs one download. */
function isSendable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e]{1,256}$/.test(value);
}
