/**
 * Posting journals of six postings against pgbench with the same SQL, on one merchant's accounts and on 64 merchants';
 * then balances, a day's statement and a day's verification in a long history against a short one.
 * `--postings=10000000` sets the length of the long one; `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ChangeNumbering } from '../src/changes/chain/numbering.js';
import { systemClock } from '../src/clock.js';
import { type MerchantId, merchantId } from '../src/ids.js';
import { findBalances } from '../src/ledger/balances/balance-store.js';
import { LedgerNumbering } from '../src/ledger/numbering.js';
import { dayStatement } from '../src/ledger/operator/statement.js';
import { LedgerSealer } from '../src/ledger/sealing/seal.js';
import { LedgerService } from '../src/ledger/service.js';
import { insertJournal } from '../src/ledger/store.js';
import { verifyLedger } from '../src/ledger/verify/verify.js';
import { migrate } from '../src/postgres/migrate.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { silentLog } from '../test/harness/silent-log.js';
import { nameIn } from '../test/ledger/ledger.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { conversionOf, fillLedger, firstDay, journalsPerDay } from './parts/ledger-fixture.js';
import { pgbench } from './parts/pgbench.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const sliceSeconds = isShort ? 2 : 5;
const warmUpSeconds = 1;
const clients = 64;
const numberedJournals = isShort ? 5_000 : 20_000;
const shortPostings = 10_000;
const longPostings = Number(
  process.argv.find((argument) => argument.startsWith('--postings='))?.slice('--postings='.length) ??
    (isShort ? 60_000 : 600_000),
);
const postingsPerJournal = 6;
const dayMs = 86_400_000;

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-ledger-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const sealer = new LedgerSealer(Buffer.alloc(32, 7));
const service = new LedgerService(sealer, systemClock);

interface Instance {
  readonly url: string;
  readonly database: SealingDatabase;
}

async function makeInstance(name: string): Promise<Instance> {
  const url = new URL(place.url);
  const root = new pg.Client({ connectionString: url.href });
  await root.connect();
  await root.query(`CREATE DATABASE ${name}`);
  await root.end();
  url.pathname = `/${name}`;
  await migrate(url.href);
  return { url: url.href, database: new SealingDatabase(url.href, { poolSize: 4 }) };
}

/**
 * Journals per second, each in a transaction of its own. The connections are closed before pgbench opens its own,
 * because the server does not allow twice as many.
 */
async function post(url: string, merchantOf: (client: number) => MerchantId): Promise<number> {
  const database = new SealingDatabase(url, { poolSize: clients });
  await postFor(database, merchantOf, warmUpSeconds);
  const perSecond = await postFor(database, merchantOf, sliceSeconds);
  await database.close();
  return perSecond;
}

async function postFor(
  database: SealingDatabase,
  merchantOf: (client: number) => MerchantId,
  seconds: number,
): Promise<number> {
  const began = performance.now();
  let posted = 0;
  const run = async (client: number) => {
    while (performance.now() < began + seconds * 1000) {
      const draft = { event: 'converted', occurredAt: new Date(), postings: conversionOf(`ord_${posted}`) };
      await database.transaction((tx) => service.post(tx, merchantOf(client), draft));
      posted += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  return (1000 * posted) / (performance.now() - began);
}

/** The same statement with the same values, between BEGIN and COMMIT. Only the id differs from journal to journal. */
function pgbenchScript(merchant: MerchantId): string {
  const all = conversionOf('ord_1');
  const rows = all.map(({ account, minor, reference }) => [account, String(minor), reference ?? null]);
  const values: Record<(typeof insertJournal.names)[number], string> = {
    merchantId: String(merchant),
    journalId: ':id',
    event: "'converted'",
    reverses: 'NULL',
    reason: 'NULL',
    occurredAt: "timestamptz '2026-11-15'",
    recordedAt: "timestamptz '2026-11-15'",
    seal: `'\\x${'00'.repeat(32 + 8 * all.length)}'::bytea`,
    // pgbench takes a colon with letters after it for a variable, also within quotes.
    postings: `replace('${JSON.stringify(rows).replaceAll(':', '/')}', '/', ':')`,
    postingsCount: String(rows.length),
  };
  const inPlace = insertJournal.names.map((name) => values[name]);
  const text = insertJournal.text.replaceAll(/\$(\d+)/g, (_, n: string) => inPlace[Number(n) - 1] ?? '');
  return `\\set id random(1, 9000000000000000000)\nBEGIN;\n${text};\nCOMMIT;\n`;
}

async function posting(): Promise<void> {
  const { url, database } = await makeInstance('posting');
  const [hot, many] = [merchantId(1000), (client: number) => merchantId(client + 1)];
  const runBench = () =>
    pgbench({ url, folder, script: pgbenchScript(merchantId(2000)), clients, seconds: sliceSeconds });
  const measured: { bench: number; one: number; spreadOut: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bench = (await runBench()).perSecond;
    const one = await post(url, () => hot);
    measured.push({ bench, one, spreadOut: await post(url, many) });
  }
  const of = (pick: (round: (typeof measured)[number]) => number) => measured.map(pick);
  const ofBench = of(({ bench, one }) => one / bench);
  const ofMany = of(({ one, spreadOut }) => one / spreadOut);
  console.log(`\nJournals of six postings, ${clients} clients, medians of ${rounds} rounds of ${sliceSeconds} s`);
  printTable(
    ['', 'journals/s'],
    [
      [
        'pgbench -M prepared, one merchant',
        spread(
          of(({ bench }) => bench),
          0,
        ),
      ],
      [
        'the service, one merchant',
        spread(
          of(({ one }) => one),
          0,
        ),
      ],
      [
        'the service, 64 merchants',
        spread(
          of(({ spreadOut }) => spreadOut),
          0,
        ),
      ],
    ],
  );
  console.log(`numbering: ${(await numbering(database)).toFixed(0)} journals/s by one worker`);
  judge(`posting: ${spread(ofBench)} of pgbench (at least 0.6)`, median(ofBench) >= 0.6);
  judge(`one merchant: ${spread(ofMany)} of 64 merchants (at least 0.8)`, median(ofMany) >= 0.8);
  await database.close();
}

/** How fast one worker numbers changes, each with a journal. */
async function numbering(database: SealingDatabase): Promise<number> {
  for (let written = 0; written < numberedJournals; written += 100)
    await database.transaction(async (tx) => {
      for (let index = written; index < written + 100; index += 1) {
        const draft = { event: 'converted', occurredAt: new Date(), postings: conversionOf(`ord_${index}`) };
        const journal = service.prepare(merchantId(3000), draft);
        await Promise.all([service.write(tx, journal), nameIn(tx, journal)]);
      }
    });
  const journals = new LedgerNumbering(sealer);
  const queue = { add: async () => [], onQueued: () => {} };
  const job = new ChangeNumbering({ database, log: silentLog, queue, journals });
  const began = performance.now();
  let numbered = 0;
  for (;;) {
    const more = await job.run(new AbortController().signal);
    if (more === 0) break;
    numbered += more;
  }
  return (1000 * numbered) / (performance.now() - began);
}

interface History extends Instance {
  readonly days: number;
  /** Whole days only, so a few more than asked for. */
  readonly postings: number;
  verifyLastDay(): Promise<void>;
  close(): Promise<void>;
}

const owner = merchantId(1);

async function makeHistory(name: string, postings: number): Promise<History> {
  const instance = await makeInstance(name);
  const { url, database } = instance;
  const journals = Math.ceil(postings / postingsPerJournal / journalsPerDay) * journalsPerDay;
  const { beforeLastDay, days } = await fillLedger({ url, database, sealer, merchantId: owner, journals });
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  const full = await timed(async () => {
    const { faults } = await verifyLedger({ database, sealer }, owner, { isFull: true });
    if (faults.length > 0) throw new Error(`the fixture is wrong: ${faults[0]}`);
  });
  console.log(
    `${name}: ${journals * postingsPerJournal} postings of ${days} days, verified in full in ${(full / 1000).toFixed(1)} s`,
  );
  return {
    ...instance,
    days,
    postings: journals * postingsPerJournal,
    async close() {
      await sql.end();
      await database.close();
    },
    async verifyLastDay() {
      await verifyLedger({ database, sealer }, owner, { isFull: false });
      await sql.query(
        `UPDATE ledgers SET verified_number = $2, verified_change = $3, verified_hash = $4,
                verified_totals = least($2, totals_number) WHERE merchant_id = $1`,
        [owner, beforeLastDay.journals, beforeLastDay.change.number, beforeLastDay.change.hash],
      );
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function length(): Promise<void> {
  const brief = await makeHistory('brief', shortPostings);
  const long = await makeHistory('long', longPostings);
  const [account] = conversionOf('ord_1').map((posting) => posting.account);
  const someDay = (days: number) => firstDay + Math.floor(Math.random() * days) * dayMs;
  const operations: readonly [string, (history: History) => Promise<unknown>, number][] = [
    ['balance of an account now', ({ database }) => findBalances(database, owner, account ? { account } : {}), 1.5],
    [
      'balance of an account at a past moment',
      ({ database, days }) => {
        const before = new Date(someDay(days) + Math.floor(Math.random() * dayMs));
        return findBalances(database, owner, { before, ...(account ? { account } : {}) });
      },
      1.5,
    ],
    [
      'statement of a day',
      async ({ database, days }) => {
        for await (const _ of dayStatement(database, owner, new Date(someDay(days))));
      },
      1.5,
    ],
    ['verification of the last day', (history) => history.verifyLastDay(), 1.5],
  ];
  const lines: string[][] = [];
  const verdicts: [string, boolean][] = [];
  for (const [name, work, most] of operations) {
    for (let warmUp = 0; warmUp < 10; warmUp += 1)
      for (const history of [brief, long]) await timed(() => work(history));
    const times: { brief: number; long: number }[] = [];
    for (let run = 0; run < (isShort ? 30 : 100); run += 1)
      times.push({ brief: await timed(() => work(brief)), long: await timed(() => work(long)) });
    const [short, far] = [median(times.map((time) => time.brief)), median(times.map((time) => time.long))];
    lines.push([name, `${short.toFixed(2)} ms`, `${far.toFixed(2)} ms`, (far / short).toFixed(2)]);
    verdicts.push([`${name}: ${(far / short).toFixed(2)} times (at most ${most})`, far / short <= most]);
  }
  console.log(`\n${long.postings} postings against ${brief.postings}, medians`);
  printTable(['', String(brief.postings), String(long.postings), 'times'], lines);
  for (const [what, isMet] of verdicts) judge(what, isMet);
  await Promise.all([brief.close(), long.close()]);
}

await posting();
await length();
await place.end();
