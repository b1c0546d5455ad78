/**
 * What operators decide about orders, and what becomes of the money. Every action that can need a second operator does.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { KeyVault } from '../../src/keys/vault.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import { newOperator, operatorToken } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, get, lupita, placed, runExpiry, sender, timelineOf } from './orders.js';
import { balancesOf, paid, reaches, TestPayouts, tryNow, untilTried } from './paid-orders.js';

const payouts = new TestPayouts();
const running = useRemesa({ settings: { FOUR_EYES: 'all' }, payouts, hasRates: true });
const listed = { ...lupita, firstName: 'Iris', lastName: 'Blokwell' };
const note = 'A test.';
let second = '';

beforeAll(async () => {
  await newOperator(running.database, 'second', 'admin');
  second = await operatorToken(running, 'second');
});

const operate = (path: string, body: object, token = running.admin) =>
  running.api.post(`/operator/orders/${path}`, { token, body });
const fileOf = async (id: string) =>
  (await running.api.get(`/operator/orders/${id}/review`, { token: running.admin })).json;
const decide = async (id: string, verb: 'approve' | 'refuse', fields: object = {}) =>
  operate(`${id}/${verb}`, { note, version: (await fileOf(id)).version, ...fields });

/** Another merchant for each story would cost more than it tells: limits are per user, and each order has its own. */
async function inReview(): Promise<string> {
  const id = await paid(running, { body: { beneficiary: listed } });
  await reaches(running, id, 'IN_REVIEW');
  return id;
}

/** An order that is converted and waits for a rail. */
async function converted(): Promise<string> {
  const id = await paid(running, { body: { beneficiary: lupita } });
  await reaches(running, id, 'CONVERTED');
  return id;
}

async function byTwo(asked: Answer): Promise<void> {
  expect(asked.status, asked.text).toBe(202);
  const path = `/operator/approvals/${asked.json.approvalId}/approve`;
  expect(told(await running.api.post(path, { token: running.admin }))).toEqual([403, 'approval_own']);
  expect((await running.api.post(path, { token: second })).status).toBe(200);
}
const release = async (id: string) => byTwo(await operate(`${id}/release`, { note }));
const stateOf = async (id: string) => (await fileOf(id)).state;

/** The ledger is whole, and it owes for the order exactly this. */
async function expectOwed(id: string, owed: Record<string, number>): Promise<void> {
  const customer = Object.entries(await balancesOf(running, id)).filter(([account]) =>
    /^(liability|payout|refund|frozen)/.test(account),
  );
  expect(Object.fromEntries(customer.map(([account, minor]) => [account, -minor]))).toEqual(owed);
}

describe('a review', () => {
  it('sends the whole amount back when it is refused, with a public reason that tells nothing', async () => {
    const id = await inReview();
    const refused = await decide(id, 'refuse', { reason: 'fraud' });
    expect(refused.status, refused.text).toBe(200);
    const order = await reaches(running, id, 'REFUND_PENDING');
    expect(order).toMatchObject({ statusReason: 'refused', pendingReason: 'refund', cancellable: 'no' });
    const days = (Date.parse(order.refundDueBy) - Date.parse(order.updatedAt)) / 86_400_000;
    expect([3, 4, 5]).toContain(Math.round(days));
    expect(payouts.refundsOf(id)).toEqual([10_000n]);
    await expectOwed(id, { 'refund:USD': 10_000 });
    expect(told(await operate(`${id}/refuse`, { note, version: 4, reason: 'fraud' }))[0]).toBe(409);
  });

  it('is decided once, when one operator approves and another refuses at the same moment', async () => {
    const id = await inReview();
    const { version } = await fileOf(id);
    const answers = await Promise.all([
      operate(`${id}/approve`, { note, version }),
      operate(`${id}/refuse`, { note, version, reason: 'other' }, second),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { rows } = await running.sql.query(
      'SELECT decision FROM order_reviews WHERE order_id = $1 AND decision IS NOT NULL',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect((await fileOf(id)).notes).toHaveLength(1);
  });

  it('stops a beneficiary whose name cannot be compared, or who is called a company, until an operator approves', async () => {
    const thai = await paid(running, { body: { beneficiary: { ...lupita, firstName: 'สมชาย', lastName: 'ใจดี' } } });
    await reaches(running, thai, 'IN_REVIEW');
    const { reasons, findings } = await fileOf(thai);
    expect(reasons).toEqual(['rule']);
    expect(findings.rules).toMatchObject([{ rule: 'unreadable_name' }]);
    const { firstName: _first, lastName: _last, ...account } = lupita;
    const company = { ...account, type: 'company', companyName: 'Iris Blokwell S.L.' };
    const called = await paid(running, { body: { beneficiary: company } });
    await reaches(running, called, 'IN_REVIEW');
    expect((await fileOf(called)).findings.beneficiaryMatches).toMatchObject([{ entryId: 'TEST-1' }]);
    expect((await decide(thai, 'approve')).status).toBe(200);
    await reaches(running, thai, 'PAYOUT_SUBMITTED');
  });

  it('needs a second operator to approve a strong match of the beneficiary', async () => {
    const beneficiary = { ...lupita, firstName: 'Jose Maria', lastName: 'Prohibido Listado' };
    const id = await paid(running, { body: { beneficiary } });
    await reaches(running, id, 'IN_REVIEW');
    const { findings } = await fileOf(id);
    expect(findings.beneficiaryMatches[0].isStrong).toBe(true);
    const asked = await decide(id, 'approve');
    expect(asked.status, asked.text).toBe(202);
    expect((await fileOf(id)).pendingApproval).toMatchObject({ action: 'hit.dismiss' });
    await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: second });
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('ends in a refund when it is approved after a cancellation was requested', async () => {
    const id = await inReview();
    const requested = (await cancel(running, id)).json;
    expect(requested).toMatchObject({ status: 'IN_REVIEW', cancellable: 'no' });
    expect(requested.cancellationRequestedAt).not.toBeNull();
    expect((await cancel(running, id)).json).toEqual(requested);
    expect((await decide(id, 'approve')).json).toMatchObject({ state: 'REFUND_PENDING' });
    await expectOwed(id, { 'refund:USD': 10_000 });
    expect((await get(running, id)).json.statusReason).toBe('cancelled_by_sender');
  });
});

describe('a freeze', () => {
  it('keeps what was paid of a converted order, which goes on as converted after the release', async () => {
    const id = await blockedAfterConversion();
    const { amountOut } = (await get(running, id)).json;
    await expectOwed(id, { 'payout:MXN': amountOut * 100 });
    const frozen = await operate(`${id}/freeze`, { note });
    expect(frozen.json).toMatchObject({ state: 'FROZEN', reasons: ['freeze'] });
    await expectOwed(id, { 'frozen:USD': 10_000 });
    expect((await get(running, id)).json.status).toBe('IN_REVIEW');
    expect(told(await decide(id, 'approve'))[0]).toBe(409);
    await release(id);
    await expectOwed(id, { 'liability:USD': 10_000 });
    expect((await decide(id, 'approve')).json).toMatchObject({ state: 'CONVERTED' });
    await expectOwed(id, { 'payout:MXN': amountOut * 100 });
    await untilTried(running, [id]);
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await expectOwed(id, {});
  });

  it('keeps the refund of an order that is refunded, and lets it go after the release', async () => {
    const id = await inReview();
    await decide(id, 'refuse', { reason: 'other' });
    await reaches(running, id, 'REFUND_PENDING');
    payouts.isRefundWithdrawable = false;
    expect(told(await operate(`${id}/freeze`, { note }))[0]).toBe(409);
    payouts.isRefundWithdrawable = true;
    expect((await operate(`${id}/freeze`, { note })).status).toBe(200);
    await expectOwed(id, { 'frozen:USD': 10_000 });
    await release(id);
    await byTwo(await decide(id, 'approve'));
    expect(await stateOf(id)).toBe('REFUND_PENDING');
    await expectOwed(id, { 'refund:USD': 10_000 });
    expect(payouts.refundsOf(id).at(-1)).toBe(10_000n);
  });

  it('needs a second operator to let the money go back after the release, whichever way', async () => {
    const [refused, cancelled] = [await inReview(), await inReview()];
    for (const id of [refused, cancelled]) {
      expect((await operate(`${id}/freeze`, { note })).status).toBe(200);
      await release(id);
    }
    expect((await cancel(running, cancelled)).json.status).toBe('IN_REVIEW');
    await byTwo(await decide(refused, 'refuse', { reason: 'compliance' }));
    await byTwo(await decide(cancelled, 'approve'));
    for (const id of [refused, cancelled]) await reaches(running, id, 'REFUND_PENDING');
  });

  it('is refused for an order without money', async () => {
    const { id } = await placed(running, await sender(running));
    expect(told(await operate(`${id}/freeze`, { note }))).toEqual([409, 'order_transition_not_allowed']);
  });
});

describe('a review of an order that nobody has paid', () => {
  const referred = async (): Promise<string> => {
    const { id } = await placed(running, await sender(running));
    expect((await operate(`${id}/refer`, { note })).json).toMatchObject({ state: 'IN_REVIEW', reasons: ['operator'] });
    return id;
  };

  it('keeps money from being taken until it is approved, and then waits for the payment again', async () => {
    const id = await referred();
    const { token } = running.acme;
    const paidIn = await running.api.post('/sandbox/payments', { token, body: { orderId: id, amount: 100 } });
    expect(paidIn.json).toMatchObject({ outcome: 'suspense', reason: 'order_not_payable' });
    expect((await decide(id, 'approve')).json).toMatchObject({ state: 'AWAITING_PAYMENT' });
    await expectOwed(id, {});
  });

  it('ends the order when it is refused, and when it is approved after a cancellation was requested', async () => {
    const [refused, cancelled] = [await referred(), await referred()];
    expect((await decide(refused, 'refuse', { reason: 'fraud' })).json).toMatchObject({ state: 'CANCELLED' });
    expect((await cancel(running, cancelled)).json).toMatchObject({ status: 'IN_REVIEW' });
    expect((await decide(cancelled, 'approve')).json).toMatchObject({ state: 'CANCELLED' });
    const shown = await Promise.all([refused, cancelled].map(async (id) => (await get(running, id)).json));
    expect(shown.map(({ status, statusReason }) => [status, statusReason])).toEqual([
      ['CANCELLED', 'refused'],
      ['CANCELLED', 'cancelled_by_sender'],
    ]);
  });
});

describe('a request for information', () => {
  const answer = (id: string, codes: string[]) =>
    running.api.post(`/orders/${id}/information`, {
      token: running.acme.token,
      body: { answers: codes.map((code) => ({ code, answer: 'Because.' })) },
    });

  it('shows what is needed, takes nothing else, and the order goes back to its review', async () => {
    const id = await inReview();
    const items = ['purpose', 'relationship'];
    expect((await operate(`${id}/request-information`, { note, items })).status).toBe(200);
    const asked = (await get(running, id)).json;
    expect(asked).toMatchObject({ status: 'ACTION_REQUIRED', pendingReason: 'information' });
    expect(asked.requirements).toEqual([
      { code: 'purpose', needs: 'answer', text: 'Describe what the money is for.' },
      { code: 'relationship', needs: 'answer', text: 'Describe how you know the beneficiary.' },
    ]);
    expect(Date.parse(asked.actionRequiredBy) - Date.parse(asked.updatedAt)).toBeGreaterThan(7 * 86_400_000 - 5_000);
    expect(told(await answer(id, [...items, 'sender_address']))).toEqual([400, 'invalid_fields']);
    expect((await answer(id, items)).json).toMatchObject({ status: 'IN_REVIEW', requirements: [] });
    const { answers } = await fileOf(id);
    expect(answers[0].answers).toEqual(items.map((code) => ({ code, answer: 'Because.', documentIds: [] })));
    const { rows } = await running.sql.query('SELECT sealed_answers FROM order_answers WHERE order_id = $1', [id]);
    expect(rows[0].sealed_answers.toString('latin1')).not.toContain('Because');
    expect((await decide(id, 'approve')).status).toBe(200);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('ends the order when it is not answered: unpaid it expires, in review a person decides', async () => {
    const user = await sender(running);
    const unpaid = await placed(running, user);
    const reviewed = await inReview();
    for (const id of [unpaid.id, reviewed])
      await operate(`${id}/request-information`, { note, items: ['purpose'], days: 1 });
    await moveClock(running, running.acme, '25 hours');
    await runExpiry(running, payouts);
    expect((await get(running, unpaid.id)).json).toMatchObject({
      ...{ status: 'EXPIRED', statusReason: 'information_not_provided' },
    });
    expect((await get(running, reviewed)).json).toMatchObject({
      ...{ status: 'IN_REVIEW', statusReason: 'information_not_provided' },
    });
  });

  it('refunds a paid order outside a review when it is not answered, and when it is cancelled', async () => {
    payouts.obstacle = 'rail_paused';
    const [silent, cancelled] = [await paid(running), await paid(running)];
    for (const id of [silent, cancelled])
      await operate(`${id}/request-information`, { note, items: ['purpose'], days: 1 });
    expect((await cancel(running, cancelled)).json).toMatchObject({ status: 'ACTION_REQUIRED' });
    await reaches(running, cancelled, 'REFUND_PENDING');
    await moveClock(running, running.acme, '25 hours');
    await runExpiry(running, payouts);
    payouts.obstacle = undefined;
    for (const id of [silent, cancelled]) {
      expect((await get(running, id)).json.status).toBe('REFUND_PENDING');
      await expectOwed(id, { 'refund:USD': 10_000 });
    }
  });
});

describe('a cancellation', () => {
  it('reverses the conversion of a converted order exactly and pays all of the money back', async () => {
    const id = await blockedAfterConversion();
    payouts.obstacle = undefined;
    const answer = (await cancel(running, id)).json;
    expect(answer).toMatchObject({ status: 'REFUND_PENDING', statusReason: 'cancelled_by_sender' });
    expect((await cancel(running, id)).json).toEqual(answer);
    expect(payouts.refundsOf(id)).toEqual([10_000n]);
    expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -10_000 });
    expect((await timelineOf(running, id)).map(({ event }) => event)).toContain('cancel_and_refund');
  });
});

describe('after all of this', () => {
  it('the ledger is whole: every currency sums to zero and verification finds nothing', async () => {
    const { rows } = await running.sql.query(
      `SELECT split_part(account, ':', 2) AS currency, sum(amount_minor)::int AS minor
         FROM ledger_postings GROUP BY 1 HAVING sum(amount_minor) <> 0`,
    );
    expect(rows).toEqual([]);
    const { database } = running.service;
    const current = Buffer.from(testMasterKey, 'base64');
    const vault = await KeyVault.open(database, { current, previous: undefined });
    const context = { database, sealer: new LedgerSealer(vault.rootKey), owedBalances: undefined };
    const verify = () => verifyLedger(context, merchantId(running.acme.merchant), { isFull: true });
    expect((await verify()).faults).toEqual([]);
  });
});

/** The rail closes between the conversion and the payout: creation and the first gate find it open. */
async function blockedAfterConversion(): Promise<string> {
  payouts.closesAfter = 2;
  const id = await converted();
  await eventually(async () => (await get(running, id)).json.pendingReason === 'payout_route');
  return id;
}
