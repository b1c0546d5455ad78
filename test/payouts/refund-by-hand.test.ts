/** Refunds that operators pay by hand pass the gate again when the bank is about to be instructed. */
import { beforeAll, expect, it } from 'vitest';
import { advanceJob } from '../../src/orders/order/transition.js';
import { sendJob } from '../../src/payouts/rail.js';
import { operatorTokens } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, told } from '../harness/users.js';
import { cancel, get, placed, sender } from '../orders/orders.js';
import { declare } from '../payments/mismatches.js';

const running = useRemesa({
  // No rail takes dollars.
  settings: { PAYOUT_RAILS: 'manual=bank_account/MXN,sandbox=cash_pickup/MXN' },
  hasRates: true,
  idleJobs: [sendJob, advanceJob],
});
const { sql } = running;
let tokens: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  tokens = await operatorTokens(running, { rita: 'reviewer' });
  await declare(running, { afterEnd: 'refund', over: 'refund' });
});

const payIn = async (body: object) =>
  done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));

/** The name of the user is on the list of the sandbox from now on. */
async function isListed({ id }: MadeUser): Promise<void> {
  const body = { firstName: 'Iris Sanctia', lastName: 'Blockwell' };
  done(await running.api.call('PATCH', `/user?userId=${id}`, { token: running.acme.token, body }));
}

let keys = 0;
/** Operators send it before they instruct the bank. */
async function instruct(of: string): Promise<Answer> {
  keys += 1;
  const where = 'order_id = $1 OR suspense_id = $1';
  const { rows } = await sql.query(`SELECT * FROM payout_attempts WHERE ${where} ORDER BY number DESC`, [of]);
  const [{ attempt_id, version, rail, state }] = rows;
  expect([rail, state]).toEqual(['manual', 'READY']);
  const ask = { token: tokens.rita ?? '', key: `instruct-${keys}`, body: { version } };
  return running.api.post(`/operator/payouts/${attempt_id}/submitted`, ask);
}

it('a refund to a sender who is listed meanwhile is withdrawn, and its order is under review', async () => {
  const user = await sender(running);
  const { id } = await placed(running, user);
  await payIn({ orderId: id });
  expect((await cancel(running, id)).json.status).toBe('REFUND_PENDING');
  await isListed(user);
  expect(told(await instruct(id))).toEqual([409, 'payout_stopped']);
  expect((await get(running, id)).json.status).toBe('IN_REVIEW');
});

it('money in suspense is not sent back for a sender who is listed meanwhile, and waits for a person again', async () => {
  const user = await sender(running);
  const [ended, other] = [await placed(running, user), await placed(running, user)];
  await cancel(running, ended.id);
  const payment = await payIn({ orderId: ended.id, amount: 100, payerName: 'Ana Reyes Núñez' });
  const found = async () =>
    (await sql.query('SELECT suspense_id, state FROM suspense_records WHERE payment_id = $1', [payment.id])).rows[0];
  const { suspense_id: suspenseId, state } = await found();
  expect(state).toBe('REFUND_PENDING');
  await payIn({ orderId: other.id });
  await isListed(user);
  // The exit of the other order finds the sender, and records the hit.
  expect((await cancel(running, other.id)).json.status).toBe('IN_REVIEW');
  expect(told(await instruct(suspenseId))).toEqual([409, 'payout_stopped']);
  expect(await found()).toMatchObject({ state: 'OPEN' });
});

it('a refund to a sender who is on no list is instructed', async () => {
  const { id } = await placed(running, await sender(running));
  await payIn({ orderId: id });
  await cancel(running, id);
  expect((await instruct(id)).status).toBe(200);
});
