/**
 * The worker of a whole service is killed before or after each of its commits, from the payment of an order to its
 * payout or refund, beside a bank that answers late, twice, never or wrongly and counts what it was really asked to
 * pay.
 */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceJob } from '../../src/orders/order/transition.js';
import { takeOverJob } from '../../src/payments/service.js';
import { sendJob } from '../../src/payouts/rail.js';
import { remesaHere } from '../commands/remesa.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { endProcessesAfterEach, type RunningProgram, startProgram } from '../harness/processes.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { cancel, get, placed, sender } from '../orders/orders.js';
import { movement, newAccount, record } from '../payments/payments.js';
import { letTimePass } from '../payouts/payouts.js';

const behaviours = ['at once', 'late', 'twice', 'never', 'wrongly'] as const;
type Behaviour = (typeof behaviours)[number];

/** Pays each reference once, remembers every byte, and answers as it likes. */
class Bank {
  readonly payments = new Map<string, string>();
  readonly #asked = new Map<string, number>();
  behaviour: Behaviour = 'at once';
  readonly server: Server = createServer(async (request, response) => {
    const reference = request.url?.slice(1) ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET' && !this.payments.has(reference)) {
      response.writeHead(404).end();
      return;
    }
    if (request.method === 'POST') {
      const content = Buffer.concat(chunks).toString();
      expect(this.payments.get(reference) ?? content).toBe(content);
      this.payments.set(reference, content);
    }
    const asked = (this.#asked.get(reference) ?? 0) + 1;
    this.#asked.set(reference, asked);
    this.#answer(response, asked);
  });

  /** From the third question on, it says what is true. */
  #answer(response: ServerResponse, asked: number): void {
    const isHonest = asked > 2 || this.behaviour === 'at once';
    if (isHonest) response.end('accepted paid');
    else if (this.behaviour === 'late') response.end('accepted');
    else if (this.behaviour === 'twice') response.end('accepted paid accepted paid');
    else if (this.behaviour === 'never') response.destroy();
    else response.end('gone');
  }
}

const idle: readonly string[] = [advanceJob, sendJob, takeOverJob];
const running = useRemesa({
  settings: { RECORDED_PAYMENTS_USD_PER_DAY: '1000000' },
  chooseJobs: (jobs) => jobs.filter(({ name }) => !idle.includes(name)),
  hasRates: true,
});
const folder = newFolder();
const bank = new Bank();
let url = '';
beforeAll(async () => {
  bank.server.listen(0, '127.0.0.1');
  await once(bank.server, 'listening');
  url = `http://127.0.0.1:${(bank.server.address() as AddressInfo).port}`;
  done(await newAccount(running, { accountId: 'shared-usd' }));
});
afterAll(() => {
  bank.server.closeAllConnections();
  bank.server.close();
});
endProcessesAfterEach();

const settings = () => ({ DATABASE_URL: running.url, MASTER_KEY: testMasterKey, DATA_DIR: folder });
/** Loaded, and waiting for its turn: a process takes longer to load than an order to be paid out. */
const loadWorker = (killAt = ''): RunningProgram =>
  startProgram('test/programs/order-worker.ts', {
    ...settings(),
    ...{ ROLE: 'worker', PORT: '0', RAIL_URL: url, KILL_AT: killAt },
  });
async function begin(worker: RunningProgram): Promise<void> {
  await eventually(() => worker.output().includes('loaded'), { what: 'the worker', withinMs: 120_000 });
  worker.process.kill('SIGUSR2');
}
const corridor = { kind: 'corridor', name: 'USD-MXN' };
const pause = (verb: '' | '/resume') =>
  running.api.post(`/operator/pauses${verb}`, {
    ...{ token: running.admin, body: { ...corridor, ...(verb === '' ? { note: 'A test.' } : {}) } },
  });
const stateOf = async (id: string): Promise<string> => (await get(running, id)).json.status;
const ends = ['COMPLETED', 'REFUNDED'];

/** Nothing waits for its next turn. */
async function hurry(): Promise<void> {
  await letTimePass(running);
  await running.sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
}

async function paidOrder(): Promise<string> {
  const { id, payIn } = await placed(running, await sender(running));
  const paid = movement({ accountId: 'shared-usd', remittanceText: payIn.reference });
  const { json } = await record({ ...running, reviewer: running.admin }, paid);
  expect([json.outcome, json.orderId]).toEqual(['handed_over', id]);
  return id;
}

/** Ends when the worker is dead; when it did not get as far as its death, it is killed at the end of the order. */
async function liveThrough(worker: RunningProgram, id: string): Promise<void> {
  const isDead = () => worker.process.signalCode !== null || worker.process.exitCode !== null;
  await eventually(
    async () => {
      await hurry();
      return isDead() || ends.includes(await stateOf(id));
    },
    { what: 'the end of the worker or of the order', withinMs: 120_000, everyMs: 100 },
  );
  await worker.end('SIGKILL');
}

/** The corridor is paused, and the sender cancels the paid order while it waits. */
async function cancelled(worker: RunningProgram): Promise<string> {
  const id = await paidOrder();
  const isDead = () => worker.process.signalCode !== null || worker.process.exitCode !== null;
  await eventually(async () => isDead() || (await stateOf(id)) !== 'AWAITING_PAYMENT' || undefined, {
    what: 'the payment of the order',
    withinMs: 120_000,
  });
  if ((await stateOf(id)) !== 'AWAITING_PAYMENT') expect((await cancel(running, id)).status).toBe(200);
  return id;
}

/** Of a few rounds, each is at another stage of the order. */
function deathOf(round: number, count: number): string {
  const step = count < 10 ? 2 + 2 * round : 1 + (Math.floor(round / 2) % 12);
  return `${round % 2 === 0 ? 'after' : 'before'}:${step}`;
}

/** Returns the order that it was about. */
async function playRound(round: number, worker: RunningProgram): Promise<string> {
  bank.behaviour = behaviours[round % behaviours.length] as Behaviour;
  const isRefund = round % 4 === 1;
  if (isRefund) expect((await pause('')).status).toBe(200);
  await begin(worker);
  const id = isRefund ? await cancelled(worker) : await paidOrder();
  await liveThrough(worker, id);
  if (isRefund) expect((await pause('/resume')).status).toBe(200);
  return id;
}

async function finish(orders: readonly string[], worker: RunningProgram): Promise<void> {
  await begin(worker);
  await eventually(
    async () => {
      await hurry();
      const states = await Promise.all(orders.map(stateOf));
      return states.every((state) => ends.includes(state));
    },
    { what: 'the end of every order', withinMs: 300_000, everyMs: 200 },
  );
  await worker.end('SIGKILL');
}

describe('a worker that is killed between any two steps of an order', { timeout: 3_600_000 }, () => {
  it('pays nobody twice, loses nothing, and leaves no order behind', async () => {
    const count = rounds(4, 100);
    const orders: string[] = [];
    let next = loadWorker(deathOf(0, count));
    for (let round = 0; round < count; round += 1) {
      const worker = next;
      next = loadWorker(round + 1 < count ? deathOf(round + 1, count) : '');
      orders.push(await playRound(round, worker));
    }
    await finish(orders, next);
    const paid = [...bank.payments].map(([reference, content]) => {
      const { direction } = JSON.parse(content) as { direction: string };
      return `ord_${reference.slice(3, 29)} ${direction === 'payout' ? 'COMPLETED' : 'REFUNDED'}`;
    });
    const ended = await Promise.all(orders.map(async (id) => `${id} ${await stateOf(id)}`));
    expect(paid.sort()).toEqual(ended.sort());
    const verified = await remesaHere(settings(), 'ledger', 'verify', '--from-start');
    expect([verified.code, verified.stderr]).toEqual([0, verified.stderr]);
    const open = `SELECT account FROM ledger_postings WHERE account ~ '^(payin|liability|payout|refund|suspense)'
                   GROUP BY account HAVING sum(amount_minor) <> 0`;
    expect((await running.sql.query(open)).rows).toEqual([]);
    const stuck = await running.api.get('/operator/orders/stuck', { token: running.viewer });
    expect(stuck.json).toEqual([]);
  });
});
