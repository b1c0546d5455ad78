/** What banks and partners say that accounts hold, against the ledger; and accounts that run low. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareJob } from '../../src/operations/balances/service.js';
import { auditRows } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { movement, newAccount, record, usePayInAccounts } from '../payments/payments.js';
import { attemptsOf, PlayedRail, submitted } from '../payouts/payouts.js';
import { type PayoutVerbs, payoutVerbs } from '../payouts/worker-verbs.js';

const running = useRemesa({
  settings: { PAYOUT_RAILS: 'manual', RECORDED_PAYMENTS_USD_PER_DAY: '1000000' },
  hasRates: true,
});
usePayInAccounts(running);
const { sql } = running;
let verbs: PayoutVerbs;
beforeAll(async () => {
  await openBankAccounts(running, 'bank:MXN:mexico', 'bank:MXN:low');
  verbs = await payoutVerbs(running.service.database, [new PlayedRail('partner')]);
});

const post = (body: object, token = running.reviewer): Promise<Answer> =>
  running.api.post('/operator/bank-balances', { token, body });
const state = async (account: string, at: Date, balance: string): Promise<Answer> =>
  post({ account, at: at.toISOString(), balance, note: 'Statement 214' });
// biome-ignore lint/suspicious/noExplicitAny: JSON, which the tests examine.
async function shown(account: string): Promise<any> {
  const { json } = await running.api.get('/operator/bank-balances', { token: running.viewer });
  return json.find((item: { account: string }) => item.account === account);
}
/** A moment between two recordings, in milliseconds as statements have them. */
async function moment(): Promise<Date> {
  const { rows } = await sql.query(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
  await eventually(async () => {
    const again = await sql.query('SELECT clock_timestamp() > $1 AS later', [new Date(+rows[0].now + 1)]);
    return again.rows[0].later;
  });
  return new Date(+rows[0].now + 1);
}
const minutes = (from: Date, count: number) => new Date(+from + count * 60_000).toISOString();
const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}`, { token: running.viewer })).json;
const judged = () => running.service.database.transaction(async (tx) => tx.wake(compareJob));
const setMinimum = (account: string, minimum: string | null, version: number) =>
  running.api.call('PUT', `/operator/bank-balances/${account}`, {
    ...{ token: running.admin, body: { minimum, version } },
  });
let entries = 0;
function fund(amount: string, bank = 'mexico'): Promise<Answer> {
  entries += 1;
  const body = { merchant: 'acme', kind: 'funding', bank, currency: 'MXN', amount, direction: 'in' };
  return running.api.post('/operator/ledger/entries', {
    ...{ token: running.admin, key: `funding-${entries}`, body: { ...body, reason: 'Cover' } },
  });
}

describe('a bank statement', () => {
  it('agrees with a ledger over the books of all merchants, whenever its lines were recorded', async () => {
    await newAccount(running, { accountId: 'property-usd' });
    const bookings = fc.sample(
      fc.record({ minutes: fc.integer({ min: -60, max: 60 }), cents: fc.integer({ min: 1, max: 99_999 }) }),
      { numRuns: 8, seed: 7 },
    );
    // Two more that are certain: one on each side.
    const lines = [...bookings, { minutes: -5, cents: 1 }, { minutes: 5, cents: 2 }];
    let at = new Date(0);
    for (const [index, { minutes: booked, cents }] of lines.entries()) {
      if (index === 4) at = await moment();
      const bookedAt = minutes(index < 4 ? await moment() : at, booked);
      const answer = await record(running, movement({ accountId: 'property-usd', amount: cents / 100, bookedAt }));
      expect(answer.status).toBe(200);
    }
    const { rows } = await sql.query(
      `SELECT coalesce(sum(amount_minor), 0)::int AS minor FROM payments WHERE account_id = 'property-usd' AND booked_at <= $1`,
      [at],
    );
    const account = 'bank:USD:property-usd';
    const stated = await state(account, at, (rows[0].minor / 100).toFixed(2));
    expect([stated.status, stated.json.statement.unexplained]).toEqual([200, '0.00']);
    const wrong = await state(account, at, ((rows[0].minor + 1) / 100).toFixed(2));
    expect(wrong.json.statement.unexplained).toBe('0.01');
    const corrected = await state(account, at, (rows[0].minor / 100).toFixed(2));
    expect(corrected.json.statement.unexplained).toBe('0.00');
  });

  it('names what was recorded after it, also payouts by hand with their charges', async () => {
    expect((await fund('50000.00')).status).toBe(200);
    const order = await submitted(running, verbs, { rail: 'manual' });
    const [attempt] = await attemptsOf(running, order);
    const path = `/operator/payouts/${attempt.attempt_id}`;
    const accepted = { token: running.reviewer, key: 'accepted-1', body: { version: 1 } };
    expect((await running.api.post(`${path}/submitted`, accepted)).status).toBe(200);
    const at = await moment();
    const out = Number(attempt.amount_minor);
    const balance = ((5_000_000 - out - 1250) / 100).toFixed(2);
    const before = (await state('bank:MXN:mexico', at, balance)).json;
    const missing = (-(out + 1250) / 100).toFixed(2);
    expect(before.statement).toMatchObject({
      ...{ ledgerBalance: '50000.00', difference: missing, explainedBy: [], unexplained: missing },
    });
    expect(before.instructed).toEqual({ count: 1, amount: (out / 100).toFixed(2) });
    const paid = { version: 2, bankReference: 'LINE-1', bookedAt: minutes(at, -1), bank: 'mexico' };
    const answer = await running.api.post(`${path}/paid`, {
      ...{ token: running.reviewer, key: 'paid-1', body: { ...paid, charge: '12.50' } },
    });
    expect(answer.status).toBe(200);
    const after = await shown('bank:MXN:mexico');
    expect(after).toMatchObject({ ledgerBalance: balance, instructed: { count: 0, amount: '0.00' } });
    expect(after.statement).toMatchObject({
      explainedBy: [{ kind: 'recorded_later', count: 1, amount: missing }],
      unexplained: '0.00',
    });
    // The bank of another line booked it only after the statement.
    const earlier = await record(running, movement({ amount: 7, bookedAt: minutes(await moment(), 30) }));
    expect(earlier.status).toBe(200);
    const early = (await state('bank:USD:acme-usd', await moment(), '0')).json.statement;
    expect(early).toMatchObject({
      ...{ difference: '-7.00', unexplained: '0.00' },
      explainedBy: [{ kind: 'recorded_earlier', count: 1, amount: '-7.00' }],
    });
  });

  it('is explained for a partner by payouts that it has not paid yet', async () => {
    const waiting = await submitted(running, verbs, { rail: 'partner' });
    const [attempt] = await attemptsOf(running, waiting);
    const at = await moment();
    const stated = (await state('settlement:MXN:partner', at, '0')).json;
    const out = (Number(attempt.amount_minor) / 100).toFixed(2);
    expect(stated).toMatchObject({ ledgerBalance: `-${out}`, instructed: null });
    expect(stated.statement).toMatchObject({
      explainedBy: [{ kind: 'payouts_in_flight', count: 1, amount: out }],
      unexplained: '0.00',
    });
  });

  it('is a task when it differs for more than a day, until the missing line is recorded', async () => {
    await newAccount(running, { accountId: 'late-usd' });
    const account = 'bank:USD:late-usd';
    await record(running, movement({ accountId: 'late-usd', amount: 10 }));
    const at = await moment();
    await state(account, at, '30.00');
    await eventually(async () => (await shown(account)).differsSince, { what: 'the difference' });
    const differing = async () => (await tasks('balance_differs')).map(({ id }: { id: string }) => id);
    expect(await differing()).toEqual([]);
    const earlier = `UPDATE account_watches SET differs_since = now() - interval '25 hours' WHERE account = $1`;
    await sql.query(earlier, [account]);
    expect(await differing()).toEqual([`balance_differs.${account}`]);
    const metrics = async () => (await fetch(`${running.service.url}/metrics`)).text();
    expect(await metrics()).toContain(`remesa_account_differs{account="${account}"} 1`);
    await record(running, movement({ accountId: 'late-usd', amount: 20, bookedAt: minutes(at, -1) }));
    await judged();
    await eventually(async () => (await shown(account)).differsSince === null, { what: 'the end of it' });
    expect(await differing()).toEqual([]);
    expect(running.logText()).toContain('a statement differs from the ledger');
    expect((await auditRows(sql, 'bank_balance.recorded')).at(-1)?.subject).toBe(`account:${account}`);
  });

  it('is of an account that a ledger has, at a moment that has been, with an amount of its currency', async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const account = 'bank:USD:acme-usd';
    expect(told(await post({ account: 'bank:USD:nowhere', at, balance: '1' }))).toEqual([
      404,
      'ledger_account_not_found',
    ]);
    const future = minutes(new Date(), 60);
    for (const body of [
      { account, at: future, balance: '1' },
      { account, at, balance: '1.001' },
      { account: 'fee:USD', at, balance: '1' },
      { account: 'bank:XXQ:acme-usd', at, balance: '1' },
      { account, at, balance: 'much' },
    ])
      expect(told(await post(body))).toEqual([400, 'invalid_fields']);
    expect((await state(account, await moment(), '-12.50')).json.statement.balance).toBe('-12.50');
    expect((await post({ account, at, balance: '1' }, running.viewer)).status).toBe(403);
  });
});

describe('a minimum', () => {
  it('raises an alarm while the ledger or the statement is below it, and ends it by itself', async () => {
    const account = 'bank:MXN:low';
    await fund('100.00', 'low');
    expect(told(await setMinimum(account, '150.00', 9))).toEqual([409, 'bank_balance_changed']);
    const set = await setMinimum(account, '150.00', 1);
    expect(set.json).toMatchObject({ minimum: '150.00', version: 2 });
    const isLow = async () => (await shown(account)).lowSince !== null;
    const listed = async () => (await tasks('balance_low')).map(({ id }: { id: string }) => id);
    await eventually(isLow, { what: 'the alarm by the ledger' });
    expect(await listed()).toEqual([`balance_low.${account}`]);
    const claim = `/operator/tasks/balance_low.${account}/claim`;
    expect((await running.api.post(claim, { token: running.reviewer, body: {} })).status).toBe(200);
    const metrics = await (await fetch(`${running.service.url}/metrics`)).text();
    expect(metrics).toContain(`remesa_account_low{account="${account}"} 1`);
    expect(running.logText()).toContain('an account is below its minimum');
    await fund('50.00', 'low');
    await judged();
    await eventually(async () => !(await isLow()), { what: 'the end of the alarm' });
    expect(await listed()).toEqual([]);
    await state(account, await moment(), '149.99');
    await eventually(isLow, { what: 'the alarm by the statement' });
    await setMinimum(account, null, 2);
    await eventually(async () => !(await isLow()), { what: 'no alarm without a minimum' });
    expect((await shown(account)).minimum).toBeNull();
    const forbidden = { token: running.reviewer, body: { minimum: '1', version: 3 } };
    expect((await running.api.call('PUT', `/operator/bank-balances/${account}`, forbidden)).status).toBe(403);
  });
});
