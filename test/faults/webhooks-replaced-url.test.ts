/**
 * A url that was replaced or deleted: no attempt to it starts later than a second after the 200, with two processes
 * that send.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { numberJobName } from '../../src/changes/chain/numbering.js';
import { merchantId } from '../../src/ids.js';
import { wakeOthers } from '../../src/worker/wake-up.js';
import { eventually } from '../harness/eventually.js';
import { type RunningService, startServiceOf } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { useTestDatabase } from '../harness/test-database.js';
import { eventOf, recordEvent } from '../webhooks/happenings.js';

const { url, database } = useTestDatabase();
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
  workers = [await start('worker'), await start('worker')];
}, 120_000);
afterAll(() => Promise.all([api, ...workers].map((service) => service.end('SIGKILL'))));

function countOf(path: string): number {
  return begun.get(path) ?? 0;
}

/**
 * Until the 200. A worker that was suspended within a transaction holds its locks for at most ten seconds: until then,
 * 503.
 */
async function ask(method: 'POST' | 'DELETE', path?: string): Promise<void> {
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  const request = {
    method,
    headers: {
      authorization: 'Bearer merchant-1',
      ...(path ? { 'content-type': 'application/json' } : {}),
    },
    ...(path ? { body: JSON.stringify({ url: address }) } : {}),
  };
  const status = await eventually(
    async () => {
      const answer = await fetch(`${api.url}/merchant/webhook/kyc-notification`, request);
      return answer.status === 503 ? undefined : answer.status;
    },
    { withinMs: 60_000, what: 'the answer' },
  );
  expect(status).toBe(200);
}

async function queue(events: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (let number = 0; number < events; number += 1) await recordEvent(tx, eventOf(demo, { subject: `s${number}` }));
  });
  await wakeOthers(database, [numberJobName]);
}

async function flowsTo(path: string): Promise<void> {
  await queue(100);
  await eventually(() => countOf(path) > 2, { withinMs: 30_000, what: `notifications to ${path}` });
}

/** Answers how many notifications had arrived at the old url a second after the 200, and a moment for the way. */
async function withdraw(old: string, by: 'replacing' | 'deleting'): Promise<number> {
  if (by === 'deleting') await ask('DELETE');
  else await ask('POST', nextPath());
  const untilMs = performance.now() + 1_000 + 250 * (await slowness());
  await eventually(() => performance.now() > untilMs, { what: 'a second later' });
  return countOf(old);
}

/**
 * Suspends a worker between two turns of its event loop: a suspension between a check and its system call cannot be
 * withstood.
 */
async function suspend({ process, output }: RunningService): Promise<void> {
  const earlier = output().split('suspended').length;
  process.kill('SIGUSR2');
  await eventually(() => output().split('suspended').length > earlier, { what: 'a suspended worker' });
}

function nextPath(): string {
  paths += 1;
  return `/${paths}`;
}

it.each([
  ['working', 'no attempt starts later than a second after the 200'],
  ['suspended', 'no attempt starts when the worker goes on after more than a second'],
] as const)('a replaced or deleted url of %s workers: %s', { timeout: 300_000 }, async (state, _) => {
  const isSuspended = state === 'suspended';
  const inTime = new Map<string, number>();
  await ask('POST', nextPath());
  for (let cycle = 0; cycle < rounds(2, isSuspended ? 30 : 200); cycle += 1) {
    const old = `/${paths}`;
    const isDeleted = cycle % 2 === 1;
    await queue(rounds(200, 500));
    await flowsTo(old);
    if (isSuspended) await Promise.all(workers.map(suspend));
    inTime.set(old, await withdraw(old, isDeleted ? 'deleting' : 'replacing'));
    if (isSuspended) for (const worker of workers) worker.process.kill('SIGCONT');
    if (isDeleted) await ask('POST', nextPath());
    await flowsTo(`/${paths}`);
  }
  const afterwards = new Map([...inTime.keys()].map((path) => [path, countOf(path)]));
  expect(afterwards).toEqual(inTime);
});
