/** What goes wrong between a program and the service: nothing takes effect twice, and nothing is lost. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { NoAnswer, NotFound, RateLimited, Remesa, Unauthorized } from '../../packages/client/src/index.js';
import { newMerchant } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana as profile } from '../harness/users.js';

const running = useRemesa({ hasRates: true });

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
}
/** What happens to a request: it is passed on, its answer is lost, or something else is answered. */
type Fate = 'pass' | 'lose the answer' | { readonly status: number; readonly headers?: Record<string, string> };

let proxy: Server;
let remesa: Remesa;
let seen: Seen[];
let fates: Fate[];

/** Stands between the client and the service. */
beforeAll(async () => {
  proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const { authorization: token, 'idempotency-key': key } = request.headers;
    seen.push({ method: request.method ?? '', path, key: key as string | undefined, token });
    const fate = path.startsWith('/oauth') ? 'pass' : (fates.shift() ?? 'pass');
    if (typeof fate === 'object') return response.writeHead(fate.status, fate.headers).end();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${running.service.url}${path}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (fate === 'lose the answer') return request.socket.destroy();
    const { 'content-encoding': ____, 'transfer-encoding': _____, ...kept } = Object.fromEntries(answer.headers);
    return response.writeHead(answer.status, kept).end(body);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

let merchants = 0;
beforeEach(async () => {
  seen = [];
  fates = [];
  merchants += 1;
  const { clientId, clientSecret } = await newMerchant(running.service.database, `faulty-${merchants}`);
  const { port } = proxy.address() as AddressInfo;
  remesa = new Remesa({ url: `http://127.0.0.1:${port}/`, clientId, clientSecret });
});

const paths = () => seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

it('repeats a write with the same key after a 503 that says when, and after an answer that was lost: it takes effect once', async () => {
  fates = [{ status: 503, headers: { 'retry-after': '0' } }, 'lose the answer', 'pass'];
  const { id } = await remesa.users.create(profile);
  expect(paths()).toEqual(['POST /oauth/token', 'POST /user', 'POST /user', 'POST /user']);
  expect(new Set(seen.slice(1).map(({ key }) => key)).size).toBe(1);
  expect((await remesa.users.list()).map((user) => user.id)).toEqual([id]);
});

it('sends no key where the service takes none, and does not repeat such a write', async () => {
  const user = await remesa.users.create(profile);
  seen = [];
  fates = ['lose the answer'];
  const order = { rateCode: 'rt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW', purpose: 'family_support' } as never;
  await expect(remesa.asUser(user.id).orders.preflight(order)).rejects.toThrow(NoAnswer);
  expect(seen.map(({ key }) => key)).toEqual([undefined]);
});

it('gives up after two repetitions with what the service said last', async () => {
  fates = Array.from({ length: 3 }, () => ({ status: 429, headers: { 'retry-after': '0' } }));
  const refused: unknown = await remesa.users.list().then(undefined, (error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused).toMatchObject({ retryAfterSeconds: 0 });
  expect(paths().filter((path) => path === 'GET /merchant/users')).toHaveLength(3);
});

it('does not wait for a service that asks it to wait for minutes', async () => {
  fates = [{ status: 503, headers: { 'retry-after': '600' } }];
  await expect(remesa.users.list()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 600 });
});

it('asks for one token for many calls at once, and for another one when the service refuses it', async () => {
  await Promise.all(Array.from({ length: 8 }, () => remesa.users.list()));
  expect(paths().filter((path) => path === 'POST /oauth/token')).toHaveLength(1);
  seen = [];
  fates = [{ status: 401 }];
  expect(await remesa.users.list()).toEqual([]);
  expect(paths()).toEqual(['GET /merchant/users', 'POST /oauth/token', 'GET /merchant/users']);
  expect(seen[0]?.token).not.toBe(seen[2]?.token);
});

it('does not ask without end when the service refuses every token', async () => {
  fates = [{ status: 401 }, { status: 401 }, { status: 401 }];
  await expect(remesa.users.list()).rejects.toThrow(Unauthorized);
  expect(paths().filter((path) => path === 'GET /merchant/users')).toHaveLength(2);
});

it('names the problem of a wrong secret, and of an address that is not Remesa', async () => {
  const { url } = running.service;
  const wrong = new Remesa({ url, clientId: 'demo', clientSecret: 'wrong' });
  await expect(wrong.users.list()).rejects.toMatchObject({ code: 'invalid_client', status: 401 });
  const nobody = new Remesa({ url: 'http://127.0.0.1:9', clientId: 'demo', clientSecret: 'demo-secret', retries: 0 });
  await expect(nobody.users.list()).rejects.toThrow(NoAnswer);
  await expect(remesa.users.get({ userId: 1 })).rejects.toThrow(NotFound);
});

it('stops when its caller gives up, with the reason of the caller', async () => {
  const reason = new Error('not needed any more');
  await expect(remesa.users.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('reads a list page by page, each user once', async () => {
  const ids = [];
  for (let count = 0; count < 5; count += 1) ids.push((await remesa.users.create(profile)).id);
  seen = [];
  const read = [];
  for await (const user of remesa.users.list({ limit: 2 })) read.push(user.id);
  expect(read).toEqual(ids);
  expect(paths()).toEqual(['GET /merchant/users', 'GET /merchant/users', 'GET /merchant/users']);
});

it('follows all events in order while the service fails in between, and goes on where the program was stopped', async () => {
  const ana = remesa.asUser((await remesa.users.create(profile)).id);
  await ana.kyc.createLink({ kycLevel: 'LEVEL_1', zone: 'EEA' });
  const read: (number | null)[] = [];
  const errors: number[] = [];
  const follow = async (after: number, count: number) => {
    const options = {
      after,
      idleMs: 10,
      onError: ({ status }: { readonly status: number }) => void errors.push(status),
    };
    for await (const event of remesa.events.follow('kyc', options)) {
      read.push(event.data.sequence);
      if (read.length === count) return;
    }
  };
  await follow(0, 1);
  await remesa.sandbox.grantKycLevel({ kycLevel: 'LEVEL_2' }, { userId: (await remesa.users.list())[0]?.id ?? 0 });
  fates = Array.from({ length: 3 }, () => ({ status: 503 }));
  await follow(1, 2);
  expect(read).toEqual([1, 2]);
  expect(errors).toEqual([503]);
});

it('throws when an event is missing between two others', async () => {
  const event = (sequence: number) => ({ id: `evt_${sequence}`, type: 'kyc.pending', data: { sequence, object: {} } });
  const answers = [[event(1), event(3)]];
  const fake: typeof fetch = async (input) =>
    String(input).includes('/oauth/')
      ? Response.json({ access_token: 'token', expires_in: 3600 })
      : Response.json(answers.shift() ?? []);
  const client = new Remesa({ url: 'http://remesa.invalid', clientId: 'demo', clientSecret: 'secret', fetch: fake });
  const read: (number | null)[] = [];
  const following = async () => {
    for await (const { data } of client.events.follow('kyc', { after: 0 })) read.push(data.sequence);
  };
  await expect(following()).rejects.toThrow('After the event 1 came 3');
  expect(read).toEqual([1]);
});

it('gives up a service that does not answer the request for a token', async () => {
  const silent = ((_: unknown, init?: RequestInit) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    })) as typeof fetch;
  const waiting = new Remesa({
    url: 'http://127.0.0.1',
    clientId: 'a',
    clientSecret: 'b',
    timeoutMs: 20,
    fetch: silent,
  });
  await expect(waiting.rates.corridors()).rejects.toBeInstanceOf(NoAnswer);
});
