/** Money at its exits: it leaves only when a test lets it go, and two operators decide. */
import { beforeAll, expect } from 'vitest';
import { advanceJob } from '../../../src/orders/order/transition.js';
import { sendJob } from '../../../src/payouts/rail.js';
import type { Job } from '../../../src/worker/worker.js';
import { newOperator, operatorToken } from '../../harness/access.js';
import { type Answer, done } from '../../harness/api.js';
import { eventually } from '../../harness/eventually.js';
import { useRemesa } from '../../harness/remesa.js';
import type { MadeUser } from '../../harness/users.js';
import { letTimePass } from '../../payouts/payouts.js';
import { cancel, get, placed, sender } from '../orders.js';

// biome-ignore lint/suspicious/noExplicitAny: answers as JSON, which the tests examine.
export type Json = any;
export interface Sent {
  readonly id: string;
  readonly user: MadeUser;
}

export const note = 'A test.';
/** On the list of the sandbox. */
const iris = { firstName: 'Iris Sanctia', lastName: 'Blockwell' };
/** The bank of the sandbox pays from it. */
export const accountOf = ({ user }: Sent) => `SIMULATED-${user.id}`;
export const nothing = async () => {};

export const following =
  (begin: () => Promise<Sent>, ...acts: ((sent: Sent) => Promise<unknown>)[]) =>
  async (): Promise<Sent> => {
    const sent = await begin();
    for (const act of acts) await act(sent);
    return sent;
  };

export function useExits() {
  const jobs = new Map<string, Job>();
  const running = useRemesa({
    settings: { FOUR_EYES: 'all' },
    hasRates: true,
    // Money waits where it is until a test lets it go.
    chooseJobs: (all) => {
      for (const job of all) jobs.set(job.name, job);
      return all.filter(({ name }) => name !== sendJob && name !== advanceJob);
    },
  });
  const { sql } = running;
  let second = '';

  beforeAll(async () => {
    await newOperator(running.database, 'the-second', 'admin');
    second = await operatorToken(running, 'the-second');
    // Paid orders stay as they are: their payout waits.
    const body = { kind: 'corridor', name: 'USD-MXN', note };
    done(await running.api.post('/operator/pauses', { token: running.admin, body }));
  });

  let keys = 0;
  const nextKey = () => {
    keys += 1;
    return `exits-${keys}`;
  };
  const post = (path: string, body: object = {}, token = running.admin) =>
    running.api.post(`/operator/${path}`, { token, body, key: nextKey() });
  const statusOf = async ({ id }: Pick<Sent, 'id'>): Promise<string> => (await get(running, id)).json.status;
  const stateOf = async ({ id }: Pick<Sent, 'id'>): Promise<string> =>
    (await sql.query('SELECT state FROM orders WHERE order_id = $1', [id])).rows[0].state;
  const fileOf = async ({ id }: Pick<Sent, 'id'>): Promise<Json> =>
    done(await running.api.get(`/operator/orders/${id}/review`, { token: running.admin }));
  const decide = async (sent: Sent, verb: string, more: object = {}): Promise<Answer> =>
    post(`orders/${sent.id}/${verb}`, { note, version: (await fileOf(sent)).version, ...more });
  const happens = (type: string) =>
    async function event({ id }: Sent): Promise<Answer> {
      return running.api.post(`/sandbox/orders/${id}/events`, { token: running.acme.token, body: { type } });
    };
  const payIn = async (body: object): Promise<Json> =>
    done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));

  /** The second operator approves what the first has asked for. */
  async function byTwo(asked: Answer): Promise<Json> {
    expect(asked.status, asked.text).toBe(202);
    return done(await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: second }));
  }

  /** Every order moves on as far as it goes, and everything that may be sent is sent. */
  async function work(): Promise<void> {
    await sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
    await letTimePass(running);
    for (const name of [advanceJob, sendJob]) await jobs.get(name)?.run(AbortSignal.timeout(60_000));
  }

  /** From now on the sender has the name of somebody who is listed. */
  async function isListed({ user }: Sent): Promise<void> {
    const { token } = running.acme;
    done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token, body: iris }));
  }

  /** From now on the sender has the name of somebody who is politically exposed. */
  async function isExposed({ user }: Sent): Promise<void> {
    const body = { firstName: 'Petra Exposita', lastName: 'Ministress' };
    done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token: running.acme.token, body }));
  }

  async function unpaid(): Promise<Sent> {
    const user = await sender(running);
    const { id } = await placed(running, user);
    return { id, user };
  }
  async function partPaid(): Promise<Sent> {
    const sent = await unpaid();
    await payIn({ orderId: sent.id, amount: 40 });
    return sent;
  }
  async function paid(): Promise<Sent> {
    const sent = await unpaid();
    await payIn({ orderId: sent.id });
    return sent;
  }
  const cancelled = (sent: Sent) => cancel(running, sent.id);
  const asked = (sent: Sent) => post(`orders/${sent.id}/request-information`, { note, items: ['purpose'] });
  const referred = (sent: Sent) => post(`orders/${sent.id}/refer`, { note });
  const refused = (sent: Sent) => decide(sent, 'refuse', { reason: 'other' });

  /** What has been sent for the order or from suspense for it, or may be sent by whoever looks at it. */
  async function leaving({ id }: Sent): Promise<Json[]> {
    const { rows } = await sql.query(
      `SELECT state FROM payout_attempts
        WHERE (order_id = $1 OR suspense_id IN (SELECT suspense_id FROM suspense_records WHERE order_id = $1))
          AND (message_id IS NOT NULL OR state NOT IN ('RECALLED', 'REJECTED'))`,
      [id],
    );
    return rows.map(({ state }) => state);
  }

  async function hitOf({ user }: Sent): Promise<string> {
    const path = `/operator/screening/hits?userId=${user.id}`;
    const [hit] = (await running.api.get(path, { token: running.admin })).json;
    return hit.id;
  }
  /** Puts something on the block list, and waits until what is there is frozen. */
  async function block(body: object): Promise<Json> {
    const added = done(await post('blocks', { reason: note, ...body }));
    await applied(added);
    return added;
  }
  /** Blocks the person behind the sender. */
  const blocked = ({ user }: Sent): Promise<Json> => block({ kind: 'person', merchant: 'acme', userId: user.id });
  /** Everything that was there is frozen. */
  async function applied({ blockId }: Json): Promise<void> {
    const text = 'SELECT FROM blocks WHERE block_id = $1 AND applied_at IS NOT NULL';
    await eventually(async () => (await sql.query(text, [blockId])).rowCount === 1, { what: 'the block applied' });
  }
  /** The name is exactly the one that is listed, so that two decide. */
  const dismiss = async (sent: Sent) => byTwo(await post(`screening/hits/${await hitOf(sent)}/dismiss`, { note }));
  const confirm = async (sent: Sent) => done(await post(`screening/hits/${await hitOf(sent)}/confirm`, { note }));

  return {
    ...{
      running,
      jobs,
      nextKey,
      post,
      statusOf,
      stateOf,
      fileOf,
      decide,
      happens,
      payIn,
      byTwo,
      work,
      isListed,
      isExposed,
    },
    ...{
      unpaid,
      partPaid,
      paid,

      cancelled,
      asked,
      referred,
      refused,
      leaving,
      hitOf,
      block,
      blocked,
      applied,
    },
    ...{ dismiss, confirm },
  };
}
