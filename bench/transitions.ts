/**
 * Transitions by the worker: paid orders are converted and their payouts submitted (the job `orders.advance`), then sent to
 * the simulated rail and completed (`payouts.send`), against pgbench with the statements of each transition and as many
 * clients. The worker converts several orders in one transaction, so a run of pgbench does too. Also the round trips of each
 * transition, and what each costs; then the same job among many orders against few.
 * `--short` makes it quick and rough; `--orders=3000` sets how many orders a round has, `--past=500000` how many orders there
 * are before, each with ten postings.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupsAtOnce, ordersTogether } from '../src/orders/flow/advance-job.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { fillOrders } from './parts/orders-fixture.js';
import { copyPaidOrder } from './parts/paid-orders.js';
import { pgbench } from './parts/pgbench.js';
import { type RoundTrip, recordTrips, scriptOf } from './parts/recorded.js';
import { BenchWorker, jobNames, type Measured } from './parts/worker.js';

const isShort = process.argv.includes('--short');
const ordersPerRound = numberOf('--orders=') ?? (isShort ? 1_000 : 3_000);
const pastOrders = numberOf('--past=') ?? (isShort ? 20_000 : 100_000);
const fewOrders = 1000;
const rounds = isShort ? 3 : 5;
/** As many as the worker has transactions at the same time. */
const clients = groupsAtOnce;
/** Payouts are sent to the simulated rail one by one, so many at the same time. */
const payoutClients = 8;
const ordersPerClient = Math.ceil(ordersPerRound / clients / ordersTogether / 2) * ordersTogether * 2;
const fewestPerSecond = 600;
const smallestRatio = 0.6;
const mostTrips = 4;
const mostTimes = 1.3;

function numberOf(option: string): number | undefined {
  const given = process.argv.find((argument) => argument.startsWith(option));
  return given === undefined ? undefined : Number(given.slice(option.length));
}

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-transitions-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface RecordedOrder {
  readonly advance: RoundTrip[];
  readonly send: RoundTrip[];
}

/** What the worker sends for orders that it moves on together, and for one payout. The first samples only warm up. */
async function record(worker: BenchWorker): Promise<RecordedOrder> {
  const samples: RecordedOrder[] = [];
  for (let sample = 0; sample < 14; sample += 1) {
    await worker.pay(1, sample);
    await worker.work(jobNames.advance);
    const send = await recordTrips(() => worker.work(jobNames.send));
    await worker.pay(ordersTogether, sample);
    samples.push({ advance: await recordTrips(() => worker.work(jobNames.advance)), send });
    await worker.work(jobNames.send);
  }
  const warm = samples.slice(7);
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

interface ScriptOptions {
  /** Events and journals of an order have a number for each step. */
  readonly step: number;
  /** The orders of a run, and all of a client. */
  readonly ordersPerRun: number;
  readonly ofClient: number;
}

/**
 * Ids are made of the number of the order, which is the number `:k` of the run and the place of the order in it. The first id
 * of a kind that appears belongs to the first order, and so on.
 */
function scriptFor(trips: readonly RoundTrip[], { step, ordersPerRun, ofClient }: ScriptOptions): string {
  const sent = trips.flatMap(({ statements }) => statements);
  const written = sent.filter(({ name }) => name === 'ledger.insert-journal');
  const journals = new Set(written.flatMap(({ values }) => values[1] as unknown[]).map(String));
  const places = new Map<string, string[]>();
  const numberOfOrder = (kind: string, id: string) => {
    const known = places.get(kind) ?? [];
    if (!known.includes(id)) places.set(kind, [...known, id]);
    const place = (places.get(kind) ?? []).indexOf(id);
    return place < ordersPerRun ? `(:k)::bigint + ${place}` : undefined;
  };
  const replaced = (value: unknown) => {
    if (journals.has(String(value))) return `((${numberOfOrder('journal', String(value))}) * 8 + ${step})`;
    const id = /^([a-z]{2,4}_|ORD|MSG)([0-9A-HJKMNP-TV-Z]{26})(\.[a-z]+)?$/.exec(String(value));
    if (!id) return undefined;
    const [, kind = '', text = '', suffix = ''] = id;
    if (kind !== 'evt_')
      return `'${kind}' || lpad((${numberOfOrder(kind, text)})::text, 26, '0') || '${suffix}'`;
    return `'evt_' || lpad(((${numberOfOrder(kind, text)}) * 8 + ${step})::text, 26, '0')`;
  };
  const first = `:base + :client_id * ${ofClient} + (:n - 1) * ${ordersPerRun}`;
  return `\\set n :n + 1\n\\set k ${first}\n${scriptOf(trips, replaced)}`;
}

const main = await BenchWorker.start(place.url, 'transitions', folder);
const { sql } = main.place;
const recorded = await record(main);
const [convert = [], submit = []] = transitionsOf(recorded.advance);
const [complete = []] = transitionsOf(recorded.send);
// Everything that happens to one payout: its lease, what the simulated rail keeps, and both of its reports.
const shared = ['lease-store.list-merchants', 'lease-store.list-of-merchant'];
const payout = recorded.send.filter((trip) => !namesOf([trip]).some((name) => shared.includes(name)));
const together = { ordersPerRun: ordersTogether, ofClient: ordersPerClient };
const alone = { ordersPerRun: 1, ofClient: (ordersPerClient * clients) / payoutClients };
const scripts = {
  convert: scriptFor(convert, { step: 1, ...together }),
  submit: scriptFor(submit, { step: 2, ...together }),
  payout: scriptFor(payout, { step: 3, ...alone }),
};
await main.pay(1);
const { rows: templates } = await sql.query(`SELECT order_id FROM orders WHERE state = 'PAYMENT_RECEIVED'`);
await main.work(jobNames.advance);
await main.work(jobNames.send);

interface Round {
  readonly advance: Measured;
  readonly send: Measured;
  readonly convert: number;
  readonly submit: number;
  readonly payout: number;
}

async function measureRound(round: number): Promise<Round> {
  await main.pay(ordersPerRound);
  const advance = await main.measure(jobNames.advance, 'PAYOUT_SUBMITTED', ordersPerRound);
  const send = await main.measure(jobNames.send, 'COMPLETED', ordersPerRound);
  const base = 10 ** 9 * (round + 1);
  await copyPaidOrder(sql, templates[0].order_id, { first: base, count: ordersPerClient * clients });
  const run = async (script: string, clientsAtOnce: number, { ordersPerRun, ofClient }: typeof together) => {
    const options = {
      clients: clientsAtOnce,
      runsPerClient: ofClient / ordersPerRun,
      variables: { n: 0, base },
    };
    return ordersPerRun * (await pgbench({ url: main.url, folder, script, ...options })).perSecond;
  };
  return {
    ...{ advance, send },
    convert: await run(scripts.convert, clients, together),
    submit: await run(scripts.submit, clients, together),
    payout: await run(scripts.payout, payoutClients, alone),
  };
}

function printTrips(title: string, trips: readonly RoundTrip[]): void {
  console.log(`\n${title}: ${trips.length} round trips, ${namesOf(trips).length} statements`);
  printTable(
    ['statements', 'ms'],
    trips.map((trip) => [namesOf([trip]).join(', '), trip.ms.toFixed(2)]),
  );
}

printTrips(`${ordersTogether} orders, from PAYMENT_RECEIVED to PAYOUT_SUBMITTED`, recorded.advance);
printTrips('One payout alone, from READY to PAID', recorded.send);
await main.pay(50);
const ofFifty = await recordTrips(() => main.work(jobNames.advance));
await main.work(jobNames.send);
console.log(`\nFifty orders at once: ${(namesOf(ofFifty).length / 50).toFixed(1)} statements for each order`);

const measured: Round[] = [];
for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(round));
const of = (pick: (round: Round) => number) => spread(measured.map(pick), 0);
const pairOf = (round: Round) => 2 / (1 / round.convert + 1 / round.submit);
const advanceOf = ({ advance }: Round) => 2 * advance.perSecond;
const transitions = (round: Round) => 3 / (1 / round.advance.perSecond + 1 / round.send.perSecond);
console.log(
  `\nTransitions per second, ${clients} clients (${payoutClients} for payouts), ${ordersTogether} orders in a transaction, fsync on, ` +
    `medians of ${rounds} rounds of ${ordersPerRound} orders`,
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
await main.stop();

/** Among so many orders that are finished. */
async function startAmong(name: string, past: number): Promise<BenchWorker> {
  const worker = await BenchWorker.start(place.url, name, folder);
  await worker.pay(1);
  const { rows } = await worker.place.sql.query('SELECT order_id FROM orders');
  await worker.work(jobNames.advance);
  await worker.work(jobNames.send);
  await fillOrders({ url: worker.url, merchant: worker.place.merchantId }, rows[0].order_id, past);
  return worker;
}

async function timeAmong(worker: BenchWorker): Promise<number> {
  await worker.pay(fewOrders / 2);
  const { perSecond } = await worker.measure(jobNames.advance, 'PAYOUT_SUBMITTED', fewOrders / 2);
  await worker.work(jobNames.send);
  return 1 / perSecond;
}

const few = await startAmong('few', fewOrders);
const many = await startAmong('many', pastOrders);
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const among = await timeAmong(many);
  times.push(among / (await timeAmong(few)));
}
judge(
  `advancing among ${pastOrders} orders takes ${spread(times)} times as long as among ${fewOrders} (at most ${mostTimes})`,
  median(times) <= mostTimes,
);
await Promise.all([few.stop(), many.stop()]);
await place.end();
process.exit(process.exitCode ?? 0);
