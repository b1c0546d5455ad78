/**
 * Whole transfers over HTTP. One process serves the API: quotes, orders, payments. Another is the worker, which stands
 * still until all orders of a round are paid, then moves them on until the last payout is complete. Prints how many it
 * moves in a second, and the processor time of a transfer, which other programs on the machine change little. Nothing
 * but the API is used, so `npm run bench:compare` compares any two versions. `--short` makes it quick and rough.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { testMasterKey } from '../test/harness/master-key.js';
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { median, printTable, spread } from './parts/figures.js';
import { query } from './parts/users.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const transfersPerRound = isShort ? 300 : 1_000;
const requestsAtOnce = 8;
const msPerTick = 10;
const secondsPerDay = 86_400;

const place = await makePlace();
const api = await start('api');
const worker = await start('worker');
const token = await newToken();
const [row] = await query(place.url, `SELECT current_setting('data_directory') AS folder`);
const postmaster = Number(readFileSync(join(String(row?.folder), 'postmaster.pid'), 'utf8').split('\n')[0]);

function start(role: 'api' | 'worker') {
  return startChild('users-service', [], {
    DATABASE_URL: place.url,
    DATA_DIR: join(tmpdir(), `remesa-bench-${role}`),
    MASTER_KEY: testMasterKey,
    PORT: '0',
    ROLE: role,
    REQUESTS_PER_MINUTE: '10000000',
  });
}

async function newToken(): Promise<string> {
  const response = await fetch(`${api.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function post<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Answer>;
}

/** A user who may send. */
async function newSender(): Promise<number> {
  const { id } = await post<{ id: number }>('/user', {
    firstName: 'Ana',
    lastName: 'Reyes Nunez',
    email: 'ana.reyes@example.com',
    address: '12 Calle del Sol',
    city: 'Valencia',
    stateProvince: 'Comunitat Valenciana',
    countryCode: 'ES',
    postalCode: '46001',
  });
  await post(`/sandbox/kyc?userId=${id}`, { kycLevel: 'LEVEL_1' });
  return id;
}

let recipients = 0;

/** Each sender has a recipient of their own. */
async function placeOrder(userId: number): Promise<string> {
  recipients += 1;
  const { code } = await post<{ code: string }>('/rates', { fiatIn: 'EUR', fiatOut: 'KES', amountIn: 100 });
  const { id } = await post<{ id: string }>(`/orders?userId=${userId}`, {
    rateCode: code,
    beneficiary: {
      country: 'KE',
      currency: 'KES',
      method: 'mobile_wallet',
      type: 'person',
      firstName: 'Wanjiku',
      lastName: 'Kamau',
      account: { walletProvider: 'm_pesa', phoneNumber: `+2547121${String(recipients).padStart(5, '0')}` },
    },
    purpose: 'family_support',
  });
  return id;
}

/** Several at a time, in any order. */
async function forEach<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const left = items[Symbol.iterator]();
  const results: Result[] = [];
  const next = async () => {
    for (const item of left) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, next));
  return results;
}

async function allComplete(count: number): Promise<void> {
  for (;;) {
    const [found] = await query(place.url, `SELECT count(*)::int AS done FROM orders WHERE state = 'COMPLETED'`);
    if (Number(found?.done) === count) return;
    await wait(50);
  }
}

/** The server with all its processes, also of those that have ended. */
function serverMilliseconds(): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
      const [, parent, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields;
      const isServer = Number(name) === postmaster;
      if (isServer || parent === postmaster) ticks += user + system;
      if (isServer) ticks += endedUser + endedSystem;
    } catch {
      // It has just ended; the server counts it from now on.
    }
  }
  return ticks * msPerTick;
}

interface Used {
  readonly service: number;
  readonly server: number;
  readonly seconds: number;
}

/** The milliseconds of processor time that the work takes for each transfer. */
async function measure(service: typeof api, work: () => Promise<unknown>): Promise<Used> {
  const began = performance.now();
  const before = { service: await service.cpuMicroseconds(), server: serverMilliseconds() };
  await work();
  return {
    service: ((await service.cpuMicroseconds()) - before.service) / 1000 / transfersPerRound,
    server: (serverMilliseconds() - before.server) / transfersPerRound,
    seconds: (performance.now() - began) / 1000,
  };
}

interface Round {
  readonly placing: Used;
  readonly paying: Used;
  readonly moving: Used;
}

async function measureRound(total: number): Promise<Round> {
  const senders = await forEach(Array.from({ length: transfersPerRound }), newSender);
  // What the senders left to do is done before anything is measured.
  await wait(1000);
  worker.pause();
  let orders: string[] = [];
  const placing = await measure(api, async () => {
    orders = await forEach(senders, placeOrder);
  });
  const paying = await measure(api, () => forEach(orders, (orderId) => post('/sandbox/payments', { orderId })));
  worker.resume();
  const moving = await measure(worker, () => allComplete(total));
  return { placing, paying, moving };
}

const measured: Round[] = [];
for (let round = 0; round <= rounds; round += 1) measured.push(await measureRound((round + 1) * transfersPerRound));
// The first round only warms up.
const warm = measured.slice(1);
const both = ({ service, server }: Used) => service + server;
const of = (pick: (round: Round) => number) => spread(warm.map(pick));
const movedPerSecond = ({ moving }: Round) => transfersPerRound / moving.seconds;
console.log(`\nWhole transfers, fsync on, medians of ${rounds} rounds of ${transfersPerRound}`);
printTable(
  ['processor time of each, ms', 'service', 'PostgreSQL', 'both'],
  (['placing', 'paying', 'moving'] as const).map((part) => [
    { placing: 'quote and order', paying: 'payment', moving: 'until it is complete' }[part],
    of((round) => round[part].service),
    of((round) => round[part].server),
    of((round) => both(round[part])),
  ]),
);
console.log(
  `a whole transfer, ms: ${of(({ placing, paying, moving }) => both(placing) + both(paying) + both(moving))}`,
);
console.log(`orders that one worker completes in a second: ${of(movedPerSecond)}`);
const perDay = Math.round(median(warm.map(movedPerSecond)) * secondsPerDay);
console.log(`that is ${perDay.toLocaleString('en')} a day`);
await Promise.all([api.end(), worker.end()]);
await place.end();
process.exit(process.exitCode ?? 0);
