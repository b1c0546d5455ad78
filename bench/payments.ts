/**
 * Movements from imported files, matched to as many unpaid orders: the cost of a movement and the memory in a long run
 * against one of a tenth, and in each tenth of the long run. `--movements=1000000` sets the length of the long run;
 * `--short` makes it quick and rough.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { BankAccountService } from '../src/bank/accounts/service.js';
import { operatorId } from '../src/ids.js';
import { createMerchant, merchantIdOf } from '../src/merchants/service.js';
import { PayinAccountService } from '../src/payments/accounts/service.js';
import { readMovementsCsv } from '../src/payments/imports/csv.js';
import { importJobOf } from '../src/payments/imports/jobs.js';
import { ImportService } from '../src/payments/imports/service.js';
import { InstanceSealer } from '../src/payments/sealed.js';
import { PaymentService } from '../src/payments/service.js';
import { PaymentSettlement } from '../src/payments/settlement.js';
import { SuspenseActions } from '../src/payments/suspense/actions.js';
import { isDatabaseUnavailable } from '../src/postgres/failure.js';
import { confirmInstance } from '../src/postgres/instance.js';
import { migrate } from '../src/postgres/migrate.js';
import { SealingDatabase } from '../test/harness/sealing-database.js';
import { silentLog } from '../test/harness/silent-log.js';
import { openExit, orderVerbs } from '../test/orders/verbs.js';
import { makePlace } from './parts/database.js';
import { judge, printTable } from './parts/figures.js';
import { ProcessorWatch } from './parts/processor-time.js';
import { rememberOrders } from './parts/remembered.js';
import { makeSenders, makeUnpaidOrders } from './parts/unpaid-orders.js';

const isShort = process.argv.includes('--short');
const given = process.argv.find((argument) => argument.startsWith('--movements='));
const longRun = Number(given?.slice('--movements='.length) ?? (isShort ? 4_000 : 100_000));
const mostTimes = 1.3;
const mostMegabytes = 20;
const mostBlockedMs = 50;
const partsPerSample = 10;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const accountId = 'main-eur';
const by = { actor: { kind: 'operator', operatorId: operatorId(1), role: 'admin' } } as const;

const place = await makePlace();
await migrate(place.url);
const database = new SealingDatabase(place.url, { poolSize: 8 });
const sql = new pg.Client({ connectionString: place.url });
await sql.connect();

await confirmInstance(database, 'sandbox');
const { users, vault, ledger, receiving, requotes } = await orderVerbs(database);
const sealer = new InstanceSealer(vault.rootKey);
const suspense = new SuspenseActions({
  ...{ ledger, receiving, requotes, users, sealer },
  refunds: { open: async () => {}, withdraw: async () => true },
  gate: openExit,
  findPending: async () => new Map(),
});
const settlement = new PaymentSettlement({ ledger, receiving, users, sealer, suspense });
const payments = new PaymentService({ requotes, users, sealer, settlement, ledger });
const accounts = new PayinAccountService({ hasSimulated: false });
const imports = new ImportService(accounts, sealer);
const job = importJobOf({ database, accounts, payments, sealer, log: silentLog });

const processors = new ProcessorWatch(sql);
let reported = 0;

/** One file for each thousand orders. */
async function importFile(references: readonly string[]): Promise<void> {
  const lines = references.map((reference) => {
    reported += 1;
    return `bench-${reported},100.00,EUR,2026-11-15,REYES ANA,ES9121000418450200051332,Pago ${reference}`;
  });
  const csv = ['bankReference,amount,currency,bookedAt,payerName,payerAccount,remittanceText', ...lines].join('\n');
  const read = await readMovementsCsv(csv);
  await database.transaction((tx) => imports.start(tx, by, accountId, read));
}

/** What is still in use after the garbage was collected, buffers included. */
function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let interrupted = 0;

/**
 * One part of a file, as the worker does it: a part whose database did not answer in time is done again when its lease
 * ends. Says whether it was done, was interrupted, or there is none left.
 */
async function doPart(): Promise<'done' | 'interrupted' | 'none'> {
  try {
    return (await job.run(AbortSignal.timeout(86_400_000))) > 0 ? 'done' : 'none';
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    interrupted += 1;
    return 'interrupted';
  }
}

async function partsAreLeft(): Promise<boolean> {
  const { rows } = await sql.query('SELECT EXISTS (SELECT FROM payment_import_parts WHERE results IS NULL) AS left');
  return rows[0].left;
}

/** How long nothing else could run while the largest file was read, sealed and stored. */
async function longestBlock(): Promise<[string, boolean]> {
  const line = (at: number) =>
    `block-${at},100.00,EUR,2026-11-15,REYES ANA,ES9121000418450200051332,${'rent '.repeat(14)}`;
  const lines = Array.from({ length: 50_000 }, (_, at) => line(at));
  const csv = ['bankReference,amount,currency,bookedAt,payerName,payerAccount,remittanceText', ...lines].join('\n');
  collectGarbage();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await setTimeout(20);
  const read = await readMovementsCsv(csv);
  await database.transaction((tx) => imports.start(tx, by, accountId, read));
  delays.disable();
  await sql.query('UPDATE payment_import_parts SET results = $1, sealed_lines = NULL', ['[]']);
  const ms = delays.max / 1e6;
  const megabytes = (csv.length / 2 ** 20).toFixed(1);
  return [
    `a file of ${megabytes} MB holds the event loop up for ${ms.toFixed(0)} ms at most (at most ${mostBlockedMs})`,
    ms <= mostBlockedMs,
  ];
}

interface Part {
  readonly msEach: number;
  /** Processor time, which other programs on the machine do not change. */
  readonly hereMsEach: number;
  readonly serverMsEach: number;
  /** The most memory in use above that of the beginning. */
  readonly megabytes: number;
}

interface Measured extends Part {
  readonly count: number;
  /** The run in ten equal parts, in their order. */
  readonly tenths: readonly Part[];
}

async function measure(count: number): Promise<Measured> {
  await makeUnpaidOrders(sql, { merchantId: acme, senders }, count, importFile);
  await rememberOrders({ database, sql }, acme, 'AWAITING_PAYMENT');
  const before = bytesInUse();
  // Each run of the job does one part of a file, and all parts have as many lines. Collecting garbage is not counted.
  const samples: { ms: number; here: number; server: number; bytes: number }[] = [];
  let bytes = 0;
  for (;;) {
    const earlier = await processors.read();
    const began = performance.now();
    const outcome = await doPart();
    const ms = performance.now() - began;
    const { here, server } = await processors.read();
    if (outcome === 'none') {
      if (!(await partsAreLeft())) break;
      await setTimeout(1000);
    }
    if (outcome !== 'done') continue;
    if (samples.length % partsPerSample === 0) bytes = bytesInUse() - before;
    samples.push({ ms, here: here - earlier.here, server: server - earlier.server, bytes });
  }
  const { rows } = await sql.query(`SELECT count(*)::int AS unpaid FROM orders WHERE state = 'AWAITING_PAYMENT'`);
  if (rows[0].unpaid !== 0) throw new Error(`${rows[0].unpaid} orders were not paid`);
  const each = (part: typeof samples, field: 'ms' | 'here' | 'server') =>
    (part.reduce((sum, sample) => sum + sample[field], 0) / count) * (samples.length / part.length);
  const partOf = (part: typeof samples): Part => ({
    msEach: each(part, 'ms'),
    hereMsEach: each(part, 'here'),
    serverMsEach: each(part, 'server'),
    megabytes: part.reduce((most, sample) => Math.max(most, sample.bytes), 0) / 2 ** 20,
  });
  const size = Math.ceil(samples.length / 10);
  const tenths = Array.from({ length: Math.ceil(samples.length / size) }, (_, tenth) =>
    partOf(samples.slice(tenth * size, (tenth + 1) * size)),
  );
  return { count, ...partOf(samples), tenths };
}

await database.transaction((tx) => createMerchant(tx, by, { name: 'Acme', clientId: 'acme' }));
const acme = await merchantIdOf(database, 'acme');
await database.transaction((tx) =>
  new BankAccountService({ hasSimulated: false }).create(tx, by, {
    ...{ accountId, currency: 'EUR', merchant: 'acme', holder: 'Remesa', bankName: 'Bank', country: 'ES' },
    ...{ number: 'ES9121000418450200051332', bic: undefined, address: undefined, uses: ['payin'], profile: 'sepa' },
    ...{ csv: undefined, releaseUpTo: undefined, timeZone: undefined },
  }),
);
await database.transaction((tx) =>
  accounts.create(tx, by, {
    ...{ accountId, currency: 'EUR', merchant: 'acme', holder: 'Remesa', bankName: 'Bank', country: 'ES' },
    ...{ details: { iban: 'ES9121000418450200051332' }, isEnabled: true },
  }),
);
judge(...(await longestBlock()));
const senders = await makeSenders(database, users, acme);
await measure(400);
const tenth = await measure(Math.ceil(longRun / 10));
const whole = await measure(longRun);
const row = (name: string, { msEach, hereMsEach, serverMsEach, megabytes }: Part) => [
  name,
  `${msEach.toFixed(2)} ms`,
  `${hereMsEach.toFixed(2)} ms`,
  `${serverMsEach.toFixed(2)} ms`,
  `${(1000 / msEach).toFixed(0)}/s`,
  `${megabytes.toFixed(0)} MB`,
];
const runs = [tenth, whole].map((run) => row(`${run.count} movements`, run));
const tenths = whole.tenths.map((part, index) => row(`tenth ${index + 1} of the long run`, part));
printTable(['run', 'each', 'processor here', 'in the server', 'rate', 'memory'], [...runs, ...tenths]);
/** By processor time where the system tells it: on a busy machine the clock says more about the other programs. */
const costOf = ({ msEach, hereMsEach, serverMsEach }: Part) => (serverMsEach > 0 ? hereMsEach + serverMsEach : msEach);
const timesOf = (part: Part, other: Part) => costOf(part) / costOf(other);
const times = timesOf(whole, tenth);
console.log(`${interrupted} parts were interrupted, because the database did not answer in time, and done again`);
judge(`ten times the movements cost ${times.toFixed(2)} times as much each (at most ${mostTimes})`, times <= mostTimes);
const [first = whole] = whole.tenths;
const growth = timesOf(whole.tenths.at(-1) ?? whole, first);
judge(
  `a movement in the last tenth costs ${growth.toFixed(2)} times one in the first (at most ${mostTimes})`,
  growth <= mostTimes,
);
judge(`${whole.megabytes.toFixed(0)} MB more memory (at most ${mostMegabytes})`, whole.megabytes <= mostMegabytes);
await sql.end();
await database.close();
await place.end();
process.exit(process.exitCode ?? 0);
