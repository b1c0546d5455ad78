/**
 * Conditional requests. Validators outlive a change of the configuration, and the name of a source does too: each carries a
 * mark of the address that it came from, so that no other one is asked whether it has anything newer.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Validators } from '../../rates/sources/rate-source.js';

export function validatorsOf(address: URL, headers: IncomingHttpHeaders): Validators {
  const mark = markOf(address);
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(isSendable(etag) ? { etag: mark + etag } : {}),
    ...(isSendable(lastModified) ? { lastModified: mark + lastModified } : {}),
  };
}

export function conditionsOf(address: URL, { etag, lastModified }: Validators): Record<string, string> {
  const mark = markOf(address);
  return {
    ...(etag?.startsWith(mark) ? { 'if-none-match': etag.slice(mark.length) } : {}),
    ...(lastModified?.startsWith(mark) ? { 'if-modified-since': lastModified.slice(mark.length) } : {}),
  };
}

/** Too short to tell anything about a key in the address. */
function markOf(address: URL): string {
  return `${createHash('sha256').update(address.href).digest('hex').slice(0, 8)} `;
}

/** What is kept is sent back in a header: anything odd is forgotten, which costs one download. */
function isSendable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e]{1,256}$/.test(value);
}
