/**
 * Transitions by the worker: paid orders are converted and their payouts submitted (the job `orders.advance`), then
 * sent to the simulated rail and completed (`payouts.send`), against pgbench with the statements of each transition, in
 * as many round trips, and as many clients. Also the round trips of each transition, and what each costs; then the same
 * job among many orders against few. `--short` makes it quick and rough; `--orders=3000` sets how many orders a round
 * has, `--past=500000` how many orders there are before, each with ten postings.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordersAtOnce } from '../src/orders/flow/advance-job.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { fillOrders } from './parts/orders-fixture.js';
import { copyPaidOrder } from './parts/paid-orders.js';
import { pgbench } from './parts/pgbench.js';
import { type RoundTrip, recordTrips } from './parts/recorded.js';
import { namesOf, scriptFor, transitionsOf, typical } from './parts/transition-scripts.js';
import { BenchWorker, jobNames, type Measured } from './parts/worker.js';

const isShort = process.argv.includes('--short');
const ordersPerRound = numberOf('--orders=') ?? (isShort ? 1_000 : 3_000);
const pastOrders = numberOf('--past=') ?? (isShort ? 20_000 : 100_000);
const fewOrders = 1000;
const rounds = isShort ? 3 : 5;
/** As many as the worker has transactions at the same time. */
const clients = ordersAtOnce;
/** Payouts are sent to the simulated rail one by one, so many at the same time. */
const payoutClients = 8;
const ordersPerClient = 2 * Math.ceil(ordersPerRound / clients / 2);
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

interface Recorded {
  readonly advance: RoundTrip[];
  readonly send: RoundTrip[];
}

/** What the worker sends for one order, and for one payout. */
async function record(worker: BenchWorker): Promise<Recorded> {
  const samples: Recorded[] = [];
  for (let sample = 0; sample < 14; sample += 1) {
    await worker.pay(1, sample);
    const advance = await recordTrips(() => worker.work(jobNames.advance));
    const send = await recordTrips(() => worker.work(jobNames.send));
    samples.push({ advance, send });
  }
  // The first samples only warm up.
  const warm = samples.slice(7);
  return {
    advance: typical(warm.map(({ advance }) => advance)),
    send: typical(warm.map(({ send }) => send)),
  };
}

const main = await BenchWorker.start(place.url, 'transitions', folder);
const { sql } = main.place;
const recorded = await record(main);
const [convert = [], submit = []] = transitionsOf(recorded.advance);
const [complete = []] = transitionsOf(recorded.send);
// Everything that happens to one payout but its claim, which several share: what the simulated rail keeps, and both of
// its reports.
const shared = ['lease-store.list-merchants', 'lease-store.claim'];
const payout = recorded.send.filter((trip) => !namesOf([trip]).some((name) => shared.includes(name)));
const ofOrder = { clients, ofClient: ordersPerClient };
// What pgbench has submitted must not be left to the worker.
const ofPayout = { clients: payoutClients, ofClient: (ordersPerClient * clients) / payoutClients };
const scripts = {
  convert: scriptFor(convert, { step: 1, ofClient: ofOrder.ofClient }),
  submit: scriptFor(submit, { step: 2, ofClient: ofOrder.ofClient }),
  payout: scriptFor(payout, { step: 3, ofClient: ofPayout.ofClient }),
};
await main.pay(1);
const { rows: templates } = await sql.query(`SELECT order_id FROM orders WHERE state = 'PAYMENT_RECEIVED'`);
await main.work(jobNames.advance);
await main.work(jobNames.send);

/** Transitions of pgbench per second. */
type Rates = Readonly<Record<keyof typeof scripts, number>>;
interface Round extends Rates {
  readonly advance: Measured;
  readonly send: Measured;
}

async function measureRound(round: number): Promise<Round> {
  await main.pay(ordersPerRound);
  const advance = await main.measure(jobNames.advance, 'PAYOUT_SUBMITTED', ordersPerRound);
  const send = await main.measure(jobNames.send, 'COMPLETED', ordersPerRound);
  return { advance, send, ...(await measurePgbench(10 ** 9 * (round + 1))) };
}

/** On copies of a paid order, whose numbers begin at `first`. */
async function measurePgbench(first: number): Promise<Rates> {
  await copyPaidOrder(sql, templates[0].order_id, { first, count: ordersPerClient * clients });
  const run = async (name: keyof typeof scripts, shape: typeof ofOrder) => {
    const { perSecond } = await pgbench({
      url: main.url,
      folder,
      script: scripts[name],
      clients: shape.clients,
      runsPerClient: shape.ofClient,
      variables: { n: 0, base: first },
    });
    return perSecond;
  };
  return {
    convert: await run('convert', ofOrder),
    submit: await run('submit', ofOrder),
    payout: await run('payout', ofPayout),
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
  `\nTransitions per second, ${clients} clients (${payoutClients} for payouts), fsync on, medians of ${rounds} rounds of ${ordersPerRound} orders`,
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
  `convert and submit_payout: ${spread(ratios)} of pgbench with one script for each transition (at least ${smallestRatio})`,
  median(ratios) >= smallestRatio,
);
judge(
  `a payout until it is complete: ${spread(payoutRatios)} of pgbench (at least ${smallestRatio})`,
  median(payoutRatios) >= smallestRatio,
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
