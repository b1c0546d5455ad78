/** Paying by hand, with two operators; pauses; the sandbox rail with its test values; pick-up codes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyVault } from '../../src/keys/vault.js';
import type { Order } from '../../src/orders/order/order.js';
import { PauseWatch, pausesChanged } from '../../src/payouts/pauses/pause-watch.js';
import { sandboxRail } from '../../src/providers/payout/sandbox.js';
import { WakeUp } from '../../src/worker/wake-up.js';
import { auditRows, operatorTokens } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { eventsOf, get, lupita, place, sender } from '../orders/orders.js';
import { paid } from '../orders/paid-orders.js';
import { quote } from '../rates/quoting.js';
import { attemptsOf, letTimePass, refunding, submitted } from './payouts.js';
import { type PayoutVerbs, payoutVerbs } from './worker-verbs.js';

const running = useRemesa({
  settings: {
    FOUR_EYES: 'payout.record',
    PAYOUTS_RECORDED_PER_DAY: 'MXN:4000',
    PAYOUT_RAILS: 'manual=bank_account/MXN,sandbox=cash_pickup/MXN',
  },
  hasRates: true,
});
const { sql } = running;
let tokens: Readonly<Record<string, string>> = {};
let verbs: PayoutVerbs;

beforeAll(async () => {
  tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer', ruth: 'reviewer', root: 'admin' });
  await openBankAccounts(running, 'bank:MXN:mexico', 'bank:USD:main');
  const { database } = running.service;
  const current = Buffer.from(testMasterKey, 'base64');
  const { rootKey } = await KeyVault.open(database, { current, previous: undefined });
  verbs = await payoutVerbs(database, [sandboxRail({ database, codeKey: rootKey })]);
});

const as = (login: string) => tokens[login] ?? '';
const statusOf = async ({ orderId }: Order) => (await get(running, orderId)).json.status;
let bankLine = 0;
function record(
  order: { attempt_id: string; version: number },
  path: string,
  more: object = {},
  login = 'rita',
): Promise<Answer> {
  bankLine += 1;
  return running.api.post(`/operator/payouts/${order.attempt_id}/${path}`, {
    token: as(login),
    key: `line-${bankLine}`,
    body: {
      version: order.version,
      bankReference: `LINE-${bankLine}`,
      bookedAt: '2026-11-15T09:41:00.000Z',
      ...more,
    },
  });
}
const tasks = async (kind: string) =>
  (await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.viewer })).json;
const lastAttempt = async (order: Order) => (await attemptsOf(running, order)).at(-1);
const balances = async (order: Order) => {
  const { rows } = await sql.query(
    `SELECT account, sum(amount_minor)::int AS minor FROM ledger_postings
      WHERE reference = $1 AND account ~ '^(bank|settlement|payout|refund|charges)' GROUP BY account ORDER BY account`,
    [order.orderId],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
};

describe('a payout by hand', () => {
  it('is a task with a masked account; a reviewer reads the whole account, which is audited; a viewer does not', async () => {
    const order = await submitted(running, verbs, { rail: 'manual' });
    const { attempt_id: id } = await lastAttempt(order);
    expect(await tasks('payout_to_make')).toContainEqual(
      expect.objectContaining({ id: `payout_to_make.${id}`, path: `/operator/payouts/${id}` }),
    );
    const list = await running.api.get('/operator/payouts?rail=manual', { token: running.viewer });
    expect(list.json).toContainEqual(expect.objectContaining({ id, account: '****9719', state: 'READY' }));
    expect(list.text).not.toContain('032180000118359719');
    const ofOrder = await running.api.get(`/operator/payouts?order=${order.orderId}`, {
      token: running.viewer,
    });
    expect(ofOrder.json).toEqual([expect.objectContaining({ id, orderId: order.orderId })]);
    const file = await running.api.get(`/operator/payouts/${id}`, { token: as('rita') });
    expect(file.json.instruction.recipient.account).toEqual({ clabe: '032180000118359719' });
    expect((await auditRows(sql, 'payout.looked_at')).length).toBe(1);
    const viewed = await running.api.get(`/operator/payouts/${id}`, { token: running.viewer });
    expect(told(viewed)).toEqual([403, 'role_missing']);
  });

  it('is listed by what it waits for, by state, direction and currency', async () => {
    const listed = async (query: string): Promise<string[]> => {
      const { json } = await running.api.get(`/operator/payouts?limit=200&${query}`, { token: running.viewer });
      return json.map(({ id }: { id: string }) => id);
    };
    const { attempt_id: id } = await lastAttempt(await submitted(running, verbs, { rail: 'manual' }));
    const holds = async (query: string) => (await listed(query)).includes(id);
    expect([await holds('waitsFor=instruction'), await holds('waitsFor=debit')]).toEqual([true, false]);
    expect((await record({ attempt_id: id, version: 1 }, 'submitted')).status).toBe(200);
    expect([await holds('waitsFor=instruction'), await holds('waitsFor=debit')]).toEqual([false, true]);
    expect([await holds('state=READY,ACCEPTED'), await holds('state=READY')]).toEqual([true, false]);
    expect([await holds('direction=payout&currency=MXN'), await holds('direction=refund')]).toEqual([true, false]);
    expect(await holds('currency=USD')).toBe(false);
    const wrong = await running.api.get('/operator/payouts?state=READY,SOON', { token: running.viewer });
    expect(told(wrong)).toEqual([400, 'invalid_fields']);
  });

  it('is not instructed while somebody says that it has been paid', async () => {
    tokens = { ...tokens, ...(await operatorTokens(running, { ralf: 'reviewer' })) };
    const statuses: number[] = [];
    let attempt = { attempt_id: '', version: 0 };
    // The third is above the sum of the day.
    for (let count = 0; count < 3; count += 1) {
      attempt = await lastAttempt(await submitted(running, verbs, { rail: 'manual' }));
      statuses.push((await record(attempt, 'paid', { bank: 'mexico' }, 'ralf')).status);
    }
    expect(statuses).toEqual([200, 200, 202]);
    expect(told(await record(attempt, 'submitted'))).toEqual([409, 'approval_pending']);
  });

  it('is submitted, paid from a bank account with a charge, and returned: states, ledger and audit log agree', async () => {
    const order = await submitted(running, verbs, { rail: 'manual' });
    const first = await lastAttempt(order);
    // The bank has given no reference yet.
    const instructed = await running.api.post(`/operator/payouts/${first.attempt_id}/submitted`, {
      ...{ token: as('rita'), key: `submitted-${first.attempt_id}`, body: { version: first.version } },
    });
    expect(instructed.json.state).toBe('ACCEPTED');
    const attempt = await lastAttempt(order);
    const paid = await record(attempt, 'paid', { bank: 'mexico', charge: '12.50' });
    expect(paid.json).toMatchObject({ state: 'PAID', reports: [{ kind: 'accepted' }, { kind: 'paid' }] });
    expect(await statusOf(order)).toBe('COMPLETED');
    const out = Number(order.amountOut.minor);
    expect(await balances(order)).toEqual({
      'bank:MXN:mexico': -out - 1250,
      'charges:MXN': 1250,
      'payout:MXN': 0,
      'settlement:MXN:manual': 0,
    });
    const returned = { bank: 'mexico', charge: '3.00', reason: 'AC04' };
    expect((await record(await lastAttempt(order), 'returned', returned)).json.state).toBe('RETURNED');
    expect((await get(running, order.orderId)).json).toMatchObject({
      ...{ status: 'RETURNED', statusReason: 'beneficiary_account_closed' },
    });
    // The money is on the account again, less the charge; the movement has the reference of the attempt.
    expect(await balances(order)).toEqual({
      'bank:MXN:mexico': -out - 1250,
      'charges:MXN': 1550,
      'payout:MXN': -out,
      'settlement:MXN:manual': 0,
    });
    const back = await sql.query(
      `SELECT amount_minor::int AS minor FROM ledger_postings WHERE reference = $1 AND account = 'bank:MXN:mexico'`,
      [attempt.attempt_id],
    );
    expect(back.rows).toEqual([{ minor: out - 300 }]);
    const recorded = (await auditRows(sql, 'payout.recorded%')).filter(
      ({ subject }) => subject === `payout:${attempt.attempt_id}`,
    );
    expect(recorded.map(({ action }) => action)).toEqual([
      ...['payout.recorded_accepted', 'payout.recorded_paid', 'payout.recorded_returned'],
    ]);
  });

  it('waits for a second operator above the sum of the day, and the approval records it', async () => {
    const order = await submitted(running, verbs, { rail: 'manual' });
    // The sum of the day is 4,000 pesos, and an order is worth about 1,900.
    const first = await record(await lastAttempt(order), 'paid', { bank: 'mexico' }, 'rob');
    expect(first.status).toBe(200);
    const second = await submitted(running, verbs, { rail: 'manual' });
    expect((await record(await lastAttempt(second), 'paid', { bank: 'mexico' }, 'rob')).status).toBe(200);
    const third = await submitted(running, verbs, { rail: 'manual' });
    const asked = await record(await lastAttempt(third), 'paid', { bank: 'mexico' }, 'rob');
    expect(asked.status).toBe(202);
    expect(await statusOf(third)).toBe('PAYOUT_SUBMITTED');
    const approve = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect(told(await running.api.post(approve, { token: as('rob') }))).toEqual([403, 'approval_own']);
    expect((await running.api.post(approve, { token: as('ruth') })).status).toBe(200);
    expect(await statusOf(third)).toBe('COMPLETED');
  });

  it('counts both sums when it is recorded twice at the same moment: one is done, the other waits', async () => {
    tokens = { ...tokens, ...(await operatorTokens(running, { rex: 'reviewer' })) };
    const attempts: { attempt_id: string; version: number }[] = [];
    for (let count = 0; count < 3; count += 1)
      attempts.push(await lastAttempt(await submitted(running, verbs, { rail: 'manual' })));
    const answers = await Promise.all(attempts.map((one) => record(one, 'paid', { bank: 'mexico' }, 'rex')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 202]);
  });

  it('is recorded on the version that was read, with a bank reference that is new, and in a state that allows it', async () => {
    const order = await submitted(running, verbs, { rail: 'manual' });
    const attempt = await lastAttempt(order);
    expect(told(await record({ ...attempt, version: 9 }, 'submitted'))).toEqual([409, 'payout_changed']);
    expect(told(await record(attempt, 'returned', {}, 'ruth'))).toEqual([409, 'payout_not_recordable']);
    expect(told(await record(attempt, 'submitted', { bankReference: 'SAME' }))[0]).toBe(200);
    const other = await lastAttempt(await submitted(running, verbs, { rail: 'manual' }));
    expect(told(await record(other, 'submitted', { bankReference: 'SAME' }))).toEqual([409, 'bank_reference_used']);
    const unknown = { attempt_id: 'att_0000013J8V2T9X5B3N6H0C7D2F', version: 1 };
    expect(told(await record(unknown, 'submitted'))).toEqual([404, 'payout_not_found']);
    const keyless = await running.api.post(`/operator/payouts/${other.attempt_id}/paid`, {
      token: as('rita'),
      body: { version: 1, bankReference: 'X', bookedAt: '2026-11-15T09:41:00.000Z' },
    });
    expect(told(keyless)).toEqual([400, 'idempotency_key_required']);
  });

  it('names the bank account for a refund, and pays the order back', async () => {
    const order = await refunding(running, verbs);
    const attempt = await lastAttempt(order);
    expect(attempt).toMatchObject({ rail: 'manual', direction: 'refund', currency: 'USD' });
    const asked = await record(attempt, 'paid', { bank: 'main' });
    expect(asked.status).toBe(202);
    const approve = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect((await running.api.post(approve, { token: as('ruth') })).status).toBe(200);
    expect((await get(running, order.orderId)).json).toMatchObject({
      status: 'REFUNDED',
      amountRefunded: 100,
    });
    expect(await balances(order)).toEqual({ 'bank:USD:main': -10_000, 'refund:USD': 0 });
  });
});

const named = (lastName: string, more: object = {}) => ({ beneficiary: { lastName, ...more } });

describe('the sandbox rail', () => {
  const outcome = async (order: Order, states: readonly string[]) =>
    eventually(
      async () => {
        await letTimePass(running, order);
        const { state } = await lastAttempt(order);
        return states.includes(state) ? `${state} ${await statusOf(order)}` : undefined;
      },
      { what: `an attempt ${states.join(' or ')}` },
    );

  it('does with a payment what the last name of the beneficiary says', async () => {
    const expected = {
      Ortega: 'PAID COMPLETED',
      Invalid: 'REJECTED PAYOUT_FAILED',
      Closed: 'REJECTED PAYOUT_FAILED',
      Mismatch: 'REJECTED PAYOUT_FAILED',
      Twice: 'PAID COMPLETED',
      Lost: 'PAID COMPLETED',
      Never: 'ACCEPTED PAYOUT_SUBMITTED',
      Returned: 'PAID COMPLETED',
      Late: 'ACCEPTED PAYOUT_SUBMITTED',
      Unknown: 'UNKNOWN PAYOUT_SUBMITTED',
    };
    const orders = await Promise.all(
      Object.keys(expected).map((name) => submitted(running, verbs, { rail: 'sandbox', ...named(name) })),
    );
    const ends = orders.map((order, index) => outcome(order, [Object.values(expected)[index]?.split(' ')[0] ?? '']));
    expect(await Promise.all(ends)).toEqual(Object.values(expected));
    // Two days later, by the merchant's clock.
    await sql.query(
      `INSERT INTO merchant_clocks (merchant_id, ahead) VALUES ($1, interval '50 hours')
       ON CONFLICT (merchant_id) DO UPDATE SET ahead = excluded.ahead`,
      [running.acme.merchant],
    );
    const later = orders.slice(-3).map((order, index) => outcome(order, [index === 0 ? 'RETURNED' : 'PAID']));
    expect(await Promise.all(later)).toEqual(['RETURNED RETURNED', 'PAID COMPLETED', 'PAID COMPLETED']);
    await sql.query('DELETE FROM merchant_clocks');
  });

  it('gives a pick-up code for cash, which is in its own answer only', async () => {
    const cash = { method: 'cash_pickup', account: { phoneNumber: '+525512345678' } };
    const order = await submitted(running, verbs, { rail: 'sandbox', beneficiary: cash });
    const path = `/orders/${order.orderId}/pickup-code`;
    const code = await eventually(async () => {
      const answer = await running.api.get(path, { token: running.acme.token });
      return answer.status === 200 ? (answer.json.pickupCode as string) : undefined;
    });
    expect(code).toMatch(/^\d{4}-\d{4}-\d{4}$/);
    expect(told(await running.api.get(path, { token: running.rival.token }))).toEqual([404, 'order_not_found']);
    expect((await get(running, order.orderId)).text).not.toContain(code);
    expect(JSON.stringify(await eventsOf(running, order.orderId))).not.toContain(code);
    expect(running.logText()).not.toContain(code);
    const dump = await sql.query('SELECT * FROM payout_attempts WHERE order_id = $1', [order.orderId]);
    expect(JSON.stringify(dump.rows)).not.toContain(code);
    const other = await submitted(running, verbs, { rail: 'manual' });
    const none = await running.api.get(`/orders/${other.orderId}/pickup-code`, { token: running.acme.token });
    expect(told(none)).toEqual([404, 'pickup_code_not_found']);
  });
});

const inManila = {
  ...{
    country: 'PH',
    currency: 'PHP',
    method: 'bank_account',
    type: 'person',
    firstName: 'Jose',
    lastName: 'Cruz',
  },
  address: { town: 'Manila', country: 'PH' },
  account: { bic: 'BOPIPHMM', accountNumber: '1234567890' },
};

describe('an order that no rail pays out', () => {
  it('is refused when it is created and when it is tried', async () => {
    const user = await sender(running);
    const cash = { ...lupita, method: 'cash_pickup', account: { phoneNumber: '+525512345678' } };
    expect((await place(running, user, { body: { beneficiary: cash } })).status).toBe(200);
    const answer = await quote(running, { fiatOut: 'PHP' });
    const body = { rateCode: answer.json.code, beneficiary: inManila, purpose: 'family_support' };
    expect(told(await place(running, user, { body }))).toEqual([422, 'payout_unavailable']);
    const path = `/orders/preflight?userId=${user.id}`;
    const tried = await running.api.post(path, { token: running.acme.token, body });
    expect(tried.text).toContain('payout_unavailable');
  });
});

describe('a pause', () => {
  const pause = (kind: string, name: string) =>
    running.api.post('/operator/pauses', { token: as('rita'), body: { kind, name, note: 'Bank is down' } });
  const resume = (kind: string, name: string) =>
    running.api.post('/operator/pauses/resume', { token: as('rob'), body: { kind, name } });

  it('keeps payouts of a rail, a corridor or a merchant back at once, and resuming sends them', async () => {
    for (const [kind, name] of [
      ['rail', 'sandbox'],
      ['corridor', 'USD-MXN'],
      ['merchant', 'acme'],
    ] as const) {
      expect((await pause(kind, name)).json).toMatchObject({ kind, name, pausedBy: 'rita' });
      expect((await pause(kind, name)).json).toMatchObject({ note: 'Bank is down', pausedBy: 'rita' });
      const listed = await running.api.get('/operator/pauses', { token: running.viewer });
      expect(listed.json).toHaveLength(1);
      const order = await submitted(running, verbs, { rail: 'sandbox' });
      await verbs.sending.run(AbortSignal.timeout(10_000));
      expect((await lastAttempt(order)).state).toBe('READY');
      expect((await resume(kind, name)).status).toBe(200);
      expect(told(await resume(kind, name))).toEqual([404, 'pause_not_found']);
      await eventually(async () => (await statusOf(order)) === 'COMPLETED');
    }
    expect((await auditRows(sql, 'payouts.%')).map(({ action }) => action)).toEqual(
      Array(3).fill(['payouts.paused', 'payouts.paused', 'payouts.resumed']).flat(),
    );
    const { rows } = await sql.query(
      `SELECT DISTINCT details ->> 'note' AS note FROM changes WHERE action = 'payouts.paused'`,
    );
    expect(rows).toEqual([{ note: 'Bank is down' }]);
  });

  it('is resumed by an admin when an admin paused it too, whoever did so first', async () => {
    const corridor = { kind: 'corridor', name: 'USD-MXN' };
    expect((await pause(corridor.kind, corridor.name)).json).toMatchObject({ role: 'reviewer' });
    const raised = await running.api.post('/operator/pauses', {
      ...{ token: as('root'), body: { ...corridor, note: 'Fraud.' } },
    });
    expect(raised.json).toMatchObject({ role: 'admin', pausedBy: 'rita' });
    expect(told(await resume(corridor.kind, corridor.name))).toEqual([403, 'role_missing']);
    const resumed = await running.api.post('/operator/pauses/resume', { token: as('root'), body: corridor });
    expect(resumed.status).toBe(200);
  });

  it('stops new orders and quotes too where operators want that, also of everything', async () => {
    const user = await sender(running);
    const stop = (body: object) =>
      running.api.post('/operator/pauses', { token: as('rita'), body: { note: 'Stop selling.', ...body } });
    const resumed = async (body: object) =>
      expect((await running.api.post('/operator/pauses/resume', { token: as('rita'), body })).status).toBe(200);
    const corridor = { kind: 'corridor', name: 'USD-MXN' };
    expect((await stop({ ...corridor, stops: ['orders'] })).json.stops).toEqual(['orders']);
    expect(told(await place(running, user))).toEqual([422, 'corridor_unavailable']);
    await resumed(corridor);
    expect((await place(running, user)).status).toBe(200);
    const everything = { kind: 'everything' };
    const stopped = await stop({ ...everything, stops: ['payouts', 'quotes'] });
    expect(stopped.json).toMatchObject({ name: 'everything', stops: ['payouts', 'quotes'] });
    expect(told(await quote(running))).toEqual([422, 'corridor_unavailable']);
    await resumed(everything);
    expect((await quote(running)).status).toBe(200);
    expect(told(await stop({ kind: 'rail', name: 'sandbox', stops: ['quotes'] }))).toEqual([400, 'invalid_fields']);
  });

  it('keeps paid orders waiting, and they go on at once when it ends', async () => {
    expect((await pause('corridor', 'USD-MXN')).status).toBe(200);
    const id = await paid(running);
    await eventually(async () => (await get(running, id)).json.pendingReason === 'payout_route');
    const { rows } = await sql.query(
      'SELECT extract(epoch FROM try_at - now())::int AS seconds FROM orders WHERE order_id = $1',
      [id],
    );
    expect(rows[0].seconds).toBeGreaterThan(30);
    expect((await resume('corridor', 'USD-MXN')).status).toBe(200);
    await eventually(async () => (await get(running, id)).json.status === 'PAYOUT_SUBMITTED', {
      withinMs: 10_000,
    });
  });

  it('is known to other processes at once, without waiting for their timers', async () => {
    const other = running.database;
    const watch = new PauseWatch(other, () => {});
    await watch.start();
    const knownAfterWakeUps: string[] = [];
    const heard = new WakeUp({
      ...{ database: other, log: silentLog },
      wake: (name) => {
        if (name === pausesChanged)
          void watch.refresh().then(() => knownAfterWakeUps.push(...watch.pauses.map((known) => known.name)));
      },
    });
    await heard.listen([pausesChanged]);
    try {
      await eventually(() => heard.silenceSeconds() < 60);
      await pause('corridor', 'USD-KES');
      await eventually(() => knownAfterWakeUps.includes('USD-KES'));
      await resume('corridor', 'USD-KES');
    } finally {
      watch.stop();
      await heard.close();
    }
  });

  it('is refused for something that does not exist', async () => {
    expect(told(await pause('rail', 'pigeon'))).toEqual([400, 'invalid_fields']);
    expect(told(await pause('corridor', 'dollars'))).toEqual([400, 'invalid_fields']);
    expect(told(await pause('corridor', 'EUR-MXM'))).toEqual([400, 'invalid_fields']);
    expect(told(await pause('merchant', 'nobody'))).toEqual([404, 'merchant_not_found']);
  });
});

describe('erasing a user', () => {
  it('leaves what the law keeps of a paid order sealed under the retained key', async () => {
    const order = await submitted(running, verbs, { rail: 'sandbox' });
    await eventually(async () => (await statusOf(order)) === 'COMPLETED');
    const erased = await running.api.call('DELETE', `/user?userId=${order.userId}`, {
      token: running.acme.token,
    });
    expect(erased.status).toBe(200);
    const { attempt_id: id } = await lastAttempt(order);
    const file = await running.api.get(`/operator/payouts/${id}`, { token: as('rita') });
    expect(file.json.instruction.recipient.lastName).toBe('Ortega Ruiz');
    await sql.query('DELETE FROM user_keys WHERE user_id = $1', [order.userId]);
    const after = await running.api.get(`/operator/payouts/${id}`, { token: as('rita') });
    expect(after.json.instruction).toBeNull();
    expect(after.text).not.toContain('Ortega');
  });
});

describe('a document of a rail', () => {
  const handIn = (rail: string, content: unknown, more: object = {}): Promise<Answer> => {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    const body = { document: bytes.toString('base64'), ...more };
    return running.api.post(`/operator/rails/${rail}/documents`, { token: as('rita'), body });
  };

  it('is applied report by report, and again changes nothing', async () => {
    const order = await submitted(running, verbs, { rail: 'sandbox', beneficiary: { lastName: 'Never' } });
    const accepted = async () => (await lastAttempt(order)).state === 'ACCEPTED';
    await eventually(accepted, { what: 'the rail having the payment' });
    const { reference } = await lastAttempt(order);
    const document = [
      { reportId: 'doc-1', reference, kind: 'paid' },
      { reportId: 'doc-2', reference: 'INVOICE 77', kind: 'paid' },
      { reportId: 'doc-3', reference, kind: 'rejected' },
    ];
    const outcomes = async () => {
      const { id, reportCount } = (await handIn('sandbox', document)).json;
      expect(reportCount).toBe(3);
      const finished = await eventually(
        async () => {
          const path = `/operator/rails/sandbox/documents/${id}`;
          const { json } = await running.api.get(path, { token: as('rita') });
          return json.isFinished ? json : undefined;
        },
        { what: 'the results' },
      );
      return finished.reports.map(({ outcome }: { outcome: string }) => outcome);
    };
    expect(await outcomes()).toEqual(['applied', 'unmatched', 'contradictory']);
    expect(await statusOf(order)).toBe('COMPLETED');
    const { version } = (await get(running, order.orderId)).json;
    expect(await outcomes()).toEqual(['old', 'old', 'old']);
    expect((await get(running, order.orderId)).json.version).toBe(version);
    expect((await auditRows(sql, 'payout.document_received')).map(({ subject }) => subject)).toEqual([
      ...['rail:sandbox', 'rail:sandbox'],
    ]);
  });

  it('is refused as a whole when the rail cannot read it, has none, or does not exist', async () => {
    const report = { reportId: 'x', reference: 'y', kind: 'paid' };
    for (const content of ['not JSON', {}, [null], [{ ...report, kind: 'gone' }], Array(501).fill(report)])
      expect(told(await handIn('sandbox', content))).toEqual([400, 'invalid_fields']);
    expect(told(await handIn('manual', [report]))).toEqual([409, 'rail_reads_no_documents']);
    expect(told(await handIn('nowhere', [report]))).toEqual([404, 'rail_not_found']);
    const unknown = await running.api.get('/operator/rails/sandbox/documents/x', { token: as('rita') });
    expect(told(unknown)).toEqual([404, 'rail_document_not_found']);
    expect(told(await handIn('sandbox', [], { document: '§' }))).toEqual([400, 'invalid_fields']);
    expect((await handIn('sandbox', 'x'.repeat(1_100_000))).status).toBe(413);
    const forbidden = { token: running.viewer, body: { document: 'W10=' } };
    expect((await running.api.post('/operator/rails/sandbox/documents', forbidden)).status).toBe(403);
  });
});
