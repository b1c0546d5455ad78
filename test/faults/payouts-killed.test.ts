/** The worker of payouts is killed between any two steps, beside a bank that counts what it was really asked to pay. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, type RunningProgram, startProgram } from '../harness/processes.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { get, orderJobNames } from '../orders/orders.js';
import { httpRail } from '../payouts/http-rail.js';
import { letTimePass, payingBackSuspense, submitted } from '../payouts/payouts.js';
import { type PayoutVerbs, payoutVerbs } from '../payouts/worker-verbs.js';

/** Where the worker dies: before the bank has the payment, before it answers, right after, or while it is asked. */
const moments = ['on the way there', 'before the answer', 'after the answer', 'while asking'] as const;
type Moment = (typeof moments)[number];

/** Pays each reference once, and remembers every byte. */
class Bank {
  readonly payments = new Map<string, string>();
  readonly requests: string[] = [];
  killAt: Moment | undefined;
  kill: () => void = () => {};
  readonly server: Server = createServer(async (request, response) => {
    const reference = request.url?.slice(1) ?? '';
    this.requests.push(`${request.method} ${reference}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') {
      if (this.#dies('while asking')) return;
      response.writeHead(this.payments.has(reference) ? 200 : 404).end('accepted paid');
      return;
    }
    if (this.#dies('on the way there')) return;
    const content = Buffer.concat(chunks).toString();
    expect(this.payments.get(reference) ?? content).toBe(content);
    this.payments.set(reference, content);
    if (this.#dies('before the answer')) return;
    response.end('accepted paid', () => this.#dies('after the answer'));
  });

  #dies(moment: Moment): boolean {
    if (this.killAt !== moment) return false;
    this.killAt = undefined;
    this.kill();
    return true;
  }
}

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const bank = new Bank();
let url = '';
beforeAll(async () => {
  bank.server.listen(0, '127.0.0.1');
  await once(bank.server, 'listening');
  url = `http://127.0.0.1:${(bank.server.address() as AddressInfo).port}`;
});
afterAll(() => {
  bank.server.closeAllConnections();
  bank.server.close();
});
endProcessesAfterEach();

/** What the bank is to pay, and whether it is settled. */
interface Paid {
  readonly id: string;
  readonly isDone: () => Promise<boolean>;
}

async function payingOut(verbs: PayoutVerbs): Promise<Paid> {
  const { orderId } = await submitted(running, verbs, { rail: 'bank' });
  const isDone = async () => (await get(running, orderId)).json.status === 'COMPLETED';
  return { id: orderId, isDone };
}

async function payingBack(verbs: PayoutVerbs): Promise<Paid> {
  const { suspenseId } = await payingBackSuspense(running, verbs);
  const isDone = async () => {
    const { rows } = await running.sql.query('SELECT state FROM suspense_records WHERE suspense_id = $1', [suspenseId]);
    return rows[0].state === 'RETURNED';
  };
  return { id: suspenseId, isDone };
}

describe('a worker of payouts that is killed between any two steps', { timeout: 1_800_000 }, () => {
  it('pays nobody twice, and the next worker finishes every order and every refund of money in suspense', async () => {
    const verbs = await payoutVerbs(running.service.database, [httpRail(url)]);
    const start = () => startProgram('test/programs/payout-worker.ts', { DATABASE_URL: running.url, RAIL_URL: url });
    let worker: RunningProgram = start();
    const ids: string[] = [];
    for (let round = 0; round < rounds(4, 200); round += 1) {
      const moment = moments[round % moments.length] as Moment;
      // A worker is asked about what another one left behind: that one must have died first.
      bank.killAt = moment === 'while asking' ? 'before the answer' : moment;
      let ended: Promise<unknown> | undefined;
      bank.kill = () => {
        ended = worker.end('SIGKILL');
      };
      const dies = async () => {
        await eventually(() => ended !== undefined, {
          what: `the worker dying ${moment}`,
          withinMs: 120_000,
        });
        await ended;
        ended = undefined;
        await letTimePass(running);
        worker = start();
      };
      // Orders that are paid out, and money in suspense that is paid back.
      const isOrder = (round + Math.floor(round / moments.length)) % 2 === 0;
      const { id, isDone } = isOrder ? await payingOut(verbs) : await payingBack(verbs);
      ids.push(id);
      await dies();
      if (moment === 'while asking') {
        bank.killAt = moment;
        await dies();
      }
      await eventually(isDone, { what: `a payment after a death ${moment}`, withinMs: 120_000 });
    }
    expect([...bank.payments.keys()].sort()).toEqual(
      ids.map((id) => `${id.slice(0, 3).toUpperCase()}${id.slice(4)}`).sort(),
    );
    const unbalanced = `SELECT journal_id FROM ledger_postings GROUP BY merchant_id, journal_id, split_part(account, ':', 2)
                         HAVING sum(amount_minor) <> 0`;
    expect((await running.sql.query(unbalanced)).rowCount).toBe(0);
  });
});
