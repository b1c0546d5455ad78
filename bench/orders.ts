/**
 * POST /orders over HTTP against pgbench with the same statements, and what each of its round trips costs; then
 * creating an order and each filter of GET /merchant/orders among many orders against 1,000. `--orders=500000` sets how
 * many, each with ten postings; `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../src/app.js';
import { readConfig } from '../src/config/config.js';
import { createLog } from '../src/log.js';
import { testMasterKey } from '../test/harness/master-key.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { perSecond } from './parts/load.js';
import { addQuotes, fillOrders } from './parts/orders-fixture.js';
import { createFor, makeOrdersInstance, type OrdersInstance, sqlUsers } from './parts/orders-instance.js';
import { pgbench } from './parts/pgbench.js';
import { type RoundTrip, recordTrips, scriptOf, subjectIs } from './parts/recorded.js';
import { query } from './parts/users.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 5;
/** Long enough that the start of pgbench, which prepares every statement for every client, does not count. */
const sliceSeconds = isShort ? 5 : 8;
const clients = 32;
const pastOrders = Number(
  process.argv.find((argument) => argument.startsWith('--orders='))?.slice('--orders='.length) ??
    (isShort ? 20_000 : 100_000),
);
const fewOrders = 1000;
/** A client of pgbench has so many quotes of its own in a round. */
const quotesPerClient = 4000;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-orders-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The round trips of one request, by a service in this process. */
async function tripsOfOneOrder(instance: OrdersInstance): Promise<RoundTrip[]> {
  const { url, service } = instance;
  const { log } = createLog({ level: 'fatal' });
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'recorded'),
    MASTER_KEY: testMasterKey,
    BASE_URL: service.child.url,
    PORT: '0',
    ROLE: 'api',
    DATABASE_POOL_SIZE: '2',
  });
  const recorded = await startService(config, { log, say: () => {} });
  const samples: RoundTrip[][] = [];
  for (let sample = 0; sample < 30; sample += 1) {
    const [head = '', body = ''] = instance.createRequest().split('\r\n\r\n');
    const [, path = ''] = head.split(' ');
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
    const ask = async () => {
      const answer = await fetch(`${recorded.url}${path}`, { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.text();
    };
    samples.push(await recordTrips(ask));
  }
  await recorded.stop();
  // Now and then something else happens meanwhile. The shortest sample has nothing but the request.
  const [only = []] = samples.slice(10).sort((one, other) => one.length - other.length);
  const keyOf = ({ statements }: RoundTrip) => statements.map(({ name }) => name).join(', ');
  return only.map((trip) => {
    const same = samples.slice(10).flatMap((sample) => sample.filter((each) => keyOf(each) === keyOf(trip)));
    return { ...trip, ms: median(same.map(({ ms }) => ms)) };
  });
}

/** Ids are made of the number of the run; the user is one of those that need no key. */
function replacedBy(user: unknown): (value: unknown) => string | undefined {
  return (value) => {
    if (String(value) === String(user)) return '(:u)::bigint';
    const [, subject, id] = /^(?:([a-z]+):)?([a-z]{2,4}_)[0-9A-HJKMNP-TV-Z]{26}$/.exec(String(value)) ?? [];
    if (id) return `${subjectIs(subject)}'${id}' || lpad((:k)::text, 26, '0')`;
    return /^RF\d\d[0-9A-Z]{21}$/.test(String(value)) ? `'RF' || lpad((:k)::text, 23, '0')` : undefined;
  };
}

async function creating(): Promise<void> {
  const instance = await makeOrdersInstance(place.url, 'creating', isShort ? 16_000 : 50_000);
  const trips = await tripsOfOneOrder(instance);
  const inserted = trips.flatMap(({ statements }) => statements).find(({ name }) => name === 'orders.insert');
  // Requests of one moment share a notification, so it is not a part of each.
  const ofEach = trips.filter(({ statements: [first] }) => !first?.name.startsWith('wake-up.'));
  const statements = scriptOf(ofEach, replacedBy(inserted?.values[2]));
  const script = `\\set n :n + 1\n\\set k :base + :client_id * ${quotesPerClient} + :n\n\\set u random(1, ${sqlUsers})\n${statements}`;
  const measured: { bench: number; service: number; cpu: number }[] = [];
  const { child } = instance.service;
  await createFor(instance, clients, 1);
  for (let round = 0; round < rounds; round += 1) {
    const base = 10 ** 9 * (round + 1);
    await addQuotes(instance, base, clients * quotesPerClient);
    const options = { url: instance.url, folder, script, clients, seconds: sliceSeconds };
    const bench = (await pgbench({ ...options, variables: { n: 0, base } })).perSecond;
    const before = await child.cpuMicroseconds();
    const result = await createFor(instance, clients, sliceSeconds);
    const cpu = ((await child.cpuMicroseconds()) - before) / (result.answers.get(200)?.length ?? 0);
    measured.push({ bench, service: perSecond(result), cpu });
  }
  await child.end();
  console.log(`\nPOST /orders: ${trips.length} round trips to the database, one at a time`);
  printTable(
    ['statements', 'ms'],
    trips.map((trip) => [trip.statements.map(({ name }) => name).join(', '), trip.ms.toFixed(2)]),
  );
  const ratios = measured.map(({ bench, service }) => service / bench);
  const of = (pick: (round: (typeof measured)[number]) => number) => spread(measured.map(pick), 0);
  console.log(`\nCreating orders, ${clients} clients, fsync on, medians of ${rounds} rounds of ${sliceSeconds} s`);
  printTable(
    ['', 'orders/s'],
    [
      ['pgbench -M prepared, the same statements', of(({ bench }) => bench)],
      ['POST /orders, one process', of(({ service }) => service)],
    ],
  );
  console.log(`processor time of the service: ${of(({ cpu }) => cpu)} µs an order`);
  judge(`POST /orders: ${spread(ratios)} of pgbench (at least 0.45)`, median(ratios) >= 0.45);
}

const filters: readonly [string, (created: Date) => string][] = [
  ['no filter', () => ''],
  ['status', () => 'status=IN_REVIEW'],
  ['from and to', (created) => `from=${earlier(created, 8000)}&to=${earlier(created, 4000)}`],
  ['fiatIn', () => 'fiatIn=CHF'],
  ['fiatOut', () => 'fiatOut=KES'],
  ['userId', () => 'userId=7'],
  ['externalOrderId', () => 'externalOrderId=past-7'],
  ['updatedSince', (created) => `updatedSince=${earlier(created, 8000)}`],
  ['fiatIn and status', () => 'fiatIn=CHF&status=COMPLETED'],
];

function earlier(moment: Date, seconds: number): string {
  return encodeURIComponent(new Date(moment.getTime() - seconds * 1000).toISOString());
}

interface Filled extends OrdersInstance {
  readonly createdAt: Date;
}

async function makeFilled(name: string, orders: number): Promise<Filled> {
  const instance = await makeOrdersInstance(place.url, name, isShort ? 6000 : 20_000);
  await createFor(instance, 1, 0.2);
  const [row] = await query(instance.url, 'SELECT order_id, created_at FROM orders LIMIT 1');
  const began = performance.now();
  await fillOrders(instance, String(row?.order_id), orders);
  console.log(`${name}: ${orders} orders, ${orders * 10} postings, filled in ${seconds(began)} s`);
  return { ...instance, createdAt: row?.created_at as Date };
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

async function residentMegabytes({ service: { child } }: OrdersInstance): Promise<number> {
  const text = await (await fetch(`${child.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1e6;
}

async function timeOfList({ service }: OrdersInstance, search: string): Promise<number> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${service.token}` };
  const answer = await fetch(`${service.child.url}/merchant/orders?${search}`, { headers });
  await answer.text();
  if (answer.status !== 200) throw new Error(`the list answered ${answer.status}`);
  return performance.now() - began;
}

async function growing(): Promise<void> {
  const few = await makeFilled('few', fewOrders);
  const many = await makeFilled('many', pastOrders);
  const created: { few: number; many: number }[] = [];
  for (const instance of [few, many]) await createFor(instance, 8, 1);
  for (let round = 0; round < rounds; round += 1)
    created.push({
      few: perSecond(await createFor(few, 8, 2)),
      many: perSecond(await createFor(many, 8, 2)),
    });
  const times = created.map((round) => round.few / round.many);
  const lines: string[][] = [];
  const verdicts: [string, boolean][] = [];
  for (const [name, search] of filters) {
    const found: { few: number; many: number }[] = [];
    for (let run = 0; run < (isShort ? 40 : 120); run += 1)
      found.push({
        few: await timeOfList(few, search(few.createdAt)),
        many: await timeOfList(many, search(many.createdAt)),
      });
    const [short, long] = [median(found.map((run) => run.few)), median(found.map((run) => run.many))];
    lines.push([name, `${short.toFixed(2)} ms`, `${long.toFixed(2)} ms`, (long / short).toFixed(2)]);
    verdicts.push([`${name}: ${(long / short).toFixed(2)} times (at most 2)`, long / short <= 2]);
  }
  // Both have done the same work, so what differs is what the orders take.
  const [small, large] = [await residentMegabytes(few), await residentMegabytes(many)];
  console.log(`\nGET /merchant/orders among ${fewOrders} and ${pastOrders} orders, medians`);
  printTable(['filter', String(fewOrders), String(pastOrders), 'times'], lines);
  judge(`creating an order: ${spread(times)} times (at most 1.3)`, median(times) <= 1.3);
  for (const [what, isMet] of verdicts) judge(what, isMet);
  judge(
    `memory among ${fewOrders} orders ${small.toFixed(0)} MB, among ${pastOrders} ${large.toFixed(0)} MB (at most 60 more)`,
    large - small <= 60,
  );
  await Promise.all([few, many].map(({ service }) => service.child.end()));
}

await creating();
await growing();
await place.end();
