/** The jobs of the bank are killed at each step, beside a bank that remembers every byte it was sent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SimulatedBank } from '../../demo/bank/bank.js';
import { bankFolder, filesTo, mainEur, openMainEur, orderToHans, referenceOf } from '../bank/batches.js';
import { bankDifferences } from '../bank/books.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { endProcessesAfterEach, type RunningProgram, startProgram } from '../harness/processes.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { get } from '../orders/orders.js';
import { letTimePass } from '../payouts/payouts.js';

/** The jobs in the order of a payment, and how many steps a run of each has that does something, at the most. */
const jobs = {
  'bank.batches': 8,
  'bank.closing': 2,
  'bank.releasing': 14,
  'bank.sending': 5,
  'bank.receiving': 8,
  'bank.incoming': 6,
  'bank.files': 10,
  'bank.match': 3,
} as const;
const idleJobs = [...Object.keys(jobs), 'bank.answers'];
const moments = Object.entries(jobs).flatMap(([job, steps]) =>
  Array.from({ length: steps }, (_, index) => ({ job, at: index + 1 })),
);

const folder = newFolder();
const running = useRemesa({ settings: bankFolder(folder), hasRates: true, idleJobs });
const { sql } = running;
/** Every file that the bank was ever sent, by its name. */
const sent = new Map<string, string>();
let bank: SimulatedBank;

beforeAll(async () => {
  await openMainEur(running, { releaseUpTo: '1000000.00' });
  bank = new SimulatedBank({ folder, profile: 'sepa', misbehaves: [], say: () => {} });
  bank.connect(mainEur.number);
});
endProcessesAfterEach();

const start = (diesIn: string, at: number): RunningProgram =>
  startProgram('test/programs/bank-worker.ts', {
    ...{ DATABASE_URL: running.url, BANK_FOLDER: folder, DIES_IN: diesIn, DIES_AT: `${at}` },
  });

/** No lease runs, each batch is due, and the bank has looked for files. */
async function timePasses(): Promise<void> {
  await letTimePass(running);
  for (const table of ['bank_batches', 'bank_outgoing_files', 'bank_incoming_files', 'bank_files', 'bank_answers'])
    await sql.query(`UPDATE ${table} SET leased_until = now() WHERE leased_until IS NOT NULL`);
  await sql.query(`UPDATE bank_batches SET closes_at = now() WHERE state = 'COLLECTING'`);
  for (const [name, text] of filesTo(folder)) {
    expect(sent.get(name) ?? text).toBe(text);
    sent.set(name, text);
  }
  bank.look();
}

/** The payments that the bank has debited, by their end-to-end ids. */
function debited(): string[] {
  const folders = ['in', 'archive'].map((name) => join(folder, name));
  const statements = folders.flatMap((path) =>
    readdirSync(path)
      .filter((name) => name.includes(`camt053-${mainEur.number}`))
      .map((name) => readFileSync(join(path, name), 'utf8')),
  );
  const ids = statements.flatMap((text) => [...text.matchAll(/<EndToEndId>([^<]+)</g)].map(([, id = '']) => id));
  return ids.sort();
}

const count = async (text: string) => Number((await sql.query(`SELECT count(*) FROM ${text}`)).rows[0].count);

describe('workers of the bank that are killed at each step', { timeout: 3_600_000 }, () => {
  it('send no second file with other bytes, book no line twice, and leave nothing that the next one does not finish', async () => {
    const orders: string[] = [];
    const died = new Set<string>();
    const few = moments.filter((_, index) => index % 11 === 3);
    for (const { job, at } of rounds(few, [...moments, ...moments.slice(0, 100 - moments.length)])) {
      const mortal = start(job, at);
      const order = await orderToHans(running);
      orders.push(order);
      const isDone = async () => {
        await timePasses();
        return mortal.process.signalCode !== null || (await get(running, order)).json.status === 'COMPLETED';
      };
      await eventually(isDone, { what: `the death in ${job} at ${at}`, withinMs: 120_000 });
      if (mortal.output().includes('died in')) died.add(job);
      await mortal.end('SIGKILL');
      const next = start('', 0);
      const isPaid = async () => {
        await timePasses();
        return (await get(running, order)).json.status === 'COMPLETED';
      };
      await eventually(isPaid, { what: `the payment after a death in ${job} at ${at}`, withinMs: 120_000 });
      await next.end('SIGKILL');
    }
    expect([...died].sort()).toEqual([...new Set(rounds(few, moments).map(({ job }) => job))].sort());
    expect(debited()).toEqual(orders.map(referenceOf).sort());
    expect(await count(`bank_lines WHERE bank = 'main-eur'`)).toBe(orders.length);
    expect(await bankDifferences(running)).toEqual([]);
    expect(await count(`bank_batches WHERE state NOT IN ('SENT', 'EMPTY')`)).toBe(0);
    expect(await count(`bank_incoming_files WHERE state <> 'READ'`)).toBe(0);
    expect(await count('bank_files WHERE finished_at IS NULL OR fault_count > 0')).toBe(0);
  });
});
