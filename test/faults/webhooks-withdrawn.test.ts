/** A url that was replaced or deleted: no attempt to it starts after the 200, with two processes that send. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { numberJobName } from '../../src/webhooks/events/numbering.js';
import { recordEvent } from '../../src/webhooks/service.js';
import { wakeOthers } from '../../src/worker/wake-up.js';
import { eventually } from '../harness/eventually.js';
import { type RunningService, startServiceOf } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { useTestDatabase } from '../harness/test-database.js';
import { eventOf } from '../webhooks/happenings.js';

const { url, database, sql } = useTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'remesa-withdrawn-'));

/** How many requests each path was sent, counted when their first bytes were read. */
const begun = new Map<string, number>();
const receiver = createServer((request, response) => {
  const path = request.url ?? '';
  begun.set(path, countOf(path) + 1);
  request.resume();
  setTimeout(() => response.end(), Math.random() * 10);
});
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (role: string) =>
  startServiceOf('test/programs/changes-service.ts', { DATABASE_URL: url, DATA_DIR: folder, ROLE: role });
let api: RunningService;
let workers: RunningService[];
let paths = 0;
const demo = merchantId(1);

beforeAll(async () => {
  api = await start('api');
  workers = await Promise.all([start('worker'), start('worker')]);
}, 120_000);
afterAll(() => Promise.all([api, ...workers].map((service) => service.end('SIGKILL'))));

function countOf(path: string): number {
  return begun.get(path) ?? 0;
}

async function ask(method: 'POST' | 'DELETE', path?: string): Promise<void> {
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  const answer = await fetch(`${api.url}/merchant/webhook/kyc-notification`, {
    method,
    headers: {
      authorization: 'Bearer merchant-1',
      ...(path ? { 'content-type': 'application/json' } : {}),
    },
    ...(path ? { body: JSON.stringify({ url: address }) } : {}),
  });
  expect(answer.status).toBe(200);
  // What had reached this machine before the 200 did is read before anything else happens.
  for (let turns = 0; turns < 5; turns += 1) await turn();
}

async function queue(events: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (let number = 0; number < events; number += 1)
      await recordEvent(tx, eventOf(demo, { subject: `s${number}` }));
  });
  await wakeOthers(database, [numberJobName]);
}

async function flowsTo(path: string): Promise<void> {
  await queue(100);
  await eventually(() => countOf(path) > 2, { withinMs: 30_000, what: `notifications to ${path}` });
}

/** Answers how many notifications had arrived at the old url by the 200. */
async function withdraw(old: string, by: 'replacing' | 'deleting'): Promise<number> {
  if (by === 'deleting') await ask('DELETE');
  else await ask('POST', nextPath());
  return countOf(old);
}

/** Suspends a worker between two turns of its event loop: a suspension between a check and its system call cannot be withstood. */
async function suspend({ process, output }: RunningService): Promise<void> {
  const earlier = output().split('suspended').length;
  process.kill('SIGUSR2');
  await eventually(() => output().split('suspended').length > earlier, { what: 'a suspended worker' });
}

function nextPath(): string {
  paths += 1;
  return `/${paths}`;
}

it('a replaced or deleted url is sent nothing after the 200', { timeout: 300_000 }, async () => {
  const byThe200 = new Map<string, number>();
  const tookMs: number[] = [];
  await ask('POST', nextPath());
  for (let cycle = 0; cycle < rounds(8, 400); cycle += 1) {
    const old = `/${paths}`;
    const isDeleted = cycle % 4 === 3;
    await flowsTo(old);
    const began = performance.now();
    byThe200.set(old, await withdraw(old, isDeleted ? 'deleting' : 'replacing'));
    tookMs.push(performance.now() - began);
    if (isDeleted) await ask('POST', nextPath());
  }
  // The holder confirms as a rule, so that the time of a permit is not waited for.
  const medianMs = tookMs.toSorted((left, right) => left - right)[Math.floor(tookMs.length / 2)];
  expect(medianMs).toBeLessThan(1_000 * (await slowness()));
  await flowsTo(`/${paths}`);
  const afterwards = new Map([...byThe200.keys()].map((path) => [path, countOf(path)]));
  expect(afterwards).toEqual(byThe200);
});

/** A suspended holder cannot confirm, and continues later where it was. */
it('a suspended holder delays the 200 by one permit, and sends nothing to the old url afterwards', {
  timeout: 300_000,
}, async () => {
  const byThe200 = new Map<string, number>();
  const slower = await slowness();
  await ask('POST', nextPath());
  for (let cycle = 0; cycle < rounds(2, 30); cycle += 1) {
    const old = `/${paths}`;
    const isDeleted = cycle % rounds(2, 3) === 1;
    await queue(rounds(300, 500));
    await flowsTo(old);
    await Promise.all(workers.map(suspend));
    const { rows } = await sql.query('SELECT held_by FROM webhook_endpoints WHERE held_by IS NOT NULL');
    const began = performance.now();
    byThe200.set(old, await withdraw(old, isDeleted ? 'deleting' : 'replacing'));
    const tookMs = performance.now() - began;
    for (const worker of workers) worker.process.kill('SIGCONT');
    // Between two claims nobody holds the endpoint, and there is no permit to wait for.
    if (rows.length > 0) expect(tookMs).toBeGreaterThan(1_000);
    expect(tookMs).toBeLessThan(5_000 * slower);
    if (isDeleted) await ask('POST', nextPath());
    await flowsTo(`/${paths}`);
  }
  const afterwards = new Map([...byThe200.keys()].map((path) => [path, countOf(path)]));
  expect(afterwards).toEqual(byThe200);
});
