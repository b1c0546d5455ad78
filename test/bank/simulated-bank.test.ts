/** The bank in a box: from the transfer of a sender to the statement of a beneficiary, and how it misbehaves. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SimulatedBank } from '../../demo/bank/bank.js';
import type { Misbehaviour } from '../../demo/bank/dialects.js';
import { receivingJob } from '../../src/bank/transport/receiving.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { root } from '../harness/programs.js';
import { useRemesa } from '../harness/remesa.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { get, placed, sender } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { dollarsToPesos, quote } from '../rates/quoting.js';
import {
  bankFolder,
  batchWith,
  hans,
  mainEur,
  openMainEur,
  orderToHans,
  reachesState,
  referenceOf,
  release,
} from './batches.js';
import { bankDifferences } from './books.js';

/** The number of the account that senders pay to. */
const senders = '987654321';
const folder = newFolder();
const running = useRemesa({ settings: bankFolder(folder), hasRates: true });
const { sql } = running;
let bank: SimulatedBank;

beforeAll(async () => {
  await openMainEur(running);
  done(await newBankAccount(running, { accountId: 'acme-usd', number: senders, merchant: 'acme' }));
  bank = new SimulatedBank({ folder, profile: 'sepa', misbehaves: [], say: () => {} });
  bank.connect(mainEur.number).connect(senders);
});

usePayInAccounts(running);

/** The bank looks for files, and what it tells is fetched and read. */
async function look(): Promise<void> {
  bank.look();
  void running.service.database.transaction(async (tx) => tx.wake(receivingJob));
  const isQuiet = async () => {
    if (readdirSync(join(folder, 'in')).length > 0) return false;
    const { rows } = await sql.query(`SELECT
      (SELECT count(*) FROM bank_incoming_files WHERE state = 'RECEIVED') +
      (SELECT count(*) FROM bank_files WHERE finished_at IS NULL) +
      (SELECT count(*) FROM bank_line_details WHERE state = 'waiting') AS open`);
    return Number(rows[0].open) === 0;
  };
  await eventually(isQuiet, { withinMs: 30_000, what: 'the files of the bank to be read' });
}

/** Orders that left in one file while the bank behaves so. */
async function paidWhile(misbehaviours: readonly Misbehaviour[], count = 1): Promise<string[]> {
  const orders: string[] = [];
  for (let index = 0; index < count; index += 1) orders.push(await orderToHans(running));
  const { id } = await batchWith(running, orders.at(-1) ?? '');
  await release(running, id);
  await reachesState(running, id, 'SENT');
  bank.misbehave(...misbehaviours);
  await look();
  return orders;
}

const statusOf = async (order: string): Promise<string> => (await get(running, order)).json.status;
const breaks = async () =>
  done(await running.api.get('/operator/bank/accounts/main-eur/breaks', { token: running.viewer }));
const answers = async () => done(await running.api.get('/operator/bank/answers', { token: running.viewer }));
const newestDay = async () =>
  done(await running.api.get('/operator/bank/accounts/main-eur/days', { token: running.viewer }))[0];

describe('a payment over the bank in a box', () => {
  it('goes from the transfer of the sender to the statement of the beneficiary', async () => {
    const { code } = done(await quote(running, { ...dollarsToPesos, fiatOut: 'EUR' }));
    const order = await placed(running, await sender(running), { body: { rateCode: code, beneficiary: { ...hans } } });
    const transfer = { account: senders, currency: 'USD', minor: 10_000n, from: 'DE02120300000000202051' };
    bank.receive({ ...transfer, name: 'Ana Reyes Núñez', text: order.payIn.reference });
    await look();
    expect((await get(running, order.id)).json.amountReceived).toBe(100);
    const { id } = await batchWith(running, order.id);
    await release(running, id);
    await reachesState(running, id, 'SENT');
    await look();
    expect(await statusOf(order.id)).toBe('COMPLETED');
    const [statement = ''] = readdirSync(join(folder, 'statements')).filter((name) => name.includes('DE8937'));
    const text = readFileSync(join(folder, 'statements', statement), 'utf8');
    for (const part of [`<EndToEndId>${referenceOf(order.id)}<`, '<CdtDbtInd>CRDT<', mainEur.number])
      expect(text).toContain(part);
    expect([(await newestDay()).faults, await breaks()]).toEqual([[], []]);
  });

  it('is paid once when the bank is late, repeats itself, numbers from 1, names nothing, books a file as one, and writes its own dialect', async () => {
    for (const misbehaviours of [
      ['late'],
      ['duplicate', 'reused-ids'],
      ['missing-ids', 'encoding'],
      ['dialect'],
      ['collective'],
      ['itemised-later'],
    ] as const) {
      const orders = await paidWhile(misbehaviours, 2);
      for (let times = 0; times < 4; times += 1) await look();
      expect([misbehaviours, ...(await Promise.all(orders.map(statusOf)))]).toEqual([
        ...[misbehaviours, 'COMPLETED', 'COMPLETED'],
      ]);
      expect([await breaks(), await bankDifferences(running)]).toEqual([[], []]);
    }
  });

  it('waits for two operators where the bank rejects it, and only the others are paid', async () => {
    const [paid = '', refused = ''] = await paidWhile(['partial'], 2);
    const [answer] = await answers();
    const rejected = answer.payments.map(({ reference }: { reference: string }) => reference);
    expect(rejected).toHaveLength(1);
    const states = new Map([paid, refused].map((order) => [referenceOf(order), order]));
    for (const [reference, order] of states)
      expect(await statusOf(order)).toBe(rejected.includes(reference) ? 'PAYOUT_SUBMITTED' : 'COMPLETED');
    done(await running.api.post(`/operator/bank/answers/${answer.id}/apply`, { token: running.reviewer }));
    const order = states.get(rejected[0]) ?? '';
    await eventually(async () => (await statusOf(order)) === 'PAYOUT_FAILED', { what: 'the rejected payment' });
  });

  it('waits for two operators where the bank rejects the whole file, and nothing of it was debited', async () => {
    const [order = ''] = await paidWhile(['rejected']);
    const [answer] = await answers();
    expect([answer.kind, answer.payments]).toEqual(['rejected', [{ reference: referenceOf(order), reason: 'FF01' }]]);
    expect([await statusOf(order), await breaks()]).toEqual(['PAYOUT_SUBMITTED', []]);
    done(await running.api.post(`/operator/bank/answers/${answer.id}/apply`, { token: running.reviewer }));
    await eventually(async () => (await statusOf(order)) === 'PAYOUT_FAILED', { what: 'the rejected payment' });
  });

  it('is a break when its debit has the wrong sign, and the day differs', async () => {
    const [order = ''] = await paidWhile(['wrong-sign']);
    expect(await statusOf(order)).toBe('PAYOUT_SUBMITTED');
    expect((await breaks()).map(({ reason }: { reason: string }) => reason)).toEqual(['payout_credit']);
    expect((await newestDay()).faults).toContain('sum_differs');
  });

  it('comes back a month later, and its order knows why', async () => {
    const [order = ''] = await paidWhile(['late-return']);
    expect(await statusOf(order)).toBe('RETURNED');
    expect(await bankDifferences(running)).toEqual([]);
  });
});

describe('npm run bank', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'bank.mjs'), ...args], { cwd: root, encoding: 'utf8' });

  it('tells what a sender pays in a statement of the account, and ends with 2 after a wrong option', () => {
    const own = newFolder();
    const to = ['--to', mainEur.number, '--text', 'RF18539007547034'];
    const paid = run('--folder', own, '--pay', '100.00', ...to);
    expect([paid.status, paid.stdout]).toEqual([
      0,
      `Ana Reyes pays EUR 100.00 to ${mainEur.number}. The bank books it when it looks next.\n`,
    ]);
    expect(run('--folder', own, '--account', mainEur.number, '--once').status).toBe(0);
    const [name = ''] = readdirSync(join(own, 'in'));
    expect(readFileSync(join(own, 'in', name), 'utf8')).toContain('RF18539007547034');
    const wrong = run('--misbehave', 'lately');
    expect([wrong.status, wrong.stderr.split('\n')[0]]).toEqual([2, 'There is no misbehaviour lately.']);
  });
});
