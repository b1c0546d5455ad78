/**
 * Runs the cases inside a namespace in which every address in the world leads to this program: whoever is called by
 * mistake answers. Prints what came of each, as JSON.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { AddressGuard } from '../../src/outgoing/guard.js';
import { type Network, networksOf } from '../../src/outgoing/network.js';
import { resolveName } from '../../src/outgoing/resolve.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { EndpointClient } from '../../src/webhooks/delivery/client.js';
import { resolvesToPublic, urlFaults } from '../../src/webhooks/endpoints/endpoint-url.js';
import { NameServer, type Records } from '../harness/name-server.js';
import { type SsrfCase, type SsrfOutcome, ssrfCases } from './ssrf-cases.js';

const folder = mkdtempSync(join(process.argv[2] ?? '', 'ssrf-'));
const reached: string[] = [];
const names = new NameServer();

await prepare();
const outcomes: SsrfOutcome[] = [];
const trap = await callForbidden();
const questions = await callOff();
for (const each of ssrfCases) outcomes.push(await run(each));
console.log(JSON.stringify({ trap, questions, outcomes }));
process.exit(0);

async function prepare(): Promise<void> {
  overlay('/etc/resolv.conf', 'nameserver 127.0.0.1\nsearch example\n');
  overlay('/etc/hosts', '127.0.0.1 localhost\n127.0.0.1 here.example other.example # a remark\n');
  await names.listen('127.0.0.1', 53);
  const server = createServer((request, response) => {
    reached.push((request.socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://unused');
    const to = searchParams.get('to');
    const elsewhere = to === null ? {} : { location: to, refresh: `0; url=${to}`, 'content-location': to };
    response.writeHead(Number(pathname.slice(1)) || 200, { connection: 'close', ...elsewhere }).end('thanks');
  });
  server.listen(8080, '::');
  await once(server, 'listening');
}

/** In the mount table of this namespace only. */
function overlay(file: string, text: string): void {
  const own = join(folder, file.replaceAll('/', '-'));
  writeFileSync(own, text);
  execFileSync('mount', ['--bind', own, file]);
}

/** That the trap would close: without the guard a forbidden address answers, and is counted. */
async function callForbidden(): Promise<{ reached: string[]; connectionsBegun: number }> {
  const before = connectionsBegun();
  for (const host of ['10.0.0.1', '169.254.169.254', '::7f00:1', '64:ff9b::7f00:1']) {
    const socket = connect({ host, port: 8080 });
    socket.end('GET / HTTP/1.1\r\nhost: trap\r\n\r\n').resume();
    await once(socket, 'close');
  }
  return { reached: reached.splice(0), connectionsBegun: connectionsBegun() - before };
}

/** What was asked of a name server that never answers, by a look-up that had little time. */
async function callOff(): Promise<string[]> {
  names.answer = () => 'silence';
  await resolveName('silent.example', 50).catch(() => {});
  return names.questions.splice(0).sort();
}

async function run({ mode, url, names: table = {} }: SsrfCase): Promise<SsrfOutcome> {
  const asked = new Map<string, number>();
  names.answer = (name, type): Records => {
    const looks = table[name] ?? [];
    const look = asked.get(`${type} ${name}`) ?? 0;
    asked.set(`${type} ${name}`, look + 1);
    return looks[Math.min(look, looks.length - 1)] ?? [];
  };
  const guard = new AddressGuard({
    allowsLoopback: mode === 'sandbox',
    allowedNetworks: mode === 'opened' ? (networksOf('10.20.0.0/16') as Network[]) : [],
  });
  const before = connectionsBegun();
  const policy = { mode: mode === 'sandbox' ? 'sandbox' : 'live', ownUrl: 'https://remesa.example' } as const;
  const registration = urlFaults(url, policy).length > 0 ? 'faulty' : await resolvesToPublic(url, guard);
  const client = new EndpointClient({ url, lanes: 1, guard });
  const request = { url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  const attempts = [wordOf(await client.post(request)), wordOf(await client.post(request))] as const;
  await client.close();
  return {
    registration,
    attempts,
    reached: reached.splice(0),
    connectionsBegun: connectionsBegun() - before,
  };
}

function wordOf(result: AttemptResult): string {
  if (result.kind === 'answered') return `answered ${result.status}`;
  return result.kind === 'failed' ? result.reason : result.kind;
}

/** The kernel's count of connections that were begun in this namespace: every first packet of TCP. */
function connectionsBegun(): number {
  const [head = [], values = []] = readFileSync('/proc/self/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values[head.indexOf('ActiveOpens')]);
}
