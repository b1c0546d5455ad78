/**
 * Five times the load that the service can bear: what is accepted is served, the rest is refused, and all is well
 * after.
 */
import { makePlace } from './parts/database.js';
import { judge, printTable, quantile } from './parts/figures.js';
import { type LoadResult, load, perSecond } from './parts/load.js';
import { keyedNote } from './parts/notes.js';

const overloadSeconds = process.argv.includes('--short') ? 5 : 30;
const enough = 0.9;

const place = await makePlace();
const service = await place.startService({});
const run = (connections: number, seconds: number, limit: { perSecond?: number } = {}) =>
  load({ url: service.url, connections, seconds, request: keyedNote, ...limit });

await run(32, 3);
const bearable = await findBearable();
const overload = await run(5 * bearable.connections, overloadSeconds, {
  perSecond: 5 * bearable.notesPerSecond,
});
const recoverySeconds = await recover();
await service.end();
await place.end();

/** The fewest connections that get (nearly) all that can be got. */
async function findBearable(): Promise<{ connections: number; notesPerSecond: number }> {
  const tried: { connections: number; notesPerSecond: number }[] = [];
  for (const connections of [4, 8, 16, 32, 64, 128]) {
    tried.push({ connections, notesPerSecond: perSecond(await run(connections, 2)) });
  }
  const most = Math.max(...tried.map(({ notesPerSecond }) => notesPerSecond));
  return tried.find(({ notesPerSecond }) => notesPerSecond >= enough * most) as (typeof tried)[0];
}

async function recover(): Promise<number> {
  const began = performance.now();
  for (;;) {
    const result = await run(bearable.connections, 0.5);
    const elapsed = (performance.now() - began) / 1000;
    if (perSecond(result) >= enough * bearable.notesPerSecond || elapsed > 20) return elapsed;
  }
}

const milliseconds = ({ answers }: LoadResult, status: number, share: number) =>
  quantile(answers.get(status) ?? [0], share);
const row = (status: number) => [
  String(status),
  perSecond(overload, status).toFixed(0),
  ...[0.5, 0.99, 1].map((share) => milliseconds(overload, status, share).toFixed(0)),
];
console.log(
  `bearable: ${bearable.connections} connections, ${bearable.notesPerSecond.toFixed(0)} notes/s; ` +
    `then five times both, for ${overloadSeconds} s`,
);
printTable(['status', 'per second', 'median ms', 'p99 ms', 'most ms'], [...overload.answers.keys()].sort().map(row));
console.log(`full speed again (${enough} of before) after ${recoverySeconds.toFixed(1)} s\n`);
judge(
  'every answer is a 200 or a 503',
  [...overload.answers.keys()].every((status) => status === 200 || status === 503),
);
judge('no connection was lost', overload.lost === 0);
judge('what is accepted is served: p99 under 1 s', milliseconds(overload, 200, 0.99) < 1_000);
judge('the rest is refused within 100 ms (p99)', milliseconds(overload, 503, 0.99) < 100);
judge('full speed again within 5 s', recoverySeconds < 5);
