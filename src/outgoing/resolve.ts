/**
 * Resolves a name to all of its addresses. It does not use getaddrinfo, which cannot be cancelled and blocks one of the
 * few threads that file access and password hashes need. The hosts file and `localhost` work as usual; search domains
 * are not applied.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { OutgoingError } from './outgoing-error.js';

export type ResolveName = (name: string, withinMs: number) => Promise<readonly string[]>;

/** Throws `OutgoingError` (`name_not_found` or `timeout`). */
export async function resolveName(name: string, withinMs: number): Promise<readonly string[]> {
  // RFC 6761: `localhost` is never looked up at a name server.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
  const addresses = addressesInHostsFile(await hostsFile(), name);
  return addresses.length > 0 ? addresses : queryNameServers(name, withinMs);
}

/** The format of `hosts(5)`: an address, then its names; `#` begins a comment. */
export function addressesInHostsFile(text: string, name: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim().toLowerCase().split(/\s+/))
    .filter(([, ...names]) => names.includes(name))
    .flatMap(([address = '']) => address);
}

async function hostsFile(): Promise<string> {
  return readFile('/etc/hosts', 'utf8').catch(() => '');
}

async function queryNameServers(name: string, withinMs: number): Promise<string[]> {
  // A new resolver for each lookup reads the current name servers, uses its own port, and cancels only its own queries.
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  const timer = setTimeout(() => resolver.cancel(), withinMs);
  const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const addresses = lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []));
  if (addresses.length > 0) return addresses;
  throw new OutgoingError(lookups.some(isTimeout) ? 'timeout' : 'name_not_found');
}

function isTimeout(lookup: PromiseSettledResult<unknown>): boolean {
  return lookup.status === 'rejected' && ['ECANCELLED', 'ETIMEOUT'].includes(lookup.reason.code);
}
