/**
 * Banks take back payments that are not one order's alone: an excess is in suspense, a match has divided them, or
 * merchants share the account.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { instanceTenant } from '../../src/ids.js';
import { done } from '../harness/api.js';
import { told } from '../harness/users.js';
import { eventsOf, get, lupita, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import {
  failedPayout,
  faultsOf,
  happens,
  newestJournals,
  operate,
  paidByBank,
  statusOf,
  useCorrections,
  versionOf,
} from './corrections.js';

const running = useCorrections();
const { sql } = running;
let lines = 0;

/** Two operators record that the bank took the payment back. `version`: of the record, where no order has the money. */
async function clawBack(paymentId: string, at: { orderId: string } | { version: number }) {
  lines += 1;
  const version = 'version' in at ? at.version : await versionOf(running, at.orderId);
  const line = { bankReference: `clawed-${lines}`, bookedAt: '2026-11-17T09:41:00.000Z' };
  const body = { version, ...line, note: 'Disputed.' };
  return operate(running, `payments/${paymentId}/corrections/clawback`, body);
}

async function clawedBack(paymentId: string, at: { orderId: string } | { version: number }): Promise<void> {
  const asked = await clawBack(paymentId, at);
  expect(asked.status, asked.text).toBe(202);
  const approve = `approvals/${asked.json.approvalId}/approve`;
  const done = await operate(running, approve, undefined, 'rob');
  expect(done.status, done.text).toBe(200);
}

const recordOf = async (paymentId: string, tenant: number = running.acme.merchant) =>
  (
    await sql.query(
      `SELECT suspense_id AS id, state, remaining_minor::int AS remaining, version FROM suspense_records
        WHERE payment_id = $1 AND merchant_id = $2`,
      [paymentId, tenant],
    )
  ).rows[0];

/** By account, over all journals that name the reference. */
async function balances(reference: string): Promise<Record<string, number>> {
  const { rows } = await sql.query(
    `SELECT account, sum(amount_minor)::int AS minor FROM ledger_postings WHERE reference = $1
      GROUP BY account HAVING sum(amount_minor) <> 0`,
    [reference],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

let keys = 0;
async function decide(paymentId: string, verb: string, more: object = {}, tenant?: number): Promise<void> {
  const { id, version } = await recordOf(paymentId, tenant);
  keys += 1;
  const body = { version, note: 'Ana called.', ...more };
  const token = verb === 'write-off' ? running.admin : running.as('rita');
  done(
    await running.api.post(`/operator/suspense/${id}/${verb}`, {
      ...{ token, body, key: `divided-${keys}` },
    }),
  );
}

const unpaid = async (merchant = running.acme) =>
  placed(running, await sender(running, merchant), { merchant, body: { beneficiary: { ...lupita } } });
const unknown = async (fields: object = {}): Promise<string> =>
  (await record(running, movement({ remittanceText: 'rent', ...fields }))).json.id;

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('a clawback of a payment with an excess', () => {
  it('takes the order’s part from the order and the excess from suspense', async () => {
    const paid = await paidByBank(running, { amount: 130 });
    await reaches(running, paid.id, 'PAYOUT_SUBMITTED');
    await happens(running, paid, 'failed', { reason: 'AC04' });
    await clawedBack(paid.paymentId, { orderId: paid.id });
    expect((await get(running, paid.id)).json).toMatchObject({
      ...{ status: 'CANCELLED', statusReason: 'payment_reversed', amountReceived: 100, amountReversed: 100 },
    });
    const excess = await recordOf(paid.paymentId);
    expect(excess).toMatchObject({ state: 'CLAWED_BACK', remaining: 0 });
    for (const reference of [paid.id, excess.id, paid.paymentId])
      expect([reference, await balances(reference)]).toEqual([reference, {}]);
    expect(told(await clawBack(paid.paymentId, { orderId: paid.id }))[0]).toBe(409);
  });

  it('is a loss of the order’s part after the payout, and what was written off is ours no longer', async () => {
    const paid = await paidByBank(running, { amount: 130 });
    await reaches(running, paid.id, 'PAYOUT_SUBMITTED');
    await happens(running, paid, 'submitted');
    await decide(paid.paymentId, 'write-off');
    await clawedBack(paid.paymentId, { orderId: paid.id });
    expect(await statusOf(running, paid.id)).toBe('PAYOUT_SUBMITTED');
    const { rows } = await sql.query(
      'SELECT amount_minor::int AS amount, lost_minor::int AS lost FROM payment_reversals WHERE payment_id = $1',
      [paid.paymentId],
    );
    expect(rows).toEqual([{ amount: 13_000, lost: 10_000 }]);
    const { id } = await recordOf(paid.paymentId);
    expect(await balances(id)).toEqual({});
  });

  it('stops the return of the excess until a bank was instructed, and then waits and changes nothing', async () => {
    const stopped = await paidByBank(running, { amount: 130 });
    await reaches(running, stopped.id, 'PAYOUT_SUBMITTED');
    await decide(stopped.paymentId, 'return');
    await clawedBack(stopped.paymentId, { orderId: stopped.id });
    const excess = await recordOf(stopped.paymentId);
    expect(excess).toMatchObject({ state: 'CLAWED_BACK', remaining: 0 });
    expect(await balances(excess.id)).toEqual({});
    const paid = await paidByBank(running, { amount: 130 });
    await reaches(running, paid.id, 'PAYOUT_SUBMITTED');
    await decide(paid.paymentId, 'return');
    await sql.query(
      `UPDATE payout_attempts SET state = 'SENDING', version = version + 1, message_id = 'MSG', message_at = now()
        WHERE suspense_id = $1`,
      [(await recordOf(paid.paymentId)).id],
    );
    const before = await versionOf(running, paid.id);
    const asked = await clawBack(paid.paymentId, { orderId: paid.id });
    const refused =
      asked.status === 202
        ? await operate(running, `approvals/${asked.json.approvalId}/approve`, undefined, 'rob')
        : asked;
    expect(told(refused)).toEqual([409, 'suspense_transition_not_allowed']);
    expect(await versionOf(running, paid.id)).toBe(before);
  });
});

describe('a clawback of a payment that came out of suspense', () => {
  it('takes it from the order that has all of it, and from suspense what a match has left', async () => {
    const whole = await unpaid();
    const paymentId = await unknown();
    await decide(paymentId, 'match', { orderId: whole.id });
    await reaches(running, whole.id, 'PAYOUT_SUBMITTED');
    await happens(running, whole, 'submitted');
    await clawedBack(paymentId, { orderId: whole.id });
    expect((await newestJournals(running, whole.id))[0]?.postings[0]).toEqual(['writeoff:USD', 10_000]);
    expect((await eventsOf(running, whole.id)).at(-1)).toMatchObject({ type: 'order.payment_reversed' });
    const settle = `payments/${paymentId}/corrections/clawback/settle`;
    expect((await operate(running, settle, { note: 'Claimed.' })).status).toBe(200);

    const partly = await unpaid();
    const more = await unknown({ amount: 140 });
    await decide(more, 'match', { orderId: partly.id });
    await reaches(running, partly.id, 'PAYOUT_SUBMITTED');
    await clawedBack(more, { orderId: partly.id });
    expect(await recordOf(more)).toMatchObject({ state: 'CLAWED_BACK', remaining: 0 });
  });

  it('is refused when several orders have parts of it', async () => {
    const [first, second] = [await unpaid(), await unpaid()];
    const paymentId = await unknown({ amount: 150 });
    await decide(paymentId, 'match', { orderId: first.id });
    await decide(paymentId, 'match', { orderId: second.id });
    expect(told(await clawBack(paymentId, { orderId: first.id }))).toEqual([409, 'payment_not_reversible']);
  });
});

describe('a clawback of a payment on a shared account', () => {
  it('is taken from the books of the order’s merchant, so that the account has what the bank says', async () => {
    const onBank = async () => {
      const text = `SELECT sum(amount_minor)::int AS minor FROM ledger_postings WHERE account = 'bank:USD:shared-usd'`;
      return (await sql.query(text)).rows[0].minor ?? 0;
    };
    const before = await onBank();
    const shared = await paidByBank(running, { accountId: 'shared-usd' });
    await reaches(running, shared.id, 'PAYOUT_SUBMITTED');
    await happens(running, shared, 'failed', { reason: 'AC04' });
    expect(await onBank()).toBe(before + 10_000);
    await clawedBack(shared.paymentId, { orderId: shared.id });
    expect(await statusOf(running, shared.id)).toBe('CANCELLED');
    expect(await onBank()).toBe(before);
    const { rows } = await sql.query(
      `SELECT sum(amount_minor)::int AS minor FROM ledger_postings WHERE account LIKE 'intermerchant:%'`,
    );
    expect(rows).toEqual([{ minor: 0 }]);
  });

  it('reaches money that was handed over from suspense, and money that nobody knows', async () => {
    const order = await unpaid();
    const paymentId = await unknown({ accountId: 'shared-usd' });
    await decide(paymentId, 'match', { orderId: order.id }, instanceTenant);
    await reaches(running, order.id, 'PAYOUT_SUBMITTED');
    await happens(running, order, 'submitted');
    await clawedBack(paymentId, { orderId: order.id });
    expect((await newestJournals(running, order.id))[0]?.postings.at(-1)).toEqual([
      ...['bank:USD:shared-usd', -10_000],
    ]);
    const nobodys = await unknown({ accountId: 'shared-usd' });
    await clawedBack(nobodys, { version: 1 });
    expect(await recordOf(nobodys, instanceTenant)).toMatchObject({ state: 'CLAWED_BACK' });
  });
});

describe('a refund that bounces after the payment was clawed back', () => {
  it('leaves nothing that is owed: the next try ends the order', async () => {
    const paid = await failedPayout(running);
    const { id, paymentId, amountIn } = paid;
    const refund = { version: await versionOf(running, id), reason: 'operator', note: 'Back.' };
    await operate(running, `orders/${id}/refund`, refund);
    await happens(running, paid, 'paid', { bank: 'acme-usd' });
    await clawedBack(paymentId, { orderId: id });
    await happens(running, paid, 'returned', { bank: 'acme-usd' });
    expect(await statusOf(running, id)).toBe('REFUND_FAILED');
    expect((await newestJournals(running, id)).at(-1)?.postings).toEqual([
      ['payin:USD', amountIn],
      ['writeoff:USD', -amountIn],
    ]);
    const retry = { version: await versionOf(running, id), note: 'Nothing is owed.' };
    const ended = await operate(running, `orders/${id}/retry-refund`, retry);
    expect(ended.json, ended.text).toMatchObject({ state: 'CANCELLED' });
    expect(await balances(id)).toEqual({ 'bank:USD:acme-usd': -amountIn });
  });
});
