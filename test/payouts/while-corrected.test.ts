/** While a clawback waits for a second operator, nothing of its money leaves; a payout that nobody made is stopped. */
import { beforeAll, expect, it } from 'vitest';
import { advanceJob } from '../../src/orders/order/transition.js';
import { sendJob } from '../../src/payouts/rail.js';
import type { Job } from '../../src/worker/worker.js';
import { operatorTokens } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { cancel, get, lupita, placed, sender } from '../orders/orders.js';
import { balancesOf } from '../orders/paid-orders.js';
import { declare } from '../payments/mismatches.js';
import { letTimePass } from './payouts.js';

const jobs = new Map<string, Job>();
const running = useRemesa({
  settings: {
    FOUR_EYES: 'payment.clawback,payment.void,order.correct',
    PAYOUT_RAILS: 'manual=bank_account/MXN,sandbox',
  },
  hasRates: true,
  chooseJobs: (all) => {
    for (const job of all) jobs.set(job.name, job);
    return all.filter(({ name }) => name !== sendJob && name !== advanceJob);
  },
});
const { sql } = running;
const note = 'The payer has disputed the debit.';
let tokens: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer' });
  await openBankAccounts(running, 'bank:MXN:mexico');
});

let keys = 0;
function operate(path: string, body: unknown, login = 'rita'): Promise<Answer> {
  keys += 1;
  return running.api.post(`/operator/${path}`, { token: tokens[login] ?? '', body, key: `corrected-${keys}` });
}

/** Every order moves on as far as it goes, and everything that may be sent is sent. */
async function work(): Promise<void> {
  await sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
  await letTimePass(running);
  for (const name of [advanceJob, sendJob]) await jobs.get(name)?.run(AbortSignal.timeout(60_000));
}

interface Paid {
  readonly id: string;
  readonly paymentId: string;
}

async function paidFor(method: 'bank_account' | 'cash_pickup'): Promise<Paid> {
  const account = method === 'cash_pickup' ? { phoneNumber: '+525512345678' } : lupita.account;
  const { id } = await placed(running, await sender(running), {
    body: { beneficiary: { ...lupita, method, account } },
  });
  const body = { orderId: id };
  const payment = done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));
  return { id, paymentId: payment.id };
}
const advance = async () => {
  await sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
  await jobs.get(advanceJob)?.run(AbortSignal.timeout(60_000));
};
const statusOf = async (id: string) => (await get(running, id)).json.status;
const attemptsOf = async (id: string) => {
  const where = 'order_id = $1 OR suspense_id = $1';
  return (await sql.query(`SELECT * FROM payout_attempts WHERE ${where} ORDER BY number`, [id])).rows;
};
const statesOf = async (id: string) => (await attemptsOf(id)).map(({ state }) => state);
async function askForClawback({ paymentId }: Pick<Paid, 'paymentId'>, version: number): Promise<string> {
  const body = { bankReference: `line-${paymentId}`, bookedAt: new Date().toISOString(), note, version };
  const asked = await operate(`payments/${paymentId}/corrections/clawback`, body);
  expect(asked.status, asked.text).toBe(202);
  return asked.json.approvalId;
}
const ofOrder = async ({ id }: Paid): Promise<number> =>
  (await sql.query('SELECT version FROM orders WHERE order_id = $1', [id])).rows[0].version;
const approve = async (approvalId: string) => done(await operate(`approvals/${approvalId}/approve`, undefined, 'rob'));
const withdraw = async (approvalId: string) => done(await operate(`approvals/${approvalId}/withdraw`, undefined));

it('a payout that nobody has made waits for the decision, is stopped by the clawback, and nothing is lost', async () => {
  const order = await paidFor('cash_pickup');
  await advance();
  expect(await statusOf(order.id)).toBe('PAYOUT_SUBMITTED');
  const approvalId = await askForClawback(order, await ofOrder(order));
  await work();
  expect(await statesOf(order.id)).toEqual(['READY']);
  await approve(approvalId);
  expect((await get(running, order.id)).json).toMatchObject({ status: 'CANCELLED', statusReason: 'payment_reversed' });
  await work();
  expect(await statesOf(order.id)).toEqual(['RECALLED']);
  expect(await balancesOf(running, order.id)).toEqual({});
  const { rows } = await sql.query('SELECT lost_minor FROM payment_reversals WHERE payment_id = $1', [order.paymentId]);
  expect(rows).toEqual([{ lost_minor: '0' }]);
});

it('a payout goes on once the request is withdrawn, and its clawback is a loss', async () => {
  const order = await paidFor('cash_pickup');
  await advance();
  const approvalId = await askForClawback(order, await ofOrder(order));
  await work();
  await withdraw(approvalId);
  await work();
  expect(await statesOf(order.id)).not.toContain('READY');
  await approve(await askForClawback(order, await ofOrder(order)));
  expect(await statusOf(order.id)).not.toBe('CANCELLED');
  const { rows } = await sql.query('SELECT lost_minor FROM payment_reversals WHERE payment_id = $1', [order.paymentId]);
  expect(rows).toEqual([{ lost_minor: '10000' }]);
});

it('nobody instructs a bank by hand meanwhile', async () => {
  const order = await paidFor('bank_account');
  await advance();
  const [attempt] = await attemptsOf(order.id);
  await askForClawback(order, await ofOrder(order));
  const refused = await operate(`payouts/${attempt.attempt_id}/submitted`, { version: attempt.version });
  expect(told(refused)).toEqual([409, 'payout_stopped']);
  expect(await statesOf(order.id)).toEqual(['READY']);
});

it('a paid order is not converted meanwhile, and goes on when the request is withdrawn', async () => {
  const order = await paidFor('cash_pickup');
  const approvalId = await askForClawback(order, await ofOrder(order));
  await work();
  expect(await statusOf(order.id)).toBe('PAYMENT_RECEIVED');
  await withdraw(approvalId);
  await work();
  expect(await statesOf(order.id)).toHaveLength(1);
});

it('a refund waits for the decision, and is not paid after the clawback', async () => {
  const order = await paidFor('cash_pickup');
  expect((await cancel(running, order.id)).json.status).toBe('REFUND_PENDING');
  const approvalId = await askForClawback(order, await ofOrder(order));
  await work();
  expect(await statesOf(order.id)).toEqual(['READY']);
  await approve(approvalId);
  await work();
  expect([await statusOf(order.id), await statesOf(order.id)]).toEqual(['CANCELLED', ['RECALLED']]);
});

it('an excess that goes back from suspense waits for the decision about its payment', async () => {
  await declare(running, { over: 'refund' });
  const { id } = await placed(running, await sender(running));
  const body = { orderId: id, amount: 130 };
  const payment = done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));
  const { rows } = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [payment.id]);
  const [{ suspense_id: suspenseId }] = rows;
  const order = { id, paymentId: payment.id };
  const approvalId = await askForClawback(order, await ofOrder(order));
  await work();
  expect(await statesOf(suspenseId)).toEqual(['READY']);
  await withdraw(approvalId);
  await work();
  expect(await statesOf(suspenseId)).not.toContain('READY');
});
