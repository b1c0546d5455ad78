/**
 * The p99 of POST /rates at half of its maximum load, while everyone with an approved level is screened again, against the
 * same without a re-screening. `--short` makes it quick and rough.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { merchantId } from '../src/ids.js';
import { testMasterKey } from '../test/harness/master-key.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { makeApprovedPeople } from './parts/approved-people.js';
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, quantile, spread } from './parts/figures.js';
import { type LoadResult, load, perSecond, requestText } from './parts/load.js';

const isShort = process.argv.includes('--short');
const people = isShort ? 3_000 : 100_000;
const sliceSeconds = isShort ? 5 : 20;
const rounds = isShort ? 3 : 5;
const connections = 64;
const listedPeople = 7_400;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-rescreening-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const service = await startChild('quotes', [], {
  DATABASE_URL: place.url,
  DATABASE_POOL_SIZE: '6',
  DATA_DIR: join(folder, 'service'),
  MASTER_KEY: testMasterKey,
  PORT: '0',
  REQUESTS_PER_MINUTE: '10000000',
  QUOTES_PER_MINUTE: '10000000',
  SCREENING_LISTS: `ofac:${inventedList()}`,
});
const sql = new pg.Client({ connectionString: place.url });
await sql.connect();
const token = await demoToken();
const request = requestText(
  'POST',
  '/rates',
  { authorization: `Bearer ${token}` },
  JSON.stringify({ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 }),
);

const database = new SealingDatabase(place.url, { poolSize: 2 });
const { rows } = await sql.query("SELECT merchant_id FROM merchants WHERE client_id = 'demo'");
await makeApprovedPeople({ database, sql }, merchantId(Number(rows[0].merchant_id)), people);
await database.close();

await load({ url: service.url, connections, seconds: 3, request: () => request });
await pauseRescreening();
const most = perSecond(await load({ url: service.url, connections, seconds: 5, request: () => request }));
const half = () =>
  load({ url: service.url, connections, seconds: sliceSeconds, perSecond: most / 2, request: () => request });
const p99 = ({ answers }: LoadResult) => quantile(answers.get(200) ?? [], 0.99);

const measured: { alone: number; beside: number; paces: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const alone = p99(await half());
  await resumeRescreening();
  const before = await screenedCount();
  const beside = p99(await half());
  const paces = ((await screenedCount()) - before) / sliceSeconds;
  if (paces === 0) throw new Error('nobody was screened while the load ran');
  await pauseRescreening();
  measured.push({ alone, beside, paces });
}
await sql.end();
await service.end();
await place.end();

const ratios = measured.map(({ alone, beside }) => beside / alone);
console.log(`POST /rates at half of ${most.toFixed(0)}/s, ${people} users with an approved level`);
printTable(
  ['', 'p99 alone, ms', 'p99 while re-screening, ms', 'ratio', 'users screened/s'],
  [
    [
      `${rounds} rounds`,
      spread(
        measured.map(({ alone }) => alone),
        1,
      ),
      spread(
        measured.map(({ beside }) => beside),
        1,
      ),
      spread(ratios),
      spread(
        measured.map(({ paces }) => paces),
        0,
      ),
    ],
  ],
);
judge('the p99 of POST /rates while users are screened again is at most 1.5 times', median(ratios) <= 1.5);

/** The process finds that it does not hold the run any more, and stops after its batch. */
async function pauseRescreening(): Promise<void> {
  await sql.query(
    `UPDATE screening_runs SET worker = 'bench', leased_until = now() + interval '1 day' WHERE superseded_at IS NULL`,
  );
}

/** Everyone is to be screened again, as after a change of a list. Returns when the job is at work. */
async function resumeRescreening(): Promise<void> {
  await sql.query('TRUNCATE screened_users');
  await sql.query(
    `UPDATE screening_runs SET worker = NULL, leased_until = NULL, finished_at = NULL, after_merchant = 0, after_user = 0
      WHERE superseded_at IS NULL`,
  );
  const before = await screenedCount();
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await screenedCount()) > before) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the re-screening does not start');
}

async function screenedCount(): Promise<number> {
  const found = await sql.query('SELECT screened FROM screening_runs WHERE superseded_at IS NULL');
  return Number(found.rows[0]?.screened ?? 0);
}

async function demoToken(): Promise<string> {
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo',
      client_secret: 'demo-secret',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** As many people as OFAC lists. Their names are invented. */
function inventedList(): string {
  const list = join(folder, 'ofac');
  mkdirSync(list);
  const syllables = ['ba', 'dor', 'fen', 'gul', 'hri', 'jak', 'lom', 'mir', 'nov', 'pet', 'rus', 'tal', 'vek'];
  const word = (seed: number) => [1, 13, 169].map((step) => syllables[Math.floor(seed / step) % 13]).join('');
  const lines = Array.from({ length: listedPeople }, (_, index) => {
    const name = `${word(index * 7).toUpperCase()}, ${word(index * 11 + 3)} ${word(index * 17 + 5)}`;
    return `${index + 1},"${name}","individual","TEST",${'-0- ,'.repeat(7)}-0- \r\n`;
  });
  writeFileSync(join(list, 'sdn.csv'), lines.join(''));
  writeFileSync(join(list, 'alt.csv'), '1,1,"aka","OTHER, Name",-0- \r\n');
  return list;
}
