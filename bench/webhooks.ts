/**
 * Notifications: how fast a long queue is sent, how soon a change arrives, and what hostile endpoints do to others.
 * Each against a loop that signs and posts with the same HTTP client and no database. `--short` makes it quick and
 * rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { merchantId } from '../src/ids.js';
import { createMerchant } from '../src/merchants/service.js';
import { findMerchant } from '../src/merchants/store.js';
import { registerUrl } from '../src/webhooks/registration.js';
import { testMasterKey } from '../test/harness/master-key.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { takeArrivals, untilArrived } from './parts/arrivals.js';
import { type Child, startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { forgetEvents, queueEvents } from './parts/events.js';
import { judge, median, printTable, quantile, spread } from './parts/figures.js';
import { timeByPart } from './parts/profile.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 2 : 7;
const queued = isShort ? 4000 : 20_000;
const singles = isShort ? 60 : 300;
const hostileSeconds = isShort ? 8 : 40;
const hostileEndpoints = 50;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-webhooks-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const by = { actor: { kind: 'system', name: 'bench' } } as const;

const settings = {
  DATABASE_URL: place.url,
  DATA_DIR: join(folder, 'service'),
  MASTER_KEY: testMasterKey,
  PORT: '0',
  REQUESTS_PER_MINUTE: '10000000',
};
const startService = (role: 'all' | 'api' | 'worker', args: readonly string[] = []) =>
  startChild('notifying-service', args, { ...settings, ROLE: role }, join(folder, `${role}.log`));
const startReceiver = () => startChild('receiver', []);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await (await startService('all')).end();
const database = new SealingDatabase(place.url, { poolSize: 4 });
const sql = new pg.Client({ connectionString: place.url });
await sql.connect();

async function addMerchant(clientId: string, url: string): Promise<number> {
  return database.transaction(async (tx) => {
    await createMerchant(tx, by, { name: clientId, clientId });
    const number = merchantId((await findMerchant(tx, clientId))?.merchantId);
    await registerUrl(tx, by, { merchantId: number, channel: 'order' }, { url }, 'public');
    return number;
  });
}

const receiver = await startReceiver();
const merchant = await addMerchant('good', `${receiver.url}/hook`);
const setServed = (isServed: boolean) =>
  sql.query(
    `UPDATE webhook_endpoints SET circuit_open_until = CASE WHEN $1 THEN NULL ELSE now() + interval '1 hour' END`,
    [isServed],
  );

/** Notifications a second, from the first arrival to the last. */
async function drain(unnumbered: boolean): Promise<number> {
  await setServed(false);
  await queueEvents({ sql, database }, [merchant], queued, { unnumbered });
  await takeArrivals(receiver.url);
  await setServed(true);
  await untilArrived(receiver.url, queued);
  const times = [...(await takeArrivals(receiver.url)).values()];
  if (times.length !== queued) throw new Error(`${times.length} of ${queued} arrived`);
  return (times.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1e6);
}

async function bareBurst(sender: Child): Promise<number> {
  await takeArrivals(receiver.url);
  const answer = await fetch(`${sender.url}/burst?count=${queued}`);
  return queued / (Number(await answer.text()) / 1e6);
}

interface Throughput {
  readonly bare: number;
  readonly pending: number;
  readonly unnumbered: number;
  readonly cpu: number;
}

async function throughput(sender: Child): Promise<Throughput[]> {
  const worker = await startService('worker');
  await bareBurst(sender);
  await drain(false);
  const measured: Throughput[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await bareBurst(sender);
    const before = await worker.cpuMicroseconds();
    const pending = await drain(false);
    const cpu = ((await worker.cpuMicroseconds()) - before) / queued;
    measured.push({ bare, pending, unnumbered: await drain(true), cpu });
  }
  await worker.end();
  return measured;
}

const parts = [
  ['idle', /^ \((idle|program)\)$/],
  ['garbage', /\(garbage collector\)/],
  ['signing', /signature|node:internal\/crypto/],
  ['PostgreSQL', /src\/postgres|-store|node_modules\/pg/],
  ['HTTP client', /src\/outgoing|webhooks\/delivery\/client|undici/],
  ['turns', /src\/webhooks/],
  ['Node: sockets, timers', /^node:|^ /],
  ['the rest', /./],
] as const;

async function shares(): Promise<void> {
  const profile = join(folder, 'profile.json');
  const worker = await startService('worker', ['profiled', profile]);
  await drain(false);
  await worker.end();
  const spent = timeByPart(profile, parts);
  const whole = [...spent.values()].reduce((sum, part) => sum + part, 0);
  console.log('\nThe worker’s time while it sends a queue, by part (profiler on)');
  printTable(
    ['part', 'share', 'µs each'],
    [...spent].map(([part, time]) => [part, `${((100 * time) / whole).toFixed(0)} %`, (time / queued).toFixed(1)]),
  );
}

/** Milliseconds from the commit to the arrival, of changes that happen one by one. */
async function arrivalTimes(service: Child, count: number, everyMs: number): Promise<number[]> {
  await takeArrivals(receiver.url);
  const committed = new Map<string, number>();
  for (let number = 0; number < count; number += 1) {
    const answer = await fetch(`${service.url}/happen?merchant=${merchant}&subject=s${number}`, {
      method: 'POST',
    });
    const { eventId, committedAt } = (await answer.json()) as { eventId: string; committedAt: number };
    committed.set(eventId, committedAt);
    await pause(everyMs * (0.5 + Math.random()));
  }
  await untilArrived(receiver.url, count);
  const arrivals = await takeArrivals(receiver.url);
  return [...committed].map(([id, at]) => ((arrivals.get(id) ?? Number.NaN) - at) / 1000);
}

async function bareTimes(sender: Child, count: number, everyMs: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    times.push(Number(await (await fetch(`${sender.url}/single`)).text()) / 1000);
    await pause(everyMs * (0.5 + Math.random()));
  }
  return times;
}

interface Latency {
  readonly bare: number[];
  readonly together: number[];
  readonly apart: number[];
}

async function latency(sender: Child): Promise<Latency> {
  await forgetEvents(sql);
  const service = await startService('all');
  const warm = isShort ? 20 : 50;
  await bareTimes(sender, warm, 20);
  await arrivalTimes(service, warm, 20);
  const bare = await bareTimes(sender, singles, 40);
  const together = await arrivalTimes(service, singles, 40);
  await service.end();
  const [api, worker] = [await startService('api'), await startService('worker')];
  await arrivalTimes(api, warm, 20);
  const apart = await arrivalTimes(api, singles, 40);
  await Promise.all([api.end(), worker.end()]);
  return { bare, together, apart };
}

async function residentMegabytes(service: Child): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / 1e6;
}

interface Hostility {
  readonly alone: number[];
  readonly beside: number[];
  readonly megabytes: number;
}

async function hostility(): Promise<Hostility> {
  const hostile = await startReceiver();
  await forgetEvents(sql);
  const service = await startService('all');
  const count = (hostileSeconds * 1000) / 20;
  await arrivalTimes(service, 50, 20);
  const alone = await arrivalTimes(service, count, 20);
  const before = await residentMegabytes(service);
  const paths = ['/never', '/endless', '/drip'];
  for (let index = 0; index < hostileEndpoints; index += 1) {
    const number = await addMerchant(`hostile-${index}`, `${hostile.url}${paths[index % 3]}`);
    for (let event = 0; event < 20; event += 1)
      await fetch(`${service.url}/happen?merchant=${number}&subject=h${event}`, { method: 'POST' });
  }
  let most = before;
  const watch = setInterval(async () => {
    most = Math.max(most, await residentMegabytes(service));
  }, 500);
  const beside = await arrivalTimes(service, count, 20);
  clearInterval(watch);
  await Promise.all([service.end(), hostile.end()]);
  return { alone, beside, megabytes: most - before };
}

const sender = await startChild('bare-sender', [receiver.url]);
const sent = await throughput(sender);
await shares();
const soon = await latency(sender);
const hostile = await hostility();
await Promise.all([sender.end(), receiver.end(), database.close(), sql.end()]);
await place.end();

const of = (pick: (round: Throughput) => number) => sent.map(pick);
const ratio = of((round) => round.pending / round.bare);
console.log(`\n${queued} events to one endpoint, medians of ${rounds} rounds`);
printTable(
  ['', 'per second', 'of the bare loop'],
  [
    [
      'bare loop: sign and post',
      spread(
        of((round) => round.bare),
        0,
      ),
      '1',
    ],
    [
      'one worker, events pending',
      spread(
        of((round) => round.pending),
        0,
      ),
      spread(ratio),
    ],
    [
      'one worker, events not numbered yet',
      spread(
        of((round) => round.unnumbered),
        0,
      ),
      spread(of((round) => round.unnumbered / round.bare)),
    ],
  ],
);
console.log(
  `processor time of the worker: ${spread(
    of((round) => round.cpu),
    0,
  )} µs a notification`,
);
const shown = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`;
console.log(`\na bare signed POST: ${shown(soon.bare)}`);
console.log(`from commit to arrival, one process: ${shown(soon.together)}`);
console.log(`from commit to arrival, the API and the worker apart: ${shown(soon.apart)}`);
console.log(`\nfrom commit to arrival, alone: ${shown(hostile.alone)}`);
console.log(
  `beside ${hostileEndpoints} hostile endpoints: ${shown(hostile.beside)}; ${hostile.megabytes.toFixed(0)} MB more`,
);
judge('a queue is sent at 0.5 of the bare loop or faster', median(ratio) >= 0.5);
judge('a change arrives within 10 times a bare signed POST (p50)', median(soon.together) <= 10 * median(soon.bare));
judge(
  'beside hostile endpoints p99 is at most 3 times as long',
  quantile(hostile.beside, 0.99) <= 3 * quantile(hostile.alone, 0.99),
);
judge('hostile endpoints cost less than 50 MB', hostile.megabytes < 50);
