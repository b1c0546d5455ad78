/**
 * POST /rates, each answer backed by a durable row, against pgbench doing the same INSERT; and whether a quote costs more
 * in a table of two million. `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createMerchant } from '../src/merchants/service.js';
import { testMasterKey } from '../test/harness/master-key.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { type Child, startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, quantile, spread } from './parts/figures.js';
import { type LoadResult, load, perSecond, requestText } from './parts/load.js';
import { type PgbenchFigures, pgbench } from './parts/pgbench.js';
import { timeByPart } from './parts/profile.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const sliceSeconds = isShort ? 3 : 4;
const connections = 64;
const [fewQuotes, manyQuotes] = [1000, 2_000_000];

const place = await makePlace();
const opened: pg.Client[] = [];
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-rates-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Instance {
  readonly url: string;
  readonly sql: pg.Client;
  readonly merchant: number;
  readonly token: string;
  start(args?: readonly string[]): Promise<Child>;
}

async function makeInstance(name: string): Promise<Instance> {
  const url = new URL(place.url);
  const root = new pg.Client({ connectionString: url.href });
  await root.connect();
  await root.query(`CREATE DATABASE ${name}`);
  await root.end();
  url.pathname = `/${name}`;
  const start = (args: readonly string[] = []) =>
    startChild('quotes', args, settingsOf(url.href, name), join(folder, `${name}.log`));
  const first = await start();
  const { merchant, token } = await makeMerchant(url.href, first.url);
  const sql = new pg.Client({ connectionString: url.href });
  await sql.connect();
  opened.push(sql);
  await ready(first.url, token);
  await first.end();
  return { url: url.href, sql, merchant, token, start };
}

function settingsOf(url: string, name: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '6',
    DATA_DIR: join(folder, name),
    MASTER_KEY: testMasterKey,
    PORT: '0',
    BASE_URL: 'http://remesa.example',
    REQUESTS_PER_MINUTE: '10000000',
    QUOTES_PER_MINUTE: '10000000',
  };
}

/** A merchant of its own with a real access token. */
async function makeMerchant(url: string, serviceUrl: string): Promise<{ merchant: number; token: string }> {
  const database = new SealingDatabase(url, { poolSize: 2 });
  const by = { actor: { kind: 'system', name: 'bench' } } as const;
  const made = await database.transaction((tx) => createMerchant(tx, by, { name: 'Bench', clientId: 'bench' }));
  await database.close();
  const basic = Buffer.from(`${made.clientId}:${made.clientSecret}`).toString('base64');
  const answer = await fetch(`${serviceUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT merchant_id FROM merchants WHERE client_id = 'bench'");
  await client.end();
  return { merchant: Number(rows[0].merchant_id), token };
}

const body = JSON.stringify({ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 });

async function ready(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let tries = 0; tries < 200; tries += 1) {
    const { status } = await fetch(`${url}/rates`, { method: 'POST', headers, body });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('there are no rates on the board');
}

async function quotes(children: readonly Child[], token: string, seconds: number): Promise<LoadResult[]> {
  const request = requestText('POST', '/rates', { authorization: `Bearer ${token}` }, body);
  const results = await Promise.all(
    children.map(({ url }) =>
      load({ url, connections: connections / children.length, seconds, request: () => request }),
    ),
  );
  if (results.some(({ lost }) => lost > 0)) throw new Error('connections were lost');
  return results;
}

const allPerSecond = (results: readonly LoadResult[]) => results.reduce((sum, result) => sum + perSecond(result), 0);
const refusedShare = (results: readonly LoadResult[]) => {
  const all = results.flatMap(({ answers }) => [...answers.values()].flat()).length;
  return 1 - latencies(results).length / all;
};
const latencies = (results: readonly LoadResult[]) => results.flatMap(({ answers }) => answers.get(200) ?? []);

/** As the service writes one quote by itself. */
function insertScript(merchant: number): string {
  return `\\set high random(1, 9000000000000)
\\set low random(1, 9000000000000)
INSERT INTO quotes (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                    rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
SELECT ${merchant}, 'rt_' || lpad(:high::text, 13, '0') || lpad(:low::text, 13, '0'), NULL, 'USD', 'MXN', 10000, 169594,
       16.95948516, 17.3915611092091, 'sandbox-snapshot', '2026-04-13T14:00:00Z', 120, 130, now.at,
       date_trunc('milliseconds', now.at + make_interval(secs => 1800))
  FROM (SELECT statement_timestamp() AS at) AS now
RETURNING code, created_at, expires_at;
`;
}

async function fill({ sql, merchant }: Instance, count: number): Promise<void> {
  await sql.query('TRUNCATE quotes');
  await sql.query(
    `INSERT INTO quotes (merchant_id, code, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                         rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
     SELECT $1, 'rt_' || upper(left(md5(n::text), 26)), 'USD', 'MXN', 10000, 169594, 16.95948516, 17.3915611092091,
            'sandbox-snapshot', '2026-04-13T14:00:00Z', 120, 130, now(), now() + interval '1 day'
       FROM generate_series(1, $2) AS n`,
    [merchant, count],
  );
  await sql.query('VACUUM ANALYZE quotes');
  await sql.query('CHECKPOINT');
}

interface Round {
  readonly bench: PgbenchFigures;
  readonly one: number;
  readonly p99: number;
  /** Of the service, in microseconds a quote. */
  readonly cpu: number;
  readonly two: number;
  /** The larger share of refusals of the two. */
  readonly refused: number;
}

async function againstPgbench(instance: Instance): Promise<Round[]> {
  const services = [await instance.start(), await instance.start()] as const;
  const script = insertScript(instance.merchant);
  const runBench = (seconds: number) => pgbench({ url: instance.url, folder, script, clients: connections, seconds });
  const single = () => quotes(services.slice(0, 1), instance.token, sliceSeconds);
  const both = () => quotes(services, instance.token, sliceSeconds);
  for (const warmUp of [single, both, single]) await warmUp();
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bench = await runBench(sliceSeconds);
    const before = await services[0].cpuMicroseconds();
    const one = await single();
    const cpu = ((await services[0].cpuMicroseconds()) - before) / latencies(one).length;
    const two = await both();
    measured.push({
      bench,
      one: allPerSecond(one),
      p99: quantile(latencies(one), 0.99),
      cpu,
      two: allPerSecond(two),
      refused: Math.max(refusedShare(one), refusedShare(two)),
    });
  }
  await Promise.all(services.map((service) => service.end()));
  return measured;
}

/** How many times as long a quote takes in the large table, round by round. */
async function growth(small: Instance, large: Instance): Promise<number[]> {
  await fill(small, fewQuotes);
  await fill(large, manyQuotes);
  const [few, many] = [await small.start(), await large.start()];
  const slice = async (child: Child, { token }: Instance) => allPerSecond(await quotes([child], token, sliceSeconds));
  await slice(few, small);
  await slice(many, large);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await fill(small, fewQuotes);
    const inSmall = await slice(few, small);
    ratios.push(inSmall / (await slice(many, large)));
  }
  await Promise.all([few.end(), many.end()]);
  return ratios;
}

/** What each part takes of the service's processor time; what is left of an answer's time is waiting for the row. */
const parts = [
  ['idle', /^ \((idle|program)\)$/],
  ['garbage', /\(garbage collector\)/],
  ['PostgreSQL: quote-writer, pg', /src\/postgres|quote-writer|rates\/store|node_modules\/(pg|postgres)/],
  ['authenticate, limit', /authenticator|src\/tokens|rate-limit|fixed-windows|src\/merchants/],
  ['parse, validate', /json-body|field-faults|typebox|query-values|secure-json|content-type-parser/i],
  ['price', /src\/(money|rates)\/(?!quote\.js)|src\/ids/],
  ['serialise', /rates\/quote\.js|fast-json-stringify|reply\.js/],
  ['log, metrics', /src\/log|pino|sonic-boom|request-report|metrics|prom-client/],
  ['the rest of the edge', /src\/|fastify|find-my-way/],
  ['Node: sockets, HTTP', /^node:|\((anonymous|program)\)|^ /],
] as const;

async function shares(instance: Instance): Promise<void> {
  const profile = join(folder, 'profile.json');
  const child = await instance.start(['profiled', profile]);
  const results = await quotes([child], instance.token, 2 * sliceSeconds);
  await child.end();
  const spent = timeByPart(profile, parts);
  const answered = latencies(results);
  const whole = [...spent.values()].reduce((sum, part) => sum + part, 0);
  console.log('\nThe service’s processor time, by part (profiler on)');
  printTable(
    ['part', 'share', 'µs a quote'],
    [...spent]
      .sort(([, one], [, other]) => other - one)
      .map(([part, time]) => [part, `${((100 * time) / whole).toFixed(0)} %`, (time / answered.length).toFixed(1)]),
  );
  const unwritten = await instance.start(['unwritten']);
  await quotes([unwritten], instance.token, sliceSeconds);
  const without = await quotes([unwritten], instance.token, sliceSeconds);
  await unwritten.end();
  console.log(
    `without the row: ${allPerSecond(without).toFixed(0)} answers/s, ${median(latencies(without)).toFixed(1)} ms each;` +
      ` with it (profiler on): ${allPerSecond(results).toFixed(0)}, ${median(answered).toFixed(1)} ms`,
  );
}

const instance = await makeInstance('quotes');
const measured = await againstPgbench(instance);
await shares(instance);
const grown = isShort ? [] : await growth(await makeInstance('few'), await makeInstance('many'));
await Promise.all(opened.map((client) => client.end()));
await place.end();

const of = (pick: (round: Round) => number) => measured.map(pick);
const [one, two] = [of((round) => round.one / round.bench.perSecond), of((round) => round.two / round.bench.perSecond)];
const slowest = of((round) => round.p99 / round.bench.meanMs);
console.log(`\n${connections} connections, medians of ${rounds} rounds of ${sliceSeconds} s`);
printTable(
  ['', 'per second', 'of pgbench'],
  [
    [
      'pgbench -M prepared',
      spread(
        of((round) => round.bench.perSecond),
        0,
      ),
      '1',
    ],
    [
      'POST /rates, one process',
      spread(
        of((round) => round.one),
        0,
      ),
      spread(one),
    ],
    [
      'POST /rates, two processes',
      spread(
        of((round) => round.two),
        0,
      ),
      spread(two),
    ],
  ],
);
const shown = (pick: (round: Round) => number) => spread(of(pick), 1);
console.log(`pgbench: ${shown((round) => round.bench.meanMs)} ms on the mean`);
console.log(`one process: p99 ${shown((round) => round.p99)} ms, ${shown((round) => round.cpu)} µs of CPU a quote`);
// Only where a crowded machine keeps the service from running does it shed load at all.
judge('hardly any quote is refused: at most 1 % in any round', Math.max(...of((round) => round.refused)) <= 0.01);
judge('one process answers at least 0.5 of what pgbench inserts', median(one) >= 0.5);
judge('two processes answer at least 0.6 of it', median(two) >= 0.6);
judge('the slowest hundredth takes at most 5 times pgbench’s mean', median(slowest) <= 5);
if (grown.length > 0) {
  console.log(`time of a quote among ${manyQuotes} / among ${fewQuotes}: ${spread(grown)}`);
  judge('a quote takes at most 1.3 times as long among two million', median(grown) <= 1.3);
}
