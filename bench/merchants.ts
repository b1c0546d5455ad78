/**
 * Notifications of many merchants: how fast one worker sends what 500 merchants have waiting, against the same number of
 * events of one merchant. `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { testMasterKey } from '../test/harness/master-key.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { takeArrivals, untilArrived } from './parts/arrivals.js';
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { queueEvents } from './parts/events.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { addMerchantsWithUrls } from './parts/merchants.js';

const rounds = process.argv.includes('--short') ? 2 : 5;
const merchantCount = 500;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-merchants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const settings = {
  DATABASE_URL: place.url,
  DATA_DIR: join(folder, 'service'),
  MASTER_KEY: testMasterKey,
  PORT: '0',
  ROLE: 'worker',
};
const startWorker = () => startChild('notifying-service', [], settings, join(folder, 'worker.log'));

await (await startWorker()).end();
const database = new SealingDatabase(place.url, { poolSize: 4 });
const sql = new pg.Client({ connectionString: place.url });
await sql.connect();
const receiver = await startChild('receiver', []);
const merchants = await addMerchantsWithUrls(sql, merchantCount, `${receiver.url}/hook`);

/** A turn that is still recording would make its endpoint served again. */
async function untilRecorded(): Promise<void> {
  while ((await sql.query('SELECT 1 FROM deliveries WHERE lease_token IS NOT NULL LIMIT 1')).rows.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function setServed(isServed: boolean): Promise<void> {
  await sql.query(
    `UPDATE webhook_endpoints SET circuit_open_until = CASE WHEN $1 THEN NULL ELSE now() + interval '1 hour' END`,
    [isServed],
  );
}

interface Queue {
  readonly merchants: readonly number[];
  readonly each: number;
  readonly unnumbered: boolean;
}

/** Notifications a second, from the first arrival to the last, and the processor time of the worker for each. */
async function drain(queue: Queue): Promise<{ perSecond: number; cpu: number }> {
  const count = queue.merchants.length * queue.each;
  await untilRecorded();
  await setServed(false);
  await queueEvents({ sql, database }, queue.merchants, queue.each, queue);
  await takeArrivals(receiver.url);
  const before = await worker.cpuMicroseconds();
  await setServed(true);
  await untilArrived(receiver.url, count);
  const cpu = ((await worker.cpuMicroseconds()) - before) / count;
  const times = [...(await takeArrivals(receiver.url)).values()];
  if (times.length !== count) throw new Error(`${times.length} of ${count} arrived`);
  return { perSecond: (count - 1) / ((Math.max(...times) - Math.min(...times)) / 1e6), cpu };
}

const one = merchants.slice(0, 1);
const queues: Readonly<Record<string, Queue>> = {
  'one merchant, 10,000 events': { merchants: one, each: 20 * merchantCount, unnumbered: false },
  '500 merchants, 20 events each': { merchants, each: 20, unnumbered: false },
  '500 merchants, one event each': { merchants, each: 1, unnumbered: false },
  'one merchant, 10,000 events without a number': {
    merchants: one,
    each: 20 * merchantCount,
    unnumbered: true,
  },
  '500 merchants, 20 events each without a number': { merchants, each: 20, unnumbered: true },
  '500 merchants, one event each without a number': { merchants, each: 1, unnumbered: true },
};

const worker = await startWorker();
for (const queue of Object.values(queues)) await drain(queue);
const measured = new Map<string, { perSecond: number; cpu: number }[]>();
for (let round = 0; round < rounds; round += 1)
  for (const [name, queue] of Object.entries(queues))
    measured.set(name, [...(measured.get(name) ?? []), await drain(queue)]);
await Promise.all([worker.end(), receiver.end(), sql.end(), database.close()]);
await place.end();

const perSecond = (name: string) => (measured.get(name) ?? []).map((drained) => drained.perSecond);
console.log(`\nOne worker, medians of ${rounds} rounds`);
printTable(
  ['', 'per second', 'worker’s processor time, µs each'],
  [...measured].map(([name, drained]) => [
    name,
    spread(perSecond(name), 0),
    spread(
      drained.map(({ cpu }) => cpu),
      0,
    ),
  ]),
);
const [single, many] = ['one merchant, 10,000 events', '500 merchants, 20 events each'] as const;
const ratio = perSecond(many).map((value, round) => value / (perSecond(single)[round] ?? Number.NaN));
console.log(`500 merchants against one merchant: ${spread(ratio)}`);
judge('500 merchants are served at 0.5 of the speed of one or faster', median(ratio) >= 0.5);
