/**
 * What idle merchants cost a worker: two workers run side by side, one with 10 merchants and one with 10,000, each with
 * a registered url and nothing to send. `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { testMasterKey } from '../test/harness/master-key.js';
import { type Child, startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { addMerchantsWithUrls } from './parts/merchants.js';

const rounds = process.argv.includes('--short') ? 3 : 8;
const secondsPerRound = 5;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-idle-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const administrator = new pg.Client({ connectionString: place.url });
await administrator.connect();

interface IdleWorker {
  readonly worker: Child;
  readonly name: string;
}

async function startIdleWorker(merchants: number): Promise<IdleWorker> {
  const name = `idle_${merchants}`;
  await administrator.query(`CREATE DATABASE ${name}`);
  const url = new URL(place.url);
  url.pathname = `/${name}`;
  const settings = {
    DATABASE_URL: url.href,
    DATA_DIR: join(folder, name),
    MASTER_KEY: testMasterKey,
    PORT: '0',
    ROLE: 'worker',
  };
  await (await startChild('service', [], settings, join(folder, `${name}.log`))).end();
  const sql = new pg.Client({ connectionString: url.href });
  await sql.connect();
  await addMerchantsWithUrls(sql, merchants, 'https://idle.example/hook');
  await sql.end();
  return { worker: await startChild('service', [], settings, join(folder, `${name}.log`)), name };
}

interface Used {
  /** Of the worker, in milliseconds of processor time. */
  readonly cpu: number;
  /** Of the server, in milliseconds that it spent on statements of this worker. */
  readonly statements: number;
}

async function usedSoFar({ worker, name }: IdleWorker): Promise<Used> {
  const { rows } = await administrator.query('SELECT active_time FROM pg_stat_database WHERE datname = $1', [name]);
  return { cpu: (await worker.cpuMicroseconds()) / 1000, statements: rows[0].active_time };
}

const workers = [await startIdleWorker(10), await startIdleWorker(10_000)] as const;
await pause(secondsPerRound * 1000);
const used: [Used[], Used[]] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  const before = await Promise.all(workers.map(usedSoFar));
  await pause(secondsPerRound * 1000);
  const after = await Promise.all(workers.map(usedSoFar));
  for (const [index, side] of used.entries()) {
    const [from, to] = [before[index] as Used, after[index] as Used];
    side.push({
      cpu: (to.cpu - from.cpu) / secondsPerRound,
      statements: (to.statements - from.statements) / secondsPerRound,
    });
  }
}
await Promise.all(workers.map(({ worker }) => worker.end()));
await administrator.end();
await place.end();

const [few, many] = used;
const of = (side: readonly Used[], pick: (one: Used) => number) => side.map(pick);
const ratioOf = (pick: (one: Used) => number) => median(of(many, pick)) / median(of(few, pick));
console.log(`\nAn idle worker, milliseconds per second, medians of ${rounds} rounds of ${secondsPerRound} s`);
printTable(
  ['', '10 merchants', '10,000 merchants', 'ratio'],
  (['cpu', 'statements'] as const).map((what) => [
    what === 'cpu' ? 'processor time of the worker' : 'statement time of the server',
    spread(of(few, (one) => one[what])),
    spread(of(many, (one) => one[what])),
    ratioOf((one) => one[what]).toFixed(2),
  ]),
);
judge(
  '10,000 idle merchants cost at most 1.5 times the statement time of 10',
  ratioOf(({ statements }) => statements) <= 1.5,
);
