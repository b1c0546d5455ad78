/** GET /merchant/users with a million users: memory, rows per second, and what others notice of it. */
import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, quantile, spread } from './parts/figures.js';
import { load } from './parts/load.js';
import { fillUsers, getUser, query, startUsersService, type UsersService, userIds } from './parts/users.js';

const number = 1_000_000;
const rounds = 5;
const seconds = 2;
const megabyte = 1_048_576;

/** Reads the whole listing as fast as it comes; answers its seconds and how many users were in it. */
function list({ child, token }: UsersService, headers: Record<string, string> = {}) {
  const began = performance.now();
  return new Promise<{ seconds: number; users: number; firstByteMs: number }>((resolve, reject) => {
    const asking = request(`${child.url}/merchant/users`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    asking.on('error', reject);
    asking.on('response', (response) => {
      let users = 0;
      let firstByteMs = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        firstByteMs ||= performance.now() - began;
        // Every user has one opening brace.
        for (let at = chunk.indexOf(0x7b); at >= 0; at = chunk.indexOf(0x7b, at + 1)) users += 1;
      });
      response.on('end', () => resolve({ seconds: (performance.now() - began) / 1000, users, firstByteMs }));
    });
    asking.end();
  });
}

/** Takes the whole listing and throws it away: what the reader does with it is not to be measured along. */
function drain({ child, token }: UsersService): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = request(`${child.url}/merchant/users`, { headers }, (response) => {
      response.on('error', reject).on('end', resolve).resume();
    });
    asking.on('error', reject).end();
  });
}

/** By psql where there is one: nothing takes rows out faster. */
async function copy({ databaseUrl, merchant }: UsersService): Promise<number> {
  const text =
    `COPY (SELECT user_id, external_client_id FROM users WHERE merchant_id = ${merchant} ` +
    "AND status = 'active' ORDER BY user_id) TO STDOUT";
  const began = performance.now();
  const { error } = spawnSync('psql', ['-d', databaseUrl, '-qAt', '-o', '/dev/null', '-c', text], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error) await query(databaseUrl, text);
  return (performance.now() - began) / 1000;
}

async function residentBytes({ child }: UsersService): Promise<number> {
  const text = await (await fetch(`${child.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

/** The most that it had at any look, a few times a second. */
async function peakDuring(service: UsersService, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, await residentBytes(service));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await working;
  return peak;
}

async function p99(service: UsersService, next: () => string): Promise<number> {
  const result = await load({ url: service.child.url, connections: 8, seconds, request: next });
  if (result.answers.size !== 1 || !result.answers.has(200)) throw new Error('not every answer was a 200');
  return quantile(result.answers.get(200) ?? [], 0.99);
}

const place = await makePlace();
const service = await startUsersService(place.url, 'large');
console.log(`Making ${number} users …`);
await fillUsers(service, number);
const next = getUser(service.token, await userIds(service, 100_000));

// A service that has served before: what it takes to get warm is not the listing's.
await load({ url: service.child.url, connections: 8, seconds: 3, request: next });
const before = await residentBytes(service);
const listed: { seconds: number; users: number; firstByteMs: number }[] = [];
const peak = await peakDuring(service, async () => {
  for (let round = 0; round < 3; round += 1) await list(service);
});
const copied: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  listed.push(await list(service));
  copied.push(await copy(service));
}

const compressed = await list(service, { 'accept-encoding': 'gzip' });

const quiet: number[] = [];
const beside: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  quiet.push(await p99(service, next));
  let isEnough = false;
  const listing = (async () => {
    while (!isEnough) await drain(service);
  })();
  beside.push(await p99(service, next));
  isEnough = true;
  await listing;
}
await service.child.end();
await place.end();

const rowsPerSecond = listed.map((one) => one.users / one.seconds);
const copiedPerSecond = copied.map((one) => number / one);
const ratio = rowsPerSecond.map((value, round) => value / (copiedPerSecond[round] ?? Number.NaN));
const slower = beside.map((value, round) => value / (quiet[round] ?? Number.NaN));
printTable(
  ['', 'median (least–most)'],
  [
    ['users in a listing', String(median(listed.map((one) => one.users)))],
    ['listing, users/s', spread(rowsPerSecond, 0)],
    ['COPY TO STDOUT, rows/s', spread(copiedPerSecond, 0)],
    ['listing / COPY', spread(ratio)],
    [
      'first byte, ms',
      spread(
        listed.map((one) => one.firstByteMs),
        1,
      ),
    ],
    ['compressed, s', compressed.seconds.toFixed(1)],
    ['memory before, MB', (before / megabyte).toFixed(0)],
    ['memory at the most, MB', (peak / megabyte).toFixed(0)],
    ['GET /user p99 without a listing, ms', spread(quiet)],
    ['GET /user p99 beside one, ms', spread(beside)],
    ['ratio', spread(slower)],
  ],
);
judge(
  `every listing had all ${number} users`,
  listed.every((one) => one.users === number),
);
judge('the service grows by less than 60 MB', peak - before < 60 * megabyte);
judge('a listing has at least 0.25 of the rows/s of COPY', median(ratio) >= 0.25);
judge('others’ p99 is at most three times as long beside a listing', median(slower) <= 3);
