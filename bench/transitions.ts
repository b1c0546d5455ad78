/**
 * Transitions by the worker: paid orders are converted and their payouts submitted (the job `orders.advance`), then sent to
 * the simulated rail and completed (`payouts.send`), against pgbench with the statements of each transition and as many
 * clients. Also the round trips of each transition, and what each costs. `--short` makes it quick and rough;
 * `--orders=2000` sets how many orders a round has.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startService } from '../src/app.js';
import { readConfig } from '../src/config/config.js';
import { merchantId } from '../src/ids.js';
import { createLog } from '../src/log.js';
import { ordersAtOnce } from '../src/orders/flow/advance-job.js';
import type { Job } from '../src/worker/worker.js';
import { testMasterKey } from '../test/harness/master-key.js';
import { orderVerbs } from '../test/orders/verbs.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { copyPaidOrder, makeApprovedSenders, makePaidOrders } from './parts/paid-orders.js';
import { pgbench } from './parts/pgbench.js';
import { type RoundTrip, recordTrips, scriptOf } from './parts/recorded.js';

const isShort = process.argv.includes('--short');
const given = process.argv.find((argument) => argument.startsWith('--orders='));
const ordersPerRound = Number(given?.slice('--orders='.length) ?? (isShort ? 1_000 : 3_000));
const rounds = isShort ? 3 : 5;
const senderCount = 200;
/** As many as the worker moves on at the same time. */
const clients = ordersAtOnce;
const fewestPerSecond = 600;
const smallestRatio = 0.6;
const mostTrips = 4;
const jobNames = { advance: 'orders.advance', send: 'payouts.send' } as const;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-transitions-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const jobs = new Map<string, Job>();
const service = await startService(
  readConfig({
    DATABASE_URL: place.url,
    DATA_DIR: join(folder, 'service'),
    MASTER_KEY: testMasterKey,
    PORT: '0',
  }),
  {
    log: createLog({ level: 'error' }).log,
    say: () => {},
    chooseJobs: (all) => {
      for (const job of all) jobs.set(job.name, job);
      return [];
    },
  },
);
const sql = new pg.Client({ connectionString: place.url });
await sql.connect();
const { rows: merchants } = await sql.query(`SELECT merchant_id FROM merchants WHERE client_id = 'demo'`);
const demo = merchantId(Number(merchants[0].merchant_id));
const { users } = await orderVerbs(service.database);
const orders = { database: service.database, sql, users, merchantId: demo };
const senders = await makeApprovedSenders(orders, senderCount);

interface Measured {
  readonly perSecond: number;
  /** Of this process, in microseconds for each order. */
  readonly cpu: number;
}

/** Runs the job until nothing is left to do. */
async function work(name: string): Promise<void> {
  const job = jobs.get(name);
  if (!job) throw new Error(`there is no job ${name}`);
  while ((await job.run(AbortSignal.timeout(600_000))) > 0);
}

/** All orders of the round are in this state afterwards. */
async function measure(name: string, state: string, count: number): Promise<Measured> {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  await work(name);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { rows } = await sql.query('SELECT DISTINCT state FROM orders WHERE merchant_id = $1', [demo]);
  const other = rows.map((row) => row.state).filter((found) => found !== state && found !== 'COMPLETED');
  if (other.length > 0) throw new Error(`after ${name} there are orders in ${other.join()}`);
  return { perSecond: count / seconds, cpu: (user + system) / count };
}

interface RecordedOrder {
  readonly advance: RoundTrip[];
  readonly send: RoundTrip[];
}

/** What the worker sends for one order. The first ones only warm up: they prepare the statements. */
async function record(): Promise<RecordedOrder> {
  const samples: RecordedOrder[] = [];
  for (let sample = 0; sample < 30; sample += 1) {
    await makePaidOrders(orders, senders.slice(sample), 1);
    samples.push({
      advance: await recordTrips(() => work(jobNames.advance)),
      send: await recordTrips(() => work(jobNames.send)),
    });
  }
  const warm = samples.slice(15);
  return {
    advance: typical(warm.map(({ advance }) => advance)),
    send: typical(warm.map(({ send }) => send)),
  };
}

/** The shortest sample, because now and then something else happens meanwhile, with the median times of all. */
function typical(samples: readonly RoundTrip[][]): RoundTrip[] {
  const [shortest = []] = [...samples].sort((left, right) => left.length - right.length);
  const keyOf = ({ statements }: RoundTrip) => statements.map(({ name }) => name).join(', ');
  return shortest
    .filter(({ statements: [first] }) => !first?.name.startsWith('wake-up.'))
    .map((trip) => {
      const same = samples.flatMap((sample) => sample.filter((each) => keyOf(each) === keyOf(trip)));
      return { ...trip, ms: median(same.map(({ ms }) => ms)) };
    });
}

const namesOf = (trips: readonly RoundTrip[]) =>
  trips.flatMap(({ statements }) => statements.map(({ name }) => name));

/** The transactions among the trips, each from its BEGIN to its COMMIT. */
function transactionsOf(trips: readonly RoundTrip[]): RoundTrip[][] {
  const found: RoundTrip[][] = [];
  for (const trip of trips) {
    if (trip.statements[0]?.name === 'BEGIN') found.push([]);
    if (found.at(-1)?.at(-1)?.statements[0]?.name !== 'COMMIT') found.at(-1)?.push(trip);
  }
  return found;
}

function transitionsOf(trips: readonly RoundTrip[]): RoundTrip[][] {
  return transactionsOf(trips).filter((transaction) => namesOf(transaction).includes('orders.update'));
}

/** Ids are made of the number of the run, which all rows of an order share; events and journals have one for each step. */
function scriptFor(trips: readonly RoundTrip[], step: number): string {
  const sent = trips.flatMap(({ statements }) => statements);
  const journals = sent.filter(({ name }) => name === 'ledger.insert-journal').map(({ values }) => values[1]);
  const replaced = (value: unknown) => {
    const index = journals.findIndex((id) => String(id) === String(value));
    if (index >= 0) return `((:k)::bigint * 8 + ${step + index})`;
    const id = /^([a-z]{2,4}_|ORD|MSG)[0-9A-HJKMNP-TV-Z]{26}(\.[a-z]+)?$/.exec(String(value));
    const number = id?.[1] === 'evt_' ? `((:k)::bigint * 8 + ${step})` : '(:k)';
    return id ? `'${id[1]}' || lpad(${number}::text, 26, '0') || '${id[2] ?? ''}'` : undefined;
  };
  return `\\set n :n + 1\n\\set k :base + :client_id * ${runsPerClient} + :n - 1\n${scriptOf(trips, replaced)}`;
}

const runsPerClient = Math.ceil(ordersPerRound / clients);

const recorded = await record();
const [convert = [], submit = []] = transitionsOf(recorded.advance);
const [complete = []] = transitionsOf(recorded.send);
// Everything that happens to one payout: its lease, what the simulated rail keeps, and both of its reports.
const shared = ['lease-store.list-merchants', 'lease-store.list-of-merchant'];
const payout = recorded.send.filter((trip) => !namesOf([trip]).some((name) => shared.includes(name)));
const scripts = {
  convert: scriptFor(convert, 1),
  submit: scriptFor(submit, 2),
  payout: scriptFor(payout, 3),
};
await makePaidOrders(orders, senders, 1);
const { rows: templates } = await sql.query(`SELECT order_id FROM orders WHERE state = 'PAYMENT_RECEIVED'`);
await work(jobNames.advance);
await work(jobNames.send);

interface Round {
  readonly advance: Measured;
  readonly send: Measured;
  readonly convert: number;
  readonly submit: number;
  readonly payout: number;
}

async function measureRound(round: number): Promise<Round> {
  await makePaidOrders(orders, senders, ordersPerRound);
  const advance = await measure(jobNames.advance, 'PAYOUT_SUBMITTED', ordersPerRound);
  const send = await measure(jobNames.send, 'COMPLETED', ordersPerRound);
  const base = 10 ** 9 * (round + 1);
  await copyPaidOrder(sql, templates[0].order_id, { first: base, count: runsPerClient * clients });
  const run = async (script: string) => {
    const options = { url: place.url, folder, script, clients, runsPerClient, variables: { n: 0, base } };
    return (await pgbench(options)).perSecond;
  };
  return {
    ...{ advance, send },
    convert: await run(scripts.convert),
    submit: await run(scripts.submit),
    payout: await run(scripts.payout),
  };
}

function printTrips(title: string, trips: readonly RoundTrip[]): void {
  console.log(`\n${title}: ${trips.length} round trips, ${namesOf(trips).length} statements`);
  printTable(
    ['statements', 'ms'],
    trips.map((trip) => [namesOf([trip]).join(', '), trip.ms.toFixed(2)]),
  );
}

printTrips('One order alone, from PAYMENT_RECEIVED to PAYOUT_SUBMITTED', recorded.advance);
printTrips('One payout alone, from READY to PAID', recorded.send);
await makePaidOrders(orders, senders, 50);
const ofFifty = await recordTrips(() => work(jobNames.advance));
await work(jobNames.send);
console.log(`\nFifty orders at once: ${(namesOf(ofFifty).length / 50).toFixed(1)} statements for each order`);

const measured: Round[] = [];
for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(round));
const of = (pick: (round: Round) => number) => spread(measured.map(pick), 0);
const pairOf = (round: Round) => 2 / (1 / round.convert + 1 / round.submit);
const advanceOf = ({ advance }: Round) => 2 * advance.perSecond;
const transitions = (round: Round) => 3 / (1 / round.advance.perSecond + 1 / round.send.perSecond);
console.log(
  `\nTransitions per second, ${clients} clients, fsync on, medians of ${rounds} rounds of ${ordersPerRound} orders`,
);
printTable(
  ['', 'per second'],
  [
    ['pgbench -M prepared: convert', of((round) => round.convert)],
    ['pgbench -M prepared: submit_payout', of((round) => round.submit)],
    ['pgbench: both, one after the other', of(pairOf)],
    ['the worker: convert and submit_payout', of(advanceOf)],
    ['pgbench: a payout until it is complete', of((round) => round.payout)],
    ['the worker: a payout until it is complete', of((round) => round.send.perSecond)],
    ['the worker: all three, one after the other', of(transitions)],
  ],
);
console.log(
  `processor time of the worker for an order: ${of(({ advance }) => advance.cpu)} µs until its payout is submitted, ` +
    `${of(({ send }) => send.cpu)} µs until it is complete`,
);
const ratios = measured.map((round) => advanceOf(round) / pairOf(round));
const payoutRatios = measured.map((round) => round.send.perSecond / round.payout);
for (const [name, trips] of Object.entries({ convert, submit_payout: submit, complete }))
  judge(`${name}: ${trips.length} round trips (at most ${mostTrips})`, trips.length <= mostTrips);
judge(
  `convert and submit_payout: ${spread(ratios)} of pgbench (at least ${smallestRatio})`,
  median(ratios) >= smallestRatio,
);
judge(
  `a payout until it is complete: ${spread(payoutRatios)} of pgbench (at least ${smallestRatio})`,
  median(payoutRatios) >= smallestRatio,
);
judge(
  `${of(advanceOf)} transitions per second (at least ${fewestPerSecond})`,
  median(measured.map(advanceOf)) >= fewestPerSecond,
);
await sql.end();
await service.stop();
await place.end();
process.exit(process.exitCode ?? 0);
