/** What merchants see of their last requests, and what seeing them costs. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { MerchantRequest } from '../../src/http/monitoring/merchant-request.js';
import type { Call } from '../../src/http/route.js';
import type { MerchantId } from '../../src/ids.js';
import { merchantId } from '../../src/ids.js';
import type { Log } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { databaseUnavailable } from '../../src/postgres/failure.js';
import { batchAtMost, RequestLog } from '../../src/request-log/request-log.js';
import { requestLogRoom } from '../../src/request-log/room.js';
import { requestSweep } from '../../src/request-log/store.js';
import { sweepByMerchant } from '../../src/worker/by-merchant.js';
import { tokenOf } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import { newUser, userToken } from '../harness/users.js';

interface Logged {
  readonly id: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly isReplay: boolean;
}

const running = useRemesa({ hasRates: true });
const quote = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };

const listed = async (token: string, query = ''): Promise<Logged[]> =>
  done(await running.api.get(`/merchant/requests${query}`, { token }));
/** Waits for the request with this id, which ends a moment after its answer. */
const logged = (token: string, requestId: string): Promise<Logged> =>
  eventually(async () => (await listed(token)).find((request) => request.requestId === requestId), {
    what: `the request ${requestId}`,
  });
const request = (fields: Partial<MerchantRequest> = {}): MerchantRequest => ({
  merchantId: merchantId(running.rival.merchant),
  requestId: 'req_1',
  method: 'POST',
  path: '/rates',
  status: 200,
  code: undefined,
  ms: 1.5,
  isReplay: false,
  ...fields,
});

it('a merchant sees method, path, status, code, id and repetition of its requests, and nothing personal', async () => {
  const { token } = running.acme;
  const named = (id: string) => ({ 'x-request-id': id });
  const user = await newUser(running, running.acme, { email: 'private@example.com' });
  await running.api.get('/user?externalClientId=private-name', { token, headers: named('missing') });
  await running.api.post('/rates', { token, body: { ...quote, fiatIn: 'private' }, headers: named('faulty') });
  for (const id of ['first', 'again']) {
    await running.api.post('/rates', { token, body: quote, key: 'private-key', headers: named(id) });
  }
  const order = `ord_${'0'.repeat(26)}`;
  await running.api.get(`/orders/${order}?userId=${user.id}`, { token, headers: named('unknown-order') });
  await running.api.get('/rates/private', { token, headers: named('unknown-quote') });
  expect(await logged(token, 'faulty')).toEqual({
    ...{ id: expect.stringMatching(/^\d+$/), requestId: 'faulty', receivedAt: expect.any(String) },
    ...{ method: 'POST', path: '/rates', status: 400, code: 'invalid_fields' },
    ...{ durationMs: expect.any(Number), isReplay: false },
  });
  expect(await logged(token, 'missing')).toMatchObject({ path: '/user', status: 404, code: 'user_not_found' });
  expect(await logged(token, 'first')).toMatchObject({ status: 200, isReplay: false });
  expect(await logged(token, 'again')).toMatchObject({ status: 200, isReplay: true });
  expect(await logged(token, 'unknown-order')).toMatchObject({ path: `/orders/${order}`, code: 'order_not_found' });
  expect(await logged(token, 'unknown-quote')).toMatchObject({ path: '/rates/{code}', code: 'rate_not_found' });
  const { rows } = await running.sql.query('SELECT merchant_requests::text AS row FROM merchant_requests');
  expect(rows.filter(({ row }) => /private|USD|@/.test(row))).toEqual([]);
});

it('a request that a token is not enough for is in the list of its merchant, and in no other', async () => {
  const narrow = await tokenOf(running, running.acme, { scope: 'kyc' });
  await running.api.post('/rates', { token: narrow, body: quote, headers: { 'x-request-id': 'too-narrow' } });
  const user = await newUser(running, running.acme);
  const ofUser = await userToken(running, running.acme, user);
  await running.api.get('/merchant/orders', { token: ofUser, headers: { 'x-request-id': 'of-user' } });
  expect(await logged(running.acme.token, 'too-narrow')).toMatchObject({ status: 403, code: 'scope_missing' });
  expect(await logged(running.acme.token, 'of-user')).toMatchObject({ code: 'merchant_token_required' });
  const ids = (await listed(running.rival.token)).map(({ requestId }) => requestId);
  expect(ids).not.toContain('too-narrow');
});

it('polls that were answered are left out, and those that were refused are not', async () => {
  const { token } = running.rival;
  await running.api.get('/events?channel=order', { token, headers: { 'x-request-id': 'poll' } });
  await running.api.get('/events?channel=none', { token, headers: { 'x-request-id': 'bad-poll' } });
  await listed(token);
  await logged(token, 'bad-poll');
  expect((await listed(token)).map(({ requestId }) => requestId)).not.toContain('poll');
});

it('pages hold each request once, the newest first, and filters take a class of answers and a method', async () => {
  const client = await tokenOf(running, running.rival);
  for (const [method, status] of [
    ['PUT', 200],
    ['PUT', 409],
    ['PUT', 503],
    ['PATCH', 200],
    ['PUT', 201],
  ] as const) {
    const log = new RequestLog({ database: running.database, clock: systemClock, log: silentLog });
    log.add([request({ method, status, requestId: `${method} ${status}` })]);
    await log.write();
  }
  const ids = (requests: readonly Logged[]) => requests.map(({ requestId }) => requestId);
  const puts: string[] = [];
  for (let path = '/merchant/requests?method=PUT&limit=2'; path; ) {
    const answer = await running.api.get(path, { token: client });
    puts.push(...ids(done(answer)));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(puts).toEqual(['PUT 201', 'PUT 503', 'PUT 409', 'PUT 200']);
  expect(ids(await listed(client, '?method=PUT&status=2xx'))).toEqual(['PUT 201', 'PUT 200']);
  expect(ids(await listed(client, '?method=PUT&status=5xx'))).toEqual(['PUT 503']);
});

it('a merchant has at most the newest 1,000 and one batch, of the last 7 days, whatever the traffic', async () => {
  const { database } = running;
  const log = new RequestLog({ database, clock: systemClock, log: silentLog });
  const crowd = merchantId(777_001);
  for (let batch = 0; batch < 7; batch += 1) {
    log.add(
      Array.from({ length: 2 * batchAtMost + 7 }, (_, n) => request({ merchantId: crowd, requestId: `${batch}-${n}` })),
    );
    await log.write();
  }
  const kept = async () =>
    (await running.sql.query('SELECT request_id FROM merchant_requests WHERE merchant_id = 777001 ORDER BY request_no'))
      .rows;
  const all = await kept();
  expect(all).toHaveLength(1000 + batchAtMost);
  // The newest of each batch, in their order.
  expect(all.slice(-2)).toEqual([{ request_id: '6-505' }, { request_id: '6-506' }]);
  expect(all.at(-batchAtMost)).toEqual({ request_id: '6-257' });
  await running.sql.query(
    "UPDATE merchant_requests SET received_at = received_at - interval '8 days' WHERE merchant_id = 777001 AND request_id <> '6-506'",
  );
  await sweepByMerchant(database, requestSweep, new AbortController().signal);
  expect(await kept()).toEqual([{ request_id: '6-506' }]);
});

it('while the database is away requests are left out, and nothing else happens; afterwards they are recorded', async () => {
  let isAway = true;
  const written: unknown[] = [];
  const database = {
    async write(_statement: unknown, values: { requestIds: readonly string[] }) {
      if (isAway) throw databaseUnavailable(new Error('away'));
      written.push(...values.requestIds);
    },
  } as unknown as Database;
  const log = new RequestLog({ database, clock: systemClock, log: silentLog });
  for (let merchant = 1; merchant <= 5000; merchant += 1) log.add([request({ merchantId: merchantId(merchant) })]);
  await log.write();
  expect(written).toEqual([]);
  isAway = false;
  for (let merchant = 1; merchant <= 5000; merchant += 1) log.add([request({ merchantId: merchantId(merchant) })]);
  log.add([request({ merchantId: merchantId(1), requestId: 'last' })]);
  await log.write();
  expect(written).toHaveLength(1001);
  expect(written[1]).toBe('last');
});

it('what the database refuses of one merchant costs no other its requests, and each one that is lost is counted', async () => {
  const warnings: unknown[] = [];
  const log = { warn: ({ lost }: { lost: number }) => warnings.push(lost) } as unknown as Log;
  const lostAndWritten = async (error: Error) => {
    const written: unknown[] = [];
    const database = {
      async write(_statement: unknown, values: { merchantId: MerchantId }) {
        if (values.merchantId === 2) throw error;
        written.push(values.merchantId);
      },
    } as unknown as Database;
    const requests = new RequestLog({ database, clock: systemClock, log });
    for (const merchant of [1, 2, 2, 3, 4]) requests.add([request({ merchantId: merchantId(merchant) })]);
    await requests.write();
    return [warnings.at(-1), written];
  };
  expect(await lostAndWritten(new Error('refused'))).toEqual([2, [1, 3, 4]]);
  expect(await lostAndWritten(databaseUnavailable(new Error('away')))).toEqual([4, [1]]);
});

it('while the database is slow, a merchant has at most one batch in memory', async () => {
  const written: string[] = [];
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const database = {
    async write(_statement: unknown, values: { requestIds: readonly string[] }) {
      await slow;
      written.push(...values.requestIds);
    },
  } as unknown as Database;
  const log = new RequestLog({ database, clock: systemClock, log: silentLog });
  log.add([request({ requestId: 'first' })]);
  const writes = [log.write()];
  await Promise.resolve();
  for (let round = 0; round < 10; round += 1) {
    log.add(Array.from({ length: batchAtMost }, (_, n) => request({ requestId: `${round}-${n}` })));
    writes.push(log.write());
  }
  answer();
  await Promise.all(writes);
  expect(written).toHaveLength(1 + batchAtMost);
  expect([written[0], written[1], written.at(-1)]).toEqual(['first', '9-0', '9-249']);
});

it('an operator who keeps no list records nothing, and merchants are told', async () => {
  const { database } = running;
  const off = requestLogRoom({ database, clock: systemClock, log: silentLog, isOn: false });
  expect(off.recorder).toBeUndefined();
  const [route] = off.routes;
  if (route?.kind !== 'read') throw new Error('it is a read');
  const call = { caller: { merchantId: 1 as MerchantId }, query: {} } as unknown as Call<never, never, never, never>;
  await expect(route.run(call, database)).rejects.toMatchObject({ code: 'request_log_off', kind: 'not_found' });
});
