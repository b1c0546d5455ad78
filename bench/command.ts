/** What the command runner costs: POST /notes through it, against the same rows written by a bare route. */
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { printTable, spread } from './parts/figures.js';
import { load, perSecond } from './parts/load.js';
import { keyedNote, keylessNote } from './parts/notes.js';

const rounds = 7;
const poolSize = '16';
const connections = 32;

const place = await makePlace();
// Without a worker: the bare route has none either, and its share of the database is not the runner's.
const service = await place.startService({ ROLE: 'api', DATABASE_POOL_SIZE: poolSize });
const bare = await startChild('bare-notes', [place.url, poolSize]);
const series = [
  { name: 'keyless', url: bare.url, request: keylessNote, figures: [] as number[] },
  { name: 'keyless', url: service.url, request: keylessNote, figures: [] as number[] },
  { name: 'keyed', url: bare.url, request: keyedNote, figures: [] as number[] },
  { name: 'keyed', url: service.url, request: keyedNote, figures: [] as number[] },
];
for (const { url, request } of series) await load({ url, connections, seconds: 2, request });
for (let round = 0; round < rounds; round += 1) {
  for (const { url, request, figures } of series) {
    const result = await load({ url, connections, seconds: 1.5, request });
    if (result.answers.size !== 1 || result.lost > 0)
      throw new Error(`not every answer was a 200: ${JSON.stringify([...result.answers])}, ${result.lost} lost`);
    figures.push(perSecond(result));
  }
}
await Promise.all([service.end(), bare.end()]);
await place.end();

console.log(`POST /notes, ${connections} connections, pool of ${poolSize}, fsync on`);
printTable(
  ['', 'bare, notes/s', 'through the runner, notes/s', 'runner / bare'],
  ['keyless', 'keyed'].map((name) => {
    const [least = [], runner = []] = series.filter((one) => one.name === name).map((one) => one.figures);
    const ratios = runner.map((value, round) => value / (least[round] ?? Number.NaN));
    return [name, spread(least, 0), spread(runner, 0), spread(ratios)];
  }),
);
