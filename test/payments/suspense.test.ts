/**
 * What becomes of money in suspense: matched, divided, handed over, paid back, written off, and never in two places.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { instanceTenant, merchantId, storedPublicId, type TenantId } from '../../src/ids.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import { findOrder } from '../../src/orders/order/store.js';
import { owedBalances } from '../../src/payments/owed/balances.js';
import { findSuspense } from '../../src/payments/suspense/suspense-store.js';
import {
  type SuspenseEvent,
  suspenseEvents,
  suspenseStateAfter,
  suspenseStates,
} from '../../src/payments/suspense/transitions.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { auditRows, bySystem, newOperator, operatorToken } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { type Merchant, told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { moveClock } from '../kyc/kyc-service.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { untilNumbered } from '../ledger/numbered.js';
import { get, placed, sender, timelineOf, verbsOf } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { letTimePass } from '../payouts/payouts.js';
import { balanceOf, killedAt, mistyped, movement, newAccount, record, suspenseVerbsOf } from './payments.js';

const running = useRemesa({ hasRates: true });
usePayInAccounts(running);
const { sql } = running;
let second = '';
beforeAll(async () => {
  await newOperator(running.database, 'the-second', 'reviewer');
  second = await operatorToken(running, 'the-second');
});

// biome-ignore lint/suspicious/noExplicitAny: answers as JSON, which the tests examine.
type Json = any;

/** Money that names no order, as the record that operators see. */
async function suspended(fields: Record<string, unknown> = {}): Promise<Json> {
  const { json } = await record(running, movement({ remittanceText: 'rent', ...fields }));
  expect(json).toMatchObject({ outcome: 'suspense', reason: 'no_reference' });
  const { rows } = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [json.id]);
  return file(rows[0].suspense_id);
}

async function file(id: string): Promise<Json> {
  return done(await running.api.get(`/operator/suspense/${id}`, { token: running.reviewer }));
}

let keys = 0;
function decide(
  { id, version }: { id: string; version: number },
  verb: string,
  more: object = {},
  token = running.reviewer,
): Promise<Answer> {
  keys += 1;
  const body = { version, note: 'Ana Reyes called us.', ...more };
  return running.api.post(`/operator/suspense/${id}/${verb}`, { token, body, key: `suspense-${keys}` });
}

const unpaid = async (merchant: Merchant = running.acme): Promise<Json> =>
  placed(running, await sender(running, merchant), { merchant });

/** The file, once the record is in this state. Rails are asked at once, as if time had passed. */
const until = (id: string, state: string): Promise<Json> =>
  eventually(
    async () => {
      await letTimePass(running);
      const now = await file(id);
      return now.state === state ? now : undefined;
    },
    { what: `a record ${state}` },
  );

/** Every journal that names the record, in the order of its events. */
async function journalsOf(id: string): Promise<string[]> {
  const { rows } = await sql.query(
    `SELECT journal.journal_id, journal.event, posting.account, posting.amount_minor::int AS minor
       FROM ledger_journals AS journal JOIN ledger_postings AS posting USING (merchant_id, journal_id)
      WHERE journal.journal_id IN (SELECT journal_id FROM ledger_postings WHERE reference = $1)
      ORDER BY journal.journal_id, minor DESC`,
    [id],
  );
  const texts = new Map<bigint, string>();
  for (const { journal_id, event, account, minor } of rows) {
    const sign = minor > 0 ? '+' : '';
    texts.set(journal_id, `${texts.get(journal_id) ?? event} ${account} ${sign}${minor}`);
  }
  return [...texts.values()];
}

const attemptsOf = async (id: string): Promise<Json[]> =>
  (await sql.query('SELECT * FROM payout_attempts WHERE suspense_id = $1 ORDER BY number', [id])).rows;
const tasks = async (kind: string): Promise<string> =>
  (await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.reviewer })).text;

/** Refuses the order in its review, so that the money goes back. */
async function refuse(orderId: string): Promise<void> {
  const { rows } = await sql.query('SELECT version FROM orders WHERE order_id = $1', [orderId]);
  const body = { note: 'Not the sender', reason: 'fraud', version: rows[0].version };
  const path = `/operator/orders/${orderId}/refuse`;
  expect((await running.api.post(path, { token: running.reviewer, body })).status).toBe(200);
}

describe('a match', () => {
  it('pays the order with what it is missing, keeps the rest, and shows the history with its note', async () => {
    const order = await unpaid();
    const found = await suspended({ amount: 150 });
    expect(found).toMatchObject({ state: 'OPEN', amount: 150, remaining: 150, version: 1, history: [] });
    const answer = await decide(found, 'match', { orderId: order.id });
    expect(answer.json).toMatchObject({ state: 'OPEN', amount: 150, remaining: 50, version: 2 });
    expect((await get(running, order.id)).json.amountReceived).toBe(100);
    expect(await timelineOf(running, order.id)).toContainEqual(
      expect.objectContaining({ event: 'complete_payment', by: 'operator' }),
    );
    const other = await unpaid();
    const rest = await decide({ ...found, version: 2 }, 'match', { orderId: other.id });
    expect(rest.json).toMatchObject({ state: 'MATCHED', remaining: 0, version: 3 });
    expect((await get(running, other.id)).json).toMatchObject({
      ...{ status: 'AWAITING_PAYMENT', amountReceived: 50 },
    });
    expect(await journalsOf(found.id)).toEqual([
      'payment_unassigned payin:USD +15000 suspense:USD -15000',
      'suspense_matched suspense:USD +10000 liability:USD -10000',
      'suspense_matched suspense:USD +5000 liability:USD -5000',
    ]);
    const after = await file(found.id);
    expect(after.history).toEqual([
      expect.objectContaining({ event: 'match_part', state: 'OPEN', amount: 100, orderId: order.id }),
      expect.objectContaining({ event: 'match', state: 'MATCHED', amount: 50, orderId: other.id }),
    ]);
    expect(after.history[0]).toMatchObject({ by: 'the-reviewer', note: 'Ana Reyes called us.' });
    expect(after.payer).toEqual(found.payer);
    expect(after.candidates).toEqual([]);
    // Only the users' keys open the payer now.
    const copies = await sql.query(`SELECT FROM payments WHERE payment_id = $1 AND sealed_payer IS NOT NULL`, [
      found.paymentId,
    ]);
    expect(copies.rowCount).toBe(0);
    const notes = (await auditRows(sql, 'suspense.match%')).map(({ details }) => details);
    expect(JSON.stringify(notes)).not.toContain('Reyes');
    expect(notes).toContainEqual({ orderId: order.id, amountMinor: '10000' });
  });

  it('lets a person look at the order when the payer is somebody else, as for every payment', async () => {
    const order = await unpaid();
    const found = await suspended({ payer: { name: 'Boris Petrov', account: '77' } });
    await decide(found, 'match', { orderId: order.id });
    await eventually(async () => (await get(running, order.id)).json.status === 'IN_REVIEW');
    // Refused: the money goes back to the account that paid it.
    await refuse(order.id);
    await eventually(async () => (await get(running, order.id)).json.status === 'REFUNDED');
    const { rows } = await sql.query('SELECT payout_account FROM payout_attempts WHERE order_id = $1', [order.id]);
    expect(rows).toEqual([{ payout_account: '****77' }]);
  });

  it('is refused for another version, another merchant, another currency, a paid order, and no order', async () => {
    const found = await suspended();
    const order = await unpaid();
    const match = (orderId: string, more: object = {}) => decide(found, 'match', { orderId, ...more });
    const stale = await match(order.id, { version: 7 });
    expect(told(stale)).toEqual([409, 'suspense_changed']);
    expect(stale.json).toMatchObject({ state: 'OPEN', version: 1 });
    const foreign = await match((await unpaid(running.rival)).id);
    expect([...told(foreign), foreign.json.obstacle]).toEqual([...[409, 'suspense_not_matchable', 'other_merchant']]);
    await record(running, movement({ remittanceText: order.payIn.reference }));
    const paid = await match(order.id);
    expect([...told(paid), paid.json.obstacle]).toEqual([409, 'suspense_not_matchable', 'not_payable']);
    await newAccount(running, {
      ...{ accountId: 'acme-eur', merchant: 'acme', currency: 'EUR', country: 'ES' },
      details: { iban: 'ES91 2100 0418 4502 0005 1332' },
    });
    const euros = await suspended({ accountId: 'acme-eur', currency: 'EUR' });
    const wrong = await decide(euros, 'match', { orderId: (await unpaid()).id });
    expect([...told(wrong), wrong.json.obstacle]).toEqual([409, 'suspense_not_matchable', 'wrong_currency']);
    expect(told(await match('ord_0000013J8V2T9X5B3N6H0C7D2F'))).toEqual([404, 'order_not_found']);
    const nobody = { id: 'sus_0000013J8V2T9X5B3N6H0C7D2F', version: 1 };
    expect(told(await decide(nobody, 'match', { orderId: order.id }))).toEqual([404, 'suspense_not_found']);
    expect(told(await decide(found, 'match', { orderId: order.id }, running.viewer))).toEqual([
      ...[403, 'role_missing'],
    ]);
    const keyless = await running.api.post(`/operator/suspense/${found.id}/match`, {
      ...{ token: running.reviewer, body: { orderId: order.id, version: 1, note: 'x' } },
    });
    expect(told(keyless)).toEqual([400, 'idempotency_key_required']);
    expect(await journalsOf(found.id)).toHaveLength(1);
  });
});

describe('a return', () => {
  it('pays the account that paid, from the account that it arrived on, and the record ends as RETURNED', async () => {
    const found = await suspended({ amount: 12.34 });
    const answer = await decide(found, 'return');
    expect(answer.json).toMatchObject({ state: 'REFUND_PENDING', remaining: 12.34, version: 2 });
    const ended = await until(found.id, 'RETURNED');
    expect(ended).toMatchObject({ remaining: 0, version: 3 });
    expect(await journalsOf(found.id)).toEqual([
      'payment_unassigned payin:USD +1234 suspense:USD -1234',
      'suspense_refund_due suspense:USD +1234 refund:USD -1234',
      'refunded refund:USD +1234 bank:USD:acme-usd -1234',
    ]);
    const [attempt] = await attemptsOf(found.id);
    expect(attempt).toMatchObject({
      ...{ reference: `SUS${found.id.slice(4)}`, state: 'PAID', direction: 'refund', rail: 'sandbox' },
      ...{ order_id: null, user_id: null, bank: 'acme-usd', payout_account: '****6789' },
    });
    const shown = await running.api.get(`/operator/payouts/${attempt.attempt_id}`, {
      token: running.reviewer,
    });
    expect(shown.json).toMatchObject({
      ...{ merchant: 'acme', orderId: null, suspenseId: found.id, country: null, amount: '12.34' },
      instruction: { recipient: { name: 'Ana Reyes Núñez', account: '000123456789' }, sender: null },
    });
    expect(JSON.stringify(attempt)).not.toContain('Reyes');
  });

  it('waits for another account when it fails, which is paid under the next reference', async () => {
    const found = await suspended({ payer: { name: 'Ana Closed', account: '4711' } });
    await decide(found, 'return');
    const failed = await until(found.id, 'REFUND_FAILED');
    expect(failed).toMatchObject({ remaining: 100, version: 3 });
    expect(await tasks('suspense')).toContain(found.id);
    for (const verb of ['match', 'write-off'])
      expect(
        told(await decide(failed, verb, verb === 'match' ? { orderId: (await unpaid()).id } : {}, running.admin)),
      ).toEqual([409, 'suspense_transition_not_allowed']);
    const recipient = { name: 'Ana Reyes', account: '4712' };
    expect((await decide(failed, 'return', { recipient })).json.state).toBe('REFUND_PENDING');
    const ended = await until(found.id, 'RETURNED');
    expect(ended.history.map(({ event }: Json) => event)).toEqual([
      ...['return', 'fail_refund', 'return', 'settle_refund'],
    ]);
    const references = (await attemptsOf(found.id)).map(({ reference, state }) => [reference, state]);
    expect(references).toEqual([
      [`SUS${found.id.slice(4)}`, 'REJECTED'],
      [`SUS${found.id.slice(4)}-2`, 'PAID'],
    ]);
    expect(await journalsOf(found.id)).toEqual([
      'payment_unassigned payin:USD +10000 suspense:USD -10000',
      'suspense_refund_due suspense:USD +10000 refund:USD -10000',
      'refunded refund:USD +10000 bank:USD:acme-usd -10000',
    ]);
  });

  it('brings the money back when it bounces later, and is done again', async () => {
    const found = await suspended({ payer: { name: 'Ana Returned', account: '4713' } });
    await decide(found, 'return');
    await until(found.id, 'RETURNED');
    await moveClock(running, running.acme, '2 hours');
    const bounced = await until(found.id, 'REFUND_FAILED');
    expect(bounced).toMatchObject({ remaining: 100, version: 4 });
    expect((await journalsOf(found.id)).slice(2)).toEqual([
      'refunded refund:USD +10000 bank:USD:acme-usd -10000',
      'refund_returned payin:USD +10000 refund:USD -10000',
    ]);
    await decide(bounced, 'return', { recipient: { name: 'Ana Reyes', account: '4714' } });
    expect((await until(found.id, 'RETURNED')).remaining).toBe(0);
  });

  it('is a payout to make by hand without a known account; a recipient is named only where it is needed', async () => {
    const known = await suspended();
    const recipient = { name: 'Somebody Else', account: '1' };
    expect(told(await decide(known, 'return', { recipient }))).toEqual([400, 'invalid_fields']);
    const found = await suspended({ payer: { name: 'Ana Reyes' } });
    await decide(found, 'return');
    const [attempt] = await attemptsOf(found.id);
    expect(attempt).toMatchObject({ rail: 'manual', state: 'READY', payout_account: null });
    expect(await tasks('payout_to_make')).toContain(attempt.attempt_id);
    await openBankAccounts(running, 'bank:USD:other');
    const line = { version: 1, bankReference: 'PAID-BACK', bookedAt: '2026-11-15T09:41:00.000Z' };
    const paid = await running.api.post(`/operator/payouts/${attempt.attempt_id}/paid`, {
      ...{ token: running.reviewer, key: 'paid-back', body: { ...line, bank: 'other' } },
    });
    expect(paid.json.state).toBe('PAID');
    expect((await journalsOf(found.id)).at(-1)).toBe('refunded refund:USD +10000 bank:USD:other -10000');
    const told2 = await suspended({ payer: { name: 'Ana Reyes' } });
    await decide(told2, 'return', { recipient });
    expect((await until(told2.id, 'RETURNED')).payer.account).toBeNull();
  });
});

it('a write-off is an administrator’s, and makes the money ours', async () => {
  const found = await suspended({ amount: 0.07 });
  expect(told(await decide(found, 'write-off'))).toEqual([403, 'role_missing']);
  const answer = await decide(found, 'write-off', {}, running.admin);
  expect(answer.json).toMatchObject({ state: 'WRITTEN_OFF', remaining: 0, version: 2 });
  expect((await journalsOf(found.id)).at(-1)).toBe('written_off suspense:USD +7 writeoff:USD -7');
  const closed = { ...found, version: 2 };
  const again = [
    decide(closed, 'return'),
    decide(closed, 'write-off', {}, running.admin),
    decide(closed, 'match', { orderId: (await unpaid()).id }),
  ];
  for (const refused of await Promise.all(again))
    expect(told(refused)).toEqual([409, 'suspense_transition_not_allowed']);
});

describe('money of a shared account', () => {
  const onShared = (fields: object = {}) => suspended({ accountId: 'shared-usd', ...fields });

  it('goes to the merchant of its order, which takes it; the rest stays there, and the two sides net to zero', async () => {
    const order = await unpaid(running.rival);
    const found = await onShared({ amount: 130 });
    expect(found.merchant).toBeNull();
    const answer = await decide(found, 'match', { orderId: order.id });
    expect(answer.json).toMatchObject({ state: 'HANDED_OVER', remaining: 0 });
    const paid = async () => (await get(running, order.id, running.rival)).json.amountReceived === 100;
    await eventually(paid);
    const list = async () =>
      (await running.api.get('/operator/suspense?merchant=rival', { token: running.reviewer })).json;
    const [rest] = await eventually(async () => ((await list()).length > 0 ? list() : undefined));
    expect(rest).toMatchObject({ paymentId: found.paymentId, amount: 130, remaining: 30, state: 'OPEN' });
    expect(await journalsOf(found.id)).toEqual([
      'payment_unassigned payin:USD +13000 suspense:USD -13000',
      'suspense_handed_over suspense:USD +13000 intermerchant:USD -13000',
    ]);
    expect(await journalsOf(rest.id)).toEqual([
      'payment_unassigned payin:USD +13000 suspense:USD -13000',
      'suspense_matched suspense:USD +10000 liability:USD -10000',
    ]);
    expect([await balanceOf(running, 'intermerchant'), await balanceOf(running, 'payin')]).toEqual([0, 0]);
    await decide(rest, 'return');
    expect(await until(rest.id, 'RETURNED')).toMatchObject({ remaining: 0, accountId: 'shared-usd' });
    const settled = `SELECT FROM suspense_records WHERE suspense_id = $1 AND settled_at IS NOT NULL`;
    await eventually(async () => (await sql.query(settled, [found.id])).rowCount === 1);
    expect((await file(found.id)).payer.name).toBe('Ana Reyes Núñez');
  });

  it('is taken over once, wherever processes end and however often it is tried', async () => {
    const { database } = running;
    const { handOvers, actions } = await suspenseVerbsOf(database);
    const order = await unpaid(running.rival);
    const found = await onShared();
    const ref = { ownerId: instanceTenant, suspenseId: storedPublicId('sus', found.id) };
    const orderId = storedPublicId('ord', order.id);
    const stored = await findOrder(database, { merchantId: merchantId(running.rival.merchant), orderId });
    const before = await findSuspense(database, ref);
    if (!stored || !before) throw new Error('nothing to hand over');
    const record = await database.transaction((tx) =>
      actions.handOver(tx, bySystem, before, { order: stored, note: 'x' }),
    );
    const handed = { record, orderId };
    const steps = [
      (tx: Transaction) => handOvers.receive(tx, bySystem, handed),
      (tx: Transaction) => handOvers.match(tx, bySystem, handed),
      (tx: Transaction) => handOvers.settle(tx, handed),
    ];
    for (const step of steps) {
      for (const statements of [1, 3, 5, 8]) await killedAt(database, step, statements);
      await database.transaction(step);
    }
    for (const step of steps) await database.transaction(step);
    expect((await get(running, order.id, running.rival)).json.amountReceived).toBe(100);
    expect([await balanceOf(running, 'intermerchant'), await balanceOf(running, 'payin')]).toEqual([0, 0]);
    const { rows } = await sql.query('SELECT state FROM suspense_records WHERE payment_id = $1', [found.paymentId]);
    expect(rows.map(({ state }) => state).sort()).toEqual(['HANDED_OVER', 'MATCHED']);
  });

  it('stays in suspense under the merchant when the order does not take it any more', async () => {
    const order = await unpaid(running.rival);
    const [first, late] = [await onShared(), await onShared()];
    await Promise.all([first, late].map((found) => decide(found, 'match', { orderId: order.id })));
    const open = await eventually(async () => {
      const { rows } = await sql.query(
        `SELECT state FROM suspense_records WHERE order_id = $1 AND merchant_id > 0 ORDER BY state`,
        [order.id],
      );
      return rows.length === 2 && rows[0].state === 'MATCHED' ? rows : undefined;
    });
    expect(open.map(({ state }) => state)).toEqual(['MATCHED', 'OPEN']);
    expect((await get(running, order.id, running.rival)).json.amountReceived).toBe(100);
  });

  it('is paid back from the books of the instance when nobody knows it', async () => {
    const found = await onShared();
    await decide(found, 'return');
    await until(found.id, 'RETURNED');
    expect(found.id.slice(4, 10)).toBe('000000');
    expect(await journalsOf(found.id)).toEqual([
      'payment_unassigned payin:USD +10000 suspense:USD -10000',
      'suspense_refund_due suspense:USD +10000 refund:USD -10000',
      'refunded refund:USD +10000 bank:USD:shared-usd -10000',
    ]);
    const [attempt] = await attemptsOf(found.id);
    const shown = await running.api.get(`/operator/payouts/${attempt.attempt_id}`, {
      token: running.reviewer,
    });
    expect(shown.json).toMatchObject({ merchant: null, suspenseId: found.id, state: 'PAID' });
  });
});

it('two operators who decide at the same moment: one is done, the other gets a clear refusal', async () => {
  const cases = await Promise.all(
    Array.from({ length: 10 }, async () => ({ order: await unpaid(), found: await suspended() })),
  );
  const answers = await Promise.all(
    cases.map(({ order, found }) =>
      Promise.all([
        decide(found, 'match', { orderId: order.id }),
        decide(found, 'return', {}, second),
        decide(found, 'write-off', {}, running.admin),
      ]),
    ),
  );
  for (const [index, three] of answers.entries()) {
    expect(three.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const codes = three.filter(({ status }) => status === 409).map(({ json }) => json.code);
    expect(codes).toEqual(['suspense_changed', 'suspense_changed']);
    const { id } = cases[index]?.found ?? {};
    expect((await journalsOf(id)).length).toBeGreaterThanOrEqual(2);
    // A refund goes on by itself.
    const decided = (await file(id)).history.filter(({ by }: Json) => by !== null);
    expect(decided).toHaveLength(1);
  }
});

describe('candidates', () => {
  it('are the order that was mistyped, then those of who paid before, then the same amount; never one that is paid', async () => {
    const user = await sender(running);
    const [paid, mine] = [await placed(running, user), await placed(running, user)];
    const payer = { name: 'Carmen Ibarra', account: 'DE 89 3704' };
    await record(running, movement({ remittanceText: paid.payIn.reference, payer }));
    const typed = await unpaid();
    const reference = typed.payIn.reference;
    const { json } = await record(
      running,
      movement({
        remittanceText: mistyped(reference),
        ...{ payer: { name: 'CARMEN IBARRA', account: 'de893704' }, amount: 42 },
      }),
    );
    const [{ id }] = (
      await running.api.get('/operator/suspense?reason=mistyped_reference', { token: running.reviewer })
    ).json;
    const { candidates, paymentId } = await file(id);
    expect(paymentId).toBe(json.id);
    expect(candidates.slice(0, 2)).toEqual([
      expect.objectContaining({ orderId: typed.id, reasons: ['mistyped_reference'], missing: 100 }),
      expect.objectContaining({ orderId: mine.id, reasons: ['payer_account'], status: 'AWAITING_PAYMENT' }),
    ]);
    expect(JSON.stringify(candidates)).not.toContain(paid.id);
    const byAmount = await suspended({ payer: { name: 'Ana Reyes Núñez', account: '1' } });
    expect(byAmount.candidates).toHaveLength(5);
    expect(byAmount.candidates[0].reasons).toEqual(expect.arrayContaining(['user_name', 'amount']));
  });

  it('are orders of every merchant for whom a shared account has paid, for money on it', async () => {
    const user = await sender(running, running.rival);
    const orders = { merchant: running.rival };
    const paid = await placed(running, user, orders);
    const payer = { name: 'Nadia Osman', account: 'KE-5566' };
    const body = { accountId: 'shared-usd', remittanceText: paid.payIn.reference, payer };
    await record(running, movement(body));
    await eventually(async () => (await get(running, paid.id, running.rival)).json.amountReceived === 100);
    const next = await placed(running, user, orders);
    const found = await suspended({ accountId: 'shared-usd', payer, amount: 100 });
    expect(found.candidates).toEqual([
      expect.objectContaining({ orderId: next.id, reasons: ['payer_account', 'amount'] }),
    ]);
  });
});

it('lists, tasks and metrics show what waits; closed records are listed by their state', async () => {
  const found = await suspended();
  const list = async (query: string) =>
    (await running.api.get(`/operator/suspense?limit=200${query}`, { token: running.viewer })).text;
  expect(await list('')).toContain(found.id);
  expect(await tasks('suspense')).toContain(found.id);
  await decide(found, 'write-off', {}, running.admin);
  expect(await list('')).not.toContain(found.id);
  expect(await tasks('suspense')).not.toContain(found.id);
  expect(await list('&state=WRITTEN_OFF')).toContain(found.id);
  expect(await list('&state=MATCHED')).not.toContain(found.id);
  const { rows } = await sql.query(
    `SELECT count(*)::int AS count FROM suspense_records WHERE state IN ('OPEN', 'REFUND_FAILED') AND reason = 'no_reference'`,
  );
  const metrics = await (await fetch(`${running.service.url}/metrics`)).text();
  expect(metrics).toContain(`remesa_suspense_records{reason="no_reference"} ${rows[0].count}`);
});

it('a refund of an order whose payer’s account is not known is made by hand, not sent to a rail without a recipient', async () => {
  const order = await unpaid();
  const payer = { name: 'Boris Petrov' };
  await record(running, movement({ remittanceText: order.payIn.reference, payer }));
  await eventually(async () => (await get(running, order.id)).json.status === 'IN_REVIEW');
  await refuse(order.id);
  const { rows } = await eventually(async () => {
    const found = await sql.query('SELECT * FROM payout_attempts WHERE order_id = $1', [order.id]);
    return found.rowCount === 1 ? found : undefined;
  });
  expect(rows[0]).toMatchObject({ rail: 'manual', state: 'READY', direction: 'refund' });
  expect(await tasks('payout_to_make')).toContain(rows[0].attempt_id);
});

/** Written by hand: from>to. */
const expected: Readonly<Record<SuspenseEvent, string>> = {
  match: 'OPEN>MATCHED',
  match_part: 'OPEN>OPEN',
  hand_over: 'OPEN>HANDED_OVER',
  return: 'OPEN>REFUND_PENDING REFUND_FAILED>REFUND_PENDING',
  withdraw: 'REFUND_PENDING>OPEN',
  settle_refund: 'REFUND_PENDING>RETURNED',
  fail_refund: 'REFUND_PENDING>REFUND_FAILED RETURNED>REFUND_FAILED',
  write_off: 'OPEN>WRITTEN_OFF',
  freeze: 'OPEN>FROZEN REFUND_PENDING>FROZEN REFUND_FAILED>FROZEN',
  release: 'FROZEN>OPEN',
  claw_back: 'OPEN>CLAWED_BACK REFUND_PENDING>CLAWED_BACK REFUND_FAILED>CLAWED_BACK FROZEN>CLAWED_BACK',
  void: 'OPEN>VOIDED',
  prove_refund: 'OPEN>RETURNED REFUND_PENDING>RETURNED REFUND_FAILED>RETURNED FROZEN>RETURNED',
  record_overpaid:
    'MATCHED>MATCHED HANDED_OVER>HANDED_OVER RETURNED>RETURNED WRITTEN_OFF>WRITTEN_OFF CLAWED_BACK>CLAWED_BACK ' +
    'VOIDED>VOIDED',
};

describe('the states of a record', () => {
  it('change by each event as the table says', () => {
    const pairsOf = (event: SuspenseEvent) =>
      suspenseStates.flatMap((from) => {
        const to = suspenseStateAfter(from, event);
        return to === undefined ? [] : [`${from}>${to}`];
      });
    for (const event of suspenseEvents) expect(pairsOf(event).join(' ')).toBe(expected[event]);
  });

  const isHeld = (state: string) => ['OPEN', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN'].includes(state);
  const set = (state: string, minor: number) =>
    `state = '${state}', remaining_minor = ${minor}, handed_to = ${state === 'HANDED_OVER' ? `'ord_x'` : 'NULL'}`;
  const force = (id: string, state: string) =>
    withoutTriggers(sql, (client) =>
      client.query(`UPDATE suspense_records SET ${set(state, isHeld(state) ? 10_000 : 0)} WHERE suspense_id = $1`, [
        id,
      ]),
    );
  /** Why the database refuses the change; undefined when it does not. */
  const refusal = async (id: string, change: string): Promise<string | undefined> =>
    sql.query(`UPDATE suspense_records SET ${change} WHERE suspense_id = $1`, [id]).then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('are the only ones that the database lets follow each other', async () => {
    const { id } = await suspended();
    const pairs = suspenseStates.flatMap((from) => suspenseStates.map((to) => [from, to] as const));
    const allowed: string[] = [];
    for (const [from, to] of pairs) {
      await force(id, from);
      const left = from === 'OPEN' && to === 'OPEN' ? 1 : 10_000;
      const refused = await refusal(id, `${set(to, isHeld(to) ? left : 0)}, version = version + 1`);
      if (refused === undefined) allowed.push(`${from}>${to}`);
      else expect(refused).toBe(`a suspense record does not change from ${from} to ${to}`);
    }
    expect(allowed.sort()).toEqual([...new Set(Object.values(expected).join(' ').split(' '))].sort());
    await force(id, 'OPEN');
    expect(await refusal(id, 'remaining_minor = 5000')).toContain('counts its changes');
    expect(await refusal(id, 'remaining_minor = 20000, version = version + 1')).toContain('what is left');
    expect(await refusal(id, `state = 'REFUND_PENDING', remaining_minor = 5000, version = version + 1`)).toContain(
      'what is left',
    );
    expect(await refusal(id, 'amount_minor = 1, version = version + 1')).toContain('never changes');
    await expect(sql.query('DELETE FROM suspense_records')).rejects.toThrow();
    await expect(sql.query(`UPDATE changes SET action = 'x' WHERE subject LIKE 'suspense:%'`)).rejects.toThrow();
  });
});

it('the verification of the ledgers is content with all of this, and names what does not agree', async () => {
  await eventually(async () => {
    const busy = await sql.query(`SELECT FROM suspense_records WHERE state = 'HANDED_OVER' AND settled_at IS NULL`);
    return busy.rowCount === 0;
  });
  const { sealer } = (await verbsOf(running)).transitions.ledger;
  const { database } = running.service;
  const verify = async (tenant: TenantId) => {
    await untilNumbered(running);
    return (await verifyLedger({ database, sealer, owedBalances }, tenant, { isFull: true })).faults;
  };
  const tenants = [instanceTenant, merchantId(running.acme.merchant), merchantId(running.rival.merchant)];
  for (const tenant of tenants) expect(await verify(tenant)).toEqual([]);
  const { id } = await suspended();
  await withoutTriggers(sql, (client) =>
    client.query('UPDATE suspense_records SET remaining_minor = 9999 WHERE suspense_id = $1', [id]),
  );
  const faults = await verify(merchantId(running.acme.merchant));
  expect(faults).toContain(`${id} has 10000 on suspense:USD instead of 9999 (minor units)`);
  expect(faults.join()).toMatch(/suspense:USD has \d+, but its records have \d+ \(minor units\)/);
  // While the books do not agree, nothing is paid back.
  await eventually(async () => {
    const waiting = { id, version: 1 };
    return told(await decide(waiting, 'return'))[1] === 'ledger_fault';
  });
});
