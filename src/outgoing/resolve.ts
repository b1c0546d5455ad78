/**
 * All addresses of a name, asked for by ourselves. Not by getaddrinfo: it takes a thread of the few that files and
 * passwords need as well, for as long as a name server likes, and can't be called off. What people expect of it is
 * kept: the hosts file and `localhost`. Search domains are not: a receiver is named in full.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { OutgoingFault } from './fault.js';

export type ResolveName = (name: string, withinMs: number) => Promise<readonly string[]>;

export async function resolveName(name: string, withinMs: number): Promise<readonly string[]> {
  // RFC 6761: never a question for a name server, which might answer it otherwise.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
  const listed = addressesInHostsFile(await hostsFile(), name);
  return listed.length > 0 ? listed : askNameServers(name, withinMs);
}

/** As `hosts(5)` has it: an address, then its names; `#` begins a remark. */
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

async function askNameServers(name: string, withinMs: number): Promise<string[]> {
  // One for each question: it knows the name servers of this moment, asks from a port of its own, and only its own
  // questions are called off.
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  const timer = setTimeout(() => resolver.cancel(), withinMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw new OutgoingFault(answers.some(isTooLate) ? 'timeout' : 'name_not_found');
}

function isTooLate(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && ['ECANCELLED', 'ETIMEOUT'].includes(answer.reason.code);
}
