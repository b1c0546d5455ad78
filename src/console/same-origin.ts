/** Whether a form was sent by a page of ours: browsers say from where a request comes. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * A browser always sends `Origin` with a form, and `Sec-Fetch-Site` where the address is https or local. `host` is
 * where the request arrived; behind a proxy that changes it, the public address counts as well. Where browsers come by
 * https, a page over http is another site, also on our host.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string, isSecure: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin === undefined || (isSecure && !origin.startsWith('https:'))) return false;
  return hostOf(origin) !== undefined && (hostOf(origin) === host || originOf(publicUrl) === origin);
}

/** An address of a page of the console, and nothing that a browser reads as another one. */
export function isConsoleAddress(address: string): boolean {
  if (!/^\/console([/?][\w./?&=%:+,~-]*)?$/.test(address) || address.includes('//')) return false;
  const { origin, pathname, search } = new URL(address, 'http://console.invalid');
  return origin === 'http://console.invalid' && `${pathname}${search}` === address;
}

/** A browser fetches a page before anybody wants to see it. */
export function asksInAdvance(headers: IncomingHttpHeaders): boolean {
  return /\bprefetch\b/.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
