/** Whether a form was sent by a page of ours: browsers say from where a request comes. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * A browser always sends `Origin` with a form, and `Sec-Fetch-Site` where the address is https or local. `host` is
 * where the request arrived; behind a proxy that changes it, the public address counts as well.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return hostOf(origin) !== undefined && (hostOf(origin) === host || originOf(publicUrl) === origin);
}

/** A browser fetches a page before anybody wants to see it. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return /\bprefetch\b/.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
