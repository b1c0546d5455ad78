/**
 * GET /user and POST /user against bare routes that do the same to the database, and with a thousand times the users.
 */
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, quantile, spread } from './parts/figures.js';
import { load, perSecond } from './parts/load.js';
import { fillUsers, getUser, poolSize, postUser, startUsersService, userIds } from './parts/users.js';

const rounds = 9;
const seconds = 1;
const connections = 32;
const [few, many] = [1_000, 1_000_000];

interface Series {
  readonly url: string;
  readonly request: () => string;
  readonly connections: number;
  readonly perSecond: number[];
  /** Median milliseconds of an answer. */
  readonly milliseconds: number[];
}

function series(url: string, request: () => string, at = connections): Series {
  return { url, request, connections: at, perSecond: [], milliseconds: [] };
}

/** One after the other, round by round, so that all saw the same machine; every other round backwards. */
async function measure(all: readonly Series[]): Promise<void> {
  for (const one of all) await slice(one, 2 * seconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? all : [...all].reverse()) {
      const result = await slice(one, seconds);
      one.perSecond.push(perSecond(result));
      one.milliseconds.push(quantile(result.answers.get(200) ?? [], 0.5));
    }
  }
}

async function slice({ url, request, connections: at }: Series, forSeconds: number) {
  const result = await load({ url, connections: at, seconds: forSeconds, request });
  if (result.answers.size !== 1 || !result.answers.has(200) || result.lost > 0) {
    const counts = [...result.answers].map(([status, times]) => `${times.length} of ${status}`);
    throw new Error(`not every answer was a 200: ${counts.join(', ')}, ${result.lost} lost`);
  }
  return result;
}

function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / (other[round] ?? Number.NaN));
}

const place = await makePlace();
const small = await startUsersService(place.url, 'small');
await fillUsers(small, few);
const ids = await userIds(small, few);
const bare = await startChild('bare-users', [small.databaseUrl, poolSize, String(small.merchant)]);

const gets = [bare, small.child].map(({ url }) => series(url, getUser(small.token, ids)));
await measure(gets);
const posts = [bare, small.child].map(({ url }) => series(url, postUser(small.token)));
await measure(posts);
await bare.end();
await small.child.end();

console.log(`${connections} connections, pool of ${poolSize}, fsync on; median (least–most) of ${rounds} rounds`);
const verdicts: [string, readonly Series[], number][] = [
  ['GET /user', gets, 0.6],
  ['POST /user', posts, 0.5],
];
printTable(
  ['', 'bare route, /s', 'service, /s', 'service / bare'],
  verdicts.map(([name, [least, service]]) => [
    name,
    spread(least?.perSecond ?? [], 0),
    spread(service?.perSecond ?? [], 0),
    spread(ratios(service?.perSecond ?? [], least?.perSecond ?? [])),
  ]),
);
for (const [name, [least, service], target] of verdicts) {
  const ratio = median(ratios(service?.perSecond ?? [], least?.perSecond ?? []));
  judge(`${name} has at least ${target} of a bare route's requests/s`, ratio >= target);
}

const thin = await startUsersService(place.url, 'thin');
await fillUsers(thin, few);
const large = await startUsersService(place.url, 'large');
console.log(`\nMaking ${many} users …`);
await fillUsers(large, many);
// One at a time: what is compared is the time of a request, not how many fit into a second.
const grown: [string, Series[]][] = [];
for (const [name, requestOf] of [
  ['GET /user', (of: typeof thin, known: number[]) => getUser(of.token, known)],
  ['POST /user', (of: typeof thin) => postUser(of.token)],
] as const) {
  const pair: Series[] = [];
  for (const one of [thin, large]) {
    pair.push(series(one.child.url, requestOf(one, await userIds(one, 100_000)), 1));
  }
  await measure(pair);
  grown.push([name, pair]);
}
await thin.child.end();
await large.child.end();
await place.end();

console.log('Milliseconds of one request, nothing else under way');
printTable(
  ['', `at ${few}`, `at ${many}`, 'ratio'],
  grown.map(([name, [less, more]]) => [
    name,
    spread(less?.milliseconds ?? [], 3),
    spread(more?.milliseconds ?? [], 3),
    spread(ratios(more?.milliseconds ?? [], less?.milliseconds ?? [])),
  ]),
);
for (const [name, [less, more]] of grown) {
  const ratio = median(ratios(more?.milliseconds ?? [], less?.milliseconds ?? []));
  judge(`${name} takes at ${many} users at most 1.3 times as long as at ${few}`, ratio <= 1.3);
}
