import dns from 'node:dns';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Client, newMerchant, oneInstance, type Running, statusOf, tokenOf, useNodes } from '../harness/access.js';
import { sendRaw } from '../http/raw-socket.js';
import { goodClaims, goodHeader, ownKey, signed } from './forge.js';
import { type HostileToken, hostileTokens, type Victim } from './hostile-corpus.js';

const cpuMsAtMost = 5;
const triesAtMost = 50;

const { sql, startNode, url } = useNodes();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let node: Running;
let acme: Client;
let victim: Victim;
let corpus: HostileToken[];

beforeAll(async () => {
  node = await startNode();
  acme = await newMerchant(node.service.database, 'acme');
  const key = await ownKey(node.service.database);
  const token = await tokenOf(node, acme);
  victim = { key, issuer: oneInstance.BASE_URL, merchantId: acme.merchant, token };
  corpus = hostileTokens(victim);
});
afterAll(() => agent.destroy());

interface Shown {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

function ask(token: string, path = '/notes/empty'): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'r-1' };
    const sending = request(`${node.service.url}${path}`, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, ...others } = response.headers;
        resolve({ status: response.statusCode ?? 0, body: String(Buffer.concat(chunks)), headers: others });
      });
    });
    sending.on('error', reject).end();
  });
}

const refusal = (): Shown => ({
  status: 401,
  body: JSON.stringify({
    type: `${oneInstance.BASE_URL}/docs/errors#unauthorized`,
    title: 'Unauthorized',
    status: 401,
    detail: 'A valid access token is required.',
    code: 'unauthorized',
    requestId: 'r-1',
  }),
  headers: {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': 'r-1',
    'content-type': 'application/problem+json; charset=utf-8',
    'www-authenticate': 'Bearer',
    'content-length': expect.any(String) as unknown as string,
    connection: 'keep-alive',
    'keep-alive': 'timeout=72',
  },
});

describe('a hostile token', () => {
  it('differs from an accepted one only in its fault: the same token without the fault is accepted', async () => {
    const made = signed(victim.key, goodHeader(victim.key), goodClaims(victim.issuer, acme.merchant));
    expect(await statusOf(node, made)).toBe(200);
    const user = { ...goodClaims(victim.issuer, acme.merchant), user_id: 7 };
    const ofUser = signed(victim.key, goodHeader(victim.key), user);
    // The token is good; the user is not there.
    expect((await ask(ofUser, '/notes/user')).status).toBe(401);
  });

  it('is one of at least 60, all with different names', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    expect(new Set(corpus.map(([name]) => name)).size).toBe(corpus.length);
    expect(corpus.map(([, token]) => token)).not.toContain(victim.token);
  });

  it('is always refused with the same 401, before and after it was seen', async () => {
    const opened: string[] = [];
    for (const round of [1, 2]) {
      for (const [name, token] of corpus) {
        const shown = await ask(token);
        const isRefused = shown.status === 401 && shown.body === refusal().body;
        if (!isRefused) opened.push(`${round}: ${name}: ${shown.status}`);
        else expect(shown.headers, name).toEqual(refusal().headers);
      }
    }
    expect(opened).toEqual([]);
  });

  it('is refused by operator routes too', async () => {
    const opened: string[] = [];
    for (const [name, token] of corpus) {
      const shown = await ask(token, '/operator/merchants');
      if (shown.status !== 401 || shown.body !== refusal().body) opened.push(`${name}: ${shown.status}`);
    }
    expect(opened).toEqual([]);
  });

  it('causes no connection except to the database, no DNS lookup and no fetch', async () => {
    const ours = new Set([new URL(url).port, new URL(node.service.url).port]);
    const outgoing: unknown[] = [];
    const connect = net.Socket.prototype.connect;
    const connecting = vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
      this: net.Socket,
      ...given: unknown[]
    ) {
      const target = JSON.stringify(given);
      if (![...ours].some((port) => target.includes(port))) outgoing.push(target);
      return Reflect.apply(connect, this, given);
    } as typeof connect);
    const looking = [vi.spyOn(dns, 'lookup'), vi.spyOn(dns.promises, 'lookup'), vi.spyOn(dns, 'resolve')];
    const fetching = vi.spyOn(globalThis, 'fetch');
    try {
      for (const [, token] of corpus) await ask(token);
      const elsewhere = looking.flatMap((spy) => spy.mock.calls.map(([name]) => name as string));
      expect(elsewhere.filter((name) => name !== '127.0.0.1' && name !== 'localhost')).toEqual([]);
      expect(fetching).not.toHaveBeenCalled();
      expect(outgoing).toEqual([]);
    } finally {
      for (const spy of [connecting, fetching, ...looking]) spy.mockRestore();
    }
  });

  it(`costs less than ${cpuMsAtMost} ms of CPU`, async () => {
    const dear: string[] = [];
    for (const [name, token] of corpus) {
      const spent = await leastCpuMs(token);
      if (spent >= cpuMsAtMost) dear.push(`${name}: ${spent.toFixed(1)} ms`);
    }
    expect(dear).toEqual([]);
  });

  it('causes no audit entry and no logged error, and the valid token still works', async () => {
    const { rows } = await sql.query("SELECT 1 FROM changes WHERE actor_kind IN ('merchant', 'user')");
    expect(rows).toEqual([]);
    const lines = node.logText().split('\n');
    expect(lines.filter((line) => line.includes(victim.token))).toEqual([]);
    expect(lines.filter((line) => /unexpected error|"level":"(error|fatal)"/.test(line))).toEqual([]);
    expect(await statusOf(node, victim.token)).toBe(200);
  });
});

/**
 * The cheapest of several tries: garbage collection and a busy machine make a request dearer, nothing makes it cheaper.
 */
async function leastCpuMs(token: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < triesAtMost && least >= cpuMsAtMost; tries += 1) {
    const before = process.cpuUsage();
    await ask(token);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe('an unusual Authorization header', () => {
  const raw = (authorization: string | Buffer) =>
    sendRaw(
      node.service.url,
      Buffer.concat([
        Buffer.from('GET /notes/empty HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: '),
        Buffer.from(authorization as string),
        Buffer.from('\r\n\r\n'),
      ]),
    );

  it('is accepted only as the scheme, some spaces and the token', async () => {
    for (const good of ['Bearer ', 'bearer ', 'BEARER   ']) {
      expect((await raw(`${good}${victim.token}`)).status, good).toBe(200);
    }
  });

  it.each<[string, (token: string) => string | Buffer, number]>([
    ['no scheme', (token) => token, 401],
    ['another scheme', (token) => `Basic ${token}`, 401],
    ['a tab after the scheme', (token) => `Bearer\t${token}`, 401],
    ['no space', (token) => `Bearer${token}`, 401],
    ['a space inside', (token) => `Bearer ${token.slice(0, 9)} ${token.slice(9)}`, 401],
    ['two tokens', (token) => `Bearer ${token} ${token}`, 401],
    ['two schemes', (token) => `Bearer Bearer ${token}`, 401],
    ['characters beyond ASCII', (token) => `Bearer ${token}é☃`, 401],
    ['bytes that are no text', (token) => Buffer.from(`Bearer ${token}\xff\xfe`, 'latin1'), 401],
    ['a NUL', (token) => `Bearer ${token}\0`, 400],
    ['a line of its own', (token) => `Bearer\r\n ${token}`, 400],
    ['the scheme alone', () => 'Bearer', 401],
    ['the scheme and spaces', () => 'Bearer    ', 401],
    ['nothing', () => '', 401],
    ['1 MB', () => `Bearer ${'x'.repeat(1_000_000)}`, 431],
    ['1 MB of a header', (token) => `Bearer ${'A'.repeat(1_000_000)}.${token}`, 431],
  ])('is refused as %s', async (_, authorization, status) => {
    expect((await raw(authorization(victim.token))).status).toBe(status);
  });

  it('is refused when there are two fields, whichever has it', async () => {
    expect((await raw(`Bearer ${victim.token}\r\nauthorization: Bearer x`)).status).toBe(400);
    expect((await raw(`Bearer x\r\nauthorization: Bearer ${victim.token}`)).status).toBe(400);
  });

  it('is not replaced by a token in the address or the body', async () => {
    const found = await node.anywhere.get(`/notes/empty?access_token=${victim.token}`);
    expect(found.status).toBe(401);
    const posted = await node.anywhere.post('/notes', { body: { access_token: victim.token, text: 'x' } });
    expect(posted.status).toBe(401);
  });
});
