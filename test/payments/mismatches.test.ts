/**
 * Money that does not match follows the policies of the merchant, ends in the right account, and its merchant is told.
 */
import { describe, expect, it } from 'vitest';
import { payerRule } from '../../src/payments/applications/payer-rule.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, eventsOf, operate, orderJobNames, runExpiry, timelineOf, verbsOf } from '../orders/orders.js';
import { balancesOf, loaded } from '../orders/paid-orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { saveCorridor } from '../rates/quoting.js';
import { awaiting, declare, defaults, journalsOf, lateFor, payIn, shown } from './mismatches.js';
import { csvOf, importLines, movement, record } from './payments.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
usePayInAccounts(running);
const { sql } = running;

const typesOf = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);
const changesOf = async (id: string) => (await timelineOf(running, id)).map(({ event }) => event);
const answer = (id: string, text: string) =>
  running.api.post(`/orders/${id}/information`, {
    token: running.acme.token,
    body: { answers: [{ code: 'requote', answer: text }] },
  });
const suspenseOf = async (paymentId: string) =>
  (
    await sql.query('SELECT reason, amount_minor::int AS minor, order_id FROM suspense_records WHERE payment_id = $1', [
      paymentId,
    ])
  ).rows;
/** What was decided to be paid back for an order, and to which account. */
const refundsOf = async (id: string) =>
  (
    await sql.query(
      `SELECT amount_minor::int AS minor, payout_account AS account FROM payout_attempts
        WHERE order_id = $1 AND direction = 'refund'`,
      [id],
    )
  ).rows;

describe('the policies of a merchant', () => {
  it('are the defaults until others are declared, and change only from the version that was read', async () => {
    const { token } = running.rival;
    const read = async () => (await running.api.get('/merchant/policies', { token })).json;
    const put = (body: object) => running.api.call('PUT', '/merchant/policies', { token, body });
    expect(await read()).toEqual({ ...defaults, version: 0 });
    const wanted = { ...defaults, short: 'refund', late: 'suspense', afterEnd: 'refund' };
    expect((await put({ ...wanted, version: 0 })).json).toEqual({ ...wanted, version: 1 });
    expect(await read()).toEqual({ ...wanted, version: 1 });
    const stale = await put({ ...defaults, version: 0 });
    expect([told(stale), stale.json.version]).toEqual([[409, 'policies_changed'], 1]);
    expect((await put({ ...defaults, version: 1 })).json).toEqual({ ...defaults, version: 2 });
    const wrong = await put({ ...defaults, over: 'wait', duplicate: 'requote', version: 2 });
    expect(wrong.json.errors.map(({ field }: { field: string }) => field)).toEqual(['over', 'duplicate']);
    const { rows } = await sql.query(
      `SELECT details FROM changes WHERE action = 'policies.declared' AND merchant_id = $1 ORDER BY id`,
      [running.rival.merchant],
    );
    expect(rows.map(({ details }) => details.short)).toEqual(['refund', 'wait']);
  });
});

describe('a short payment', () => {
  it('waits for the rest, however many payments it takes, and the order shows what is missing', async () => {
    const order = await awaiting(running);
    expect(order).toMatchObject({ amountReceived: 0, amountMissing: 100 });
    const first = await payIn(running, { orderId: order.id, amount: 60 });
    expect(first).toMatchObject({ outcome: 'applied', reason: null });
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'AWAITING_PAYMENT', amountReceived: 60, amountMissing: 40, version: 2 },
    });
    const second = await payIn(running, { orderId: order.id, amount: 39.99 });
    const last = await payIn(running, { orderId: order.id });
    expect(last.amount).toBe(0.01);
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'PAYMENT_RECEIVED', amountReceived: 100, amountMissing: 0, version: 4, requotes: [] },
    });
    expect(await typesOf(order.id)).toEqual([
      ...['order.awaiting_payment', 'order.payment_recorded', 'order.payment_recorded'],
      'order.payment_received',
    ]);
    expect(await changesOf(order.id)).toEqual([...['create', 'record_payment', 'record_payment', 'complete_payment']]);
    const ids = [first.id, second.id, last.id];
    expect((await Promise.all(ids.map((id) => journalsOf(running, id)))).flat()).toEqual([
      'payment_received: +payin 6000 USD -liability 6000 USD',
      'payment_received: +payin 3999 USD -liability 3999 USD',
      'payment_received: +payin 1 USD -liability 1 USD',
    ]);
  });

  it('goes back to the account that paid when the order is cancelled or falls due before the rest came', async () => {
    const [cancelled, due] = [await awaiting(running), await awaiting(running)];
    for (const { payIn: account } of [cancelled, due])
      await record(running, movement({ amount: 60, remittanceText: account.reference }));
    expect((await cancel(running, cancelled.id)).json).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'cancelled_by_sender', amountReceived: 60 },
    });
    expect(await refundsOf(cancelled.id)).toEqual([{ minor: 6000, account: '****6789' }]);
    expect(await balancesOf(running, cancelled.id)).toEqual({ 'refund:USD': -6000 });
    await moveClock(running, running.acme, '97 hours');
    await runExpiry(running);
    expect(await shown(running, due.id)).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'not_paid_in_time', amountMissing: 0 },
    });
    expect(await balancesOf(running, due.id)).toEqual({ 'refund:USD': -6000 });
  });

  it('is returned where the merchant wants no parts, and the order goes on waiting', async () => {
    await declare(running, { short: 'refund' });
    const order = await awaiting(running);
    const paid = await payIn(running, { orderId: order.id, amount: 60 });
    expect(paid).toMatchObject({ outcome: 'suspense', reason: 'short', orderId: order.id });
    expect(await journalsOf(running, paid.id)).toEqual([
      'payment_unassigned: +payin 6000 USD -suspense 6000 USD',
      'suspense_refund_due: +suspense 6000 USD -refund 6000 USD',
    ]);
    expect(await shown(running, order.id)).toMatchObject({
      amountReceived: 0,
      amountMissing: 100,
      version: 2,
    });
    expect(await typesOf(order.id)).toEqual(['order.awaiting_payment', 'order.payment_recorded']);
    await declare(running);
  });
});

describe('a payment of too much', () => {
  it('pays the order, and only the excess is in suspense, or is returned', async () => {
    const order = await awaiting(running);
    const paid = await payIn(running, { orderId: order.id, amount: 130.5 });
    expect(paid).toMatchObject({ outcome: 'applied', reason: 'over' });
    expect(await shown(running, order.id)).toMatchObject({ status: 'PAYMENT_RECEIVED', amountReceived: 100 });
    expect(await suspenseOf(paid.id)).toEqual([{ reason: 'over', minor: 3050, order_id: order.id }]);
    const over = 'payment_over: +payin 13050 USD -suspense 3050 USD -liability 10000 USD';
    expect(await journalsOf(running, paid.id)).toEqual([over]);
    await declare(running, { over: 'refund' });
    const other = await awaiting(running);
    const again = await payIn(running, { orderId: other.id, amount: 130.5 });
    expect(await journalsOf(running, again.id)).toEqual([
      over,
      'suspense_refund_due: +suspense 3050 USD -refund 3050 USD',
    ]);
    await declare(running);
  });
});

describe('a late payment', () => {
  it('goes on at the rate of the day, with all that was paid, and the order shows both rates', async () => {
    const order = await awaiting(running);
    const timely = await payIn(running, { orderId: order.id, amount: 60 });
    await saveCorridor(running, 'USD/MXN', { marginBasisPoints: 20 });
    const late = await payIn(running, { orderId: order.id, amount: 40, bookedAt: lateFor(order) });
    expect([timely.outcome, late.outcome, late.reason]).toEqual(['applied', 'applied', null]);
    const paid = await shown(running, order.id);
    expect(paid).toMatchObject({ status: 'PAYMENT_RECEIVED', amountReceived: 100, amountIn: 100 });
    expect(paid.amountOut).toBeGreaterThan(order.amountOut);
    const { rateCode, amountIn, amountOut, rate, fee } = order;
    const after = { rateCode: paid.rateCode, amountIn: 100, amountOut: paid.amountOut };
    expect(paid.requotes).toEqual([
      {
        requotedAt: expect.any(String),
        needsAcceptance: false,
        before: { rateCode, amountIn, amountOut, rate, fee },
        after: { ...after, rate: paid.rate, fee: paid.fee },
      },
    ]);
    expect(paid.rateCode).not.toBe(order.rateCode);
    expect(await typesOf(order.id)).toEqual([
      ...['order.awaiting_payment', 'order.payment_recorded', 'order.requoted', 'order.payment_received'],
    ]);
    expect(await journalsOf(running, late.id)).toEqual(['payment_received: +payin 4000 USD -liability 4000 USD']);
    const quoted = (await running.api.get(`/rates/${paid.rateCode}`, { token: running.acme.token })).json;
    expect(quoted).toMatchObject({ status: 'used', amountIn: 100, amountOut: paid.amountOut });
    const { rows } = await sql.query('SELECT usd_minor::int AS usd FROM orders WHERE order_id = $1', [order.id]);
    expect(rows).toEqual([{ usd: 10_000 }]);
    await saveCorridor(running, 'USD/MXN');
  });

  it('waits for the sender when it is more than 1 % worse: accepted it goes on, refused or in silence the money goes back', async () => {
    const orders = await Promise.all([1, 2, 3].map(() => awaiting(running)));
    await saveCorridor(running, 'USD/MXN', { marginBasisPoints: 500 });
    const payments = [];
    for (const order of orders) payments.push(await payIn(running, { orderId: order.id, bookedAt: lateFor(order) }));
    await saveCorridor(running, 'USD/MXN');
    const [accepted, refused, silent] = orders;
    const asked = await shown(running, accepted.id);
    expect(asked).toMatchObject({
      ...{ status: 'ACTION_REQUIRED', pendingReason: 'information', amountReceived: 100, amountMissing: 0 },
      requirements: [{ code: 'requote' }],
      requotes: [{ needsAcceptance: true }],
    });
    expect(asked.amountOut).toBeLessThan(accepted.amountOut * 0.99);
    expect(Date.parse(asked.actionRequiredBy) - Date.parse(asked.updatedAt)).toBeGreaterThan(23 * 3_600_000);
    expect(await typesOf(accepted.id)).toEqual([
      ...['order.awaiting_payment', 'order.requoted', 'order.payment_received', 'order.action_required'],
    ]);
    expect(told(await answer(accepted.id, 'perhaps'))).toEqual([400, 'invalid_fields']);
    expect((await answer(accepted.id, 'accept')).json).toMatchObject({
      ...{ status: 'PAYMENT_RECEIVED', requirements: [], amountOut: asked.amountOut },
    });
    expect((await answer(refused.id, 'refuse')).json).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'requote_not_accepted', amountReceived: 100 },
    });
    expect(await refundsOf(refused.id)).toEqual([{ minor: 10_000, account: expect.stringMatching(/^\*{4}\d{4}$/) }]);
    await moveClock(running, running.acme, '25 hours');
    await runExpiry(running);
    expect(await shown(running, silent.id)).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'requote_not_accepted' },
    });
    for (const { id } of [refused, silent]) expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -10_000 });
    expect(await journalsOf(running, payments[1].id)).toEqual([
      'payment_received: +payin 10000 USD -liability 10000 USD',
    ]);
  });

  it('makes the order smaller for a part, with the sender’s consent, and leaves it as large for too much', async () => {
    const [short, over] = [await awaiting(running), await awaiting(running)];
    await payIn(running, { orderId: short.id, amount: 60, bookedAt: lateFor(short) });
    expect(await shown(running, short.id)).toMatchObject({
      ...{ status: 'ACTION_REQUIRED', amountIn: 60, amountReceived: 60, amountMissing: 0 },
    });
    expect((await answer(short.id, 'accept')).json.status).toBe('PAYMENT_RECEIVED');
    const paid = await payIn(running, { orderId: over.id, amount: 130, bookedAt: lateFor(over) });
    expect(await shown(running, over.id)).toMatchObject({
      ...{ status: 'PAYMENT_RECEIVED', amountIn: 100, requotes: [{ needsAcceptance: false }] },
    });
    expect(await journalsOf(running, paid.id)).toEqual([
      'payment_over: +payin 13000 USD -suspense 3000 USD -liability 10000 USD',
    ]);
    const { rows } = await sql.query(
      'SELECT amount_in_minor::int AS amount, usd_minor::int AS usd FROM orders WHERE order_id = ANY ($1) ORDER BY 1',
      [[short.id, over.id]],
    );
    expect(rows).toEqual([
      { amount: 6_000, usd: 6_000 },
      { amount: 10_000, usd: 10_000 },
    ]);
  });

  it('is in suspense with the reason when there is no rate of the day for it, and as the policy says otherwise', async () => {
    const order = await awaiting(running);
    const bookedAt = lateFor(order);
    const pay = (amount: number) => payIn(running, { orderId: order.id, amount, bookedAt });
    expect((await pay(1)).reason).toBe('amount_out_of_range');
    await saveCorridor(running, 'USD/MXN', { isOpen: false });
    const closed = await pay(100);
    await saveCorridor(running, 'USD/MXN');
    expect(closed).toMatchObject({ outcome: 'suspense', reason: 'corridor_unavailable' });
    await declare(running, { late: 'refund' });
    const returned = await pay(100);
    await declare(running, { late: 'suspense' });
    const kept = await pay(100);
    await declare(running);
    const suspended = 'payment_unassigned: +payin 10000 USD -suspense 10000 USD';
    expect(await journalsOf(running, closed.id)).toEqual([suspended]);
    expect([returned.reason, await journalsOf(running, returned.id)]).toEqual([
      'late',
      [suspended, 'suspense_refund_due: +suspense 10000 USD -refund 10000 USD'],
    ]);
    expect([kept.reason, await journalsOf(running, kept.id)]).toEqual(['late', [suspended]]);
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'AWAITING_PAYMENT', amountReceived: 0, version: 5, requotes: [] },
    });
  });
});

describe('money that an order does not take', () => {
  it('is in suspense under its order when it comes twice, after the end, or in another currency, and its merchant is told', async () => {
    const [paid, cancelled, expired, foreign] = await Promise.all([1, 2, 3, 4].map(() => awaiting(running)));
    await payIn(running, { orderId: paid.id });
    await cancel(running, cancelled.id);
    const story = async (order: { id: string }, reason: string, policy: string, fields: object = {}) => {
      for (const choice of ['suspense', 'refund']) {
        await declare(running, { [policy]: choice });
        const before = await shown(running, order.id);
        const payment = await payIn(running, { orderId: order.id, amount: 100, ...fields });
        expect(payment).toMatchObject({ outcome: 'suspense', reason, orderId: order.id });
        expect(await suspenseOf(payment.id)).toEqual([{ reason, minor: 10_000, order_id: order.id }]);
        const { currency } = payment;
        expect(await journalsOf(running, payment.id)).toEqual([
          `payment_unassigned: +payin 10000 ${currency} -suspense 10000 ${currency}`,
          ...(choice === 'refund'
            ? [`suspense_refund_due: +suspense 10000 ${currency} -refund 10000 ${currency}`]
            : []),
        ]);
        expect(await shown(running, order.id)).toEqual({
          ...before,
          ...{ version: before.version + 1, updatedAt: expect.any(String) },
        });
        expect((await eventsOf(running, order.id)).at(-1)).toMatchObject({
          ...{ type: 'order.payment_recorded', previousStatus: null },
          object: { status: before.status, statusReason: before.statusReason },
        });
        expect((await changesOf(order.id)).at(-1)).toBe('record_unapplied_payment');
      }
    };
    await story(paid, 'duplicate', 'duplicate');
    await story(cancelled, 'order_cancelled', 'afterEnd');
    await story(paid, 'order_not_payable', 'afterEnd', { amount: 100, currency: 'EUR' });
    await story(foreign, 'wrong_currency', 'wrongCurrency', { currency: 'EUR' });
    await moveClock(running, running.acme, '97 hours');
    await runExpiry(running);
    await story(expired, 'order_expired', 'afterEnd');
    await declare(running);
  });

  it('stays in suspense during a review whatever the policy, and the review goes on', async () => {
    await declare(running, { duplicate: 'refund', afterEnd: 'refund' });
    const order = await awaiting(running);
    await payIn(running, { orderId: order.id });
    await operate(running, order.id, 'refer');
    const again = await payIn(running, { orderId: order.id, amount: 100 });
    expect([again.reason, await journalsOf(running, again.id)]).toEqual([
      'duplicate',
      ['payment_unassigned: +payin 10000 USD -suspense 10000 USD'],
    ]);
    expect((await shown(running, order.id)).status).toBe('IN_REVIEW');
    await declare(running);
  });
});

describe('while the sender is asked for information', () => {
  it('money is booked, and a review goes on until it is approved as a paid order', async () => {
    const order = await awaiting(running);
    await payIn(running, { orderId: order.id, amount: 60 });
    await operate(running, order.id, 'refer');
    await operate(running, order.id, 'request-information', { items: ['purpose'] });
    await payIn(running, { orderId: order.id, amount: 30 });
    await payIn(running, { orderId: order.id, amount: 15 });
    const paid = await shown(running, order.id);
    expect(paid).toMatchObject({ status: 'ACTION_REQUIRED', amountReceived: 100, amountMissing: 0 });
    expect(await balancesOf(running, order.id)).toEqual({ 'liability:USD': -10_000 });
    const body = { answers: [{ code: 'purpose', answer: 'A gift.' }] };
    const { token } = running.acme;
    expect((await running.api.post(`/orders/${order.id}/information`, { token, body })).json.status).toBe('IN_REVIEW');
    await operate(running, order.id, 'approve');
    expect((await shown(running, order.id)).status).toBe('PAYMENT_RECEIVED');
    const receipt = (await running.api.get(`/orders/${order.id}/receipt`, { token })).json;
    expect(receipt).toMatchObject({ amountReceived: 100, paidAt: paid.updatedAt });
  });

  it('paying answers nothing: the money is booked, and the question stays until it is answered', async () => {
    const order = await awaiting(running);
    await operate(running, order.id, 'request-information', { items: ['purpose', 'relationship'] });
    await payIn(running, { orderId: order.id, amount: 60 });
    expect(await shown(running, order.id)).toMatchObject({ status: 'ACTION_REQUIRED', amountMissing: 40 });
    await payIn(running, { orderId: order.id });
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'ACTION_REQUIRED', amountMissing: 0, requirements: [{ code: 'purpose' }, { code: 'relationship' }] },
    });
    expect(await balancesOf(running, order.id)).toEqual({ 'liability:USD': -10_000 });
    const answer = async (code: string) => {
      const body = { answers: [{ code, answer: 'My mother, for rent.' }] };
      return (await running.api.post(`/orders/${order.id}/information`, { token: running.acme.token, body })).json;
    };
    expect((await answer('relationship')).status).toBe('ACTION_REQUIRED');
    expect((await answer('purpose')).status).toBe('PAYMENT_RECEIVED');
  });

  it('money that comes late adds the question whether the sender accepts the new terms', async () => {
    const order = await awaiting(running);
    await operate(running, order.id, 'request-information', { items: ['purpose'] });
    await payIn(running, { orderId: order.id, amount: 60, bookedAt: lateFor(order) });
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'ACTION_REQUIRED', amountIn: 60, amountMissing: 0 },
      requirements: [{ code: 'purpose' }, { code: 'requote', needs: 'choice', options: ['accept', 'refuse'] }],
    });
  });

  it('about new terms, a review does not make them accepted: without an answer its approval sends the money back', async () => {
    const order = await awaiting(running);
    await payIn(running, { orderId: order.id, amount: 60, bookedAt: lateFor(order) });
    await operate(running, order.id, 'refer');
    await operate(running, order.id, 'request-information', { items: ['purpose'] });
    const asked = await shown(running, order.id);
    expect(asked.requirements.map(({ code }: { code: string }) => code)).toEqual(['purpose', 'requote']);
    const answers = [
      { code: 'purpose', answer: 'A gift.' },
      { code: 'requote', answer: 'refuse' },
    ];
    const { token } = running.acme;
    const given = await running.api.post(`/orders/${order.id}/information`, { token, body: { answers } });
    expect(given.json.status).toBe('IN_REVIEW');
    await operate(running, order.id, 'approve');
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'requote_not_accepted' },
    });
  });
});

describe('the policy refund', () => {
  it('does not pay a movement back that was recorded by hand and in a file under two references (M15)', async () => {
    await declare(running, { duplicate: 'refund', over: 'refund' });
    const order = await awaiting(running);
    const line = movement({ remittanceText: order.payIn.reference, bookedAt: '2026-11-10T09:00:00Z' });
    await record(running, line);
    const twin = { ...line, bankReference: `file-${order.id}`, bookedAt: '2026-11-10' };
    const another = { ...twin, bankReference: `other-${order.id}`, bookedAt: '2026-11-13' };
    const results = await importLines(running, 'acme-usd', [csvOf(twin), csvOf(another)]);
    expect(results.map((result) => result.split(',').filter((_, at) => at === 1 || at === 3))).toEqual([
      ['fault', 'possible_duplicate'],
      ['suspense', 'duplicate'],
    ]);
    const { rows } = await sql.query(
      `SELECT record.state FROM suspense_records AS record JOIN payments USING (merchant_id, payment_id)
        WHERE bank_reference = ANY ($1) ORDER BY bank_reference`,
      [[twin.bankReference, another.bankReference]],
    );
    expect(rows.map(({ state }) => state)).toEqual(['REFUND_PENDING']);
    await declare(running);
  });
});

describe('several payers', () => {
  it('each have to be looked at, and each has a refund of its own', async () => {
    const order = await awaiting(running);
    const pay = (name: string, account: string) =>
      record(running, movement({ amount: 30, remittanceText: order.payIn.reference, payer: { name, account } }));
    await pay('Ana Reyes Núñez', '000111111111');
    const others = [await pay('Boris Petrov', '000222222222'), await pay('Carla Silva', '000333333333')];
    const { rows } = await sql.query(
      'SELECT payment_id FROM payment_applications WHERE order_id = $1 AND payer_differs ORDER BY applied_at',
      [order.id],
    );
    expect(rows.map(({ payment_id }) => payment_id)).toEqual(others.map(({ json }) => json.id));
    await cancel(running, order.id);
    expect(await refundsOf(order.id)).toEqual([
      { minor: 3000, account: '****1111' },
      { minor: 3000, account: '****2222' },
      { minor: 3000, account: '****3333' },
    ]);
  });
});

describe('money in suspense that is matched to an order', () => {
  const by = { actor: { kind: 'operator', operatorId: 1, role: 'admin' } } as never;
  const match = async (id: string, matched: object) => {
    const { receiving } = await verbsOf(running);
    const order = await loaded(running, id);
    return running.service.database.transaction((tx) =>
      receiving.match(tx, by, order, { suspenseId: 'sus_1', requote: undefined, ...matched } as never),
    );
  };
  const refusal = (matched: Promise<unknown>) =>
    matched.then(
      () => '',
      ({ code }) => code,
    );
  const usd = (minor: bigint) => ({ amount: { currency: 'USD', minor } });

  it('is booked as a part or as the rest, and refused for what does not fit', async () => {
    const order = await awaiting(running);
    expect(await refusal(match(order.id, usd(10_001n)))).toBe('payment_does_not_fit');
    expect(await refusal(match(order.id, { amount: { currency: 'EUR', minor: 1n } }))).toBe('payment_does_not_fit');
    await match(order.id, usd(4_000n));
    expect(await shown(running, order.id)).toMatchObject({ status: 'AWAITING_PAYMENT', amountMissing: 60 });
    await match(order.id, usd(6_000n));
    expect(await shown(running, order.id)).toMatchObject({ status: 'PAYMENT_RECEIVED', amountReceived: 100 });
    expect(await refusal(match(order.id, usd(1n)))).toBe('order_transition_not_allowed');
    const { rows } = await sql.query(
      `SELECT event, account, amount_minor::int AS minor FROM ledger_postings JOIN ledger_journals USING (merchant_id, journal_id)
        WHERE journal_id IN (SELECT journal_id FROM ledger_postings WHERE reference = $1) ORDER BY amount_minor`,
      [order.id],
    );
    expect(rows.map(({ event, account, minor }) => `${event} ${account} ${minor}`)).toEqual([
      'suspense_matched liability:USD -6000',
      'suspense_matched liability:USD -4000',
      'suspense_matched suspense:USD 4000',
      'suspense_matched suspense:USD 6000',
    ]);
  });

  it('is looked at like every payment when an operator matches it: another payer, and money that came late', async () => {
    const order = await awaiting(running);
    const paid = await payIn(running, {
      ...{ reference: 'for Lupita', amount: 100, currency: 'USD', payerName: 'Boris Petrov' },
      bookedAt: lateFor(order),
    });
    const { rows } = await sql.query('SELECT suspense_id AS id, version FROM suspense_records WHERE payment_id = $1', [
      paid.id,
    ]);
    const [{ id, version }] = rows;
    const body = { orderId: order.id, version, note: 'The sender called.' };
    const token = running.admin;
    await saveCorridor(running, 'USD/MXN', { isOpen: false });
    const closed = await running.api.post(`/operator/suspense/${id}/match`, { token, body, key: `closed-${id}` });
    await saveCorridor(running, 'USD/MXN');
    expect(closed.json).toMatchObject({ code: 'corridor_unavailable' });
    const matched = await running.api.post(`/operator/suspense/${id}/match`, { token, body, key: id });
    expect(matched.status, matched.text).toBe(200);
    expect(await shown(running, order.id)).toMatchObject({
      ...{ status: 'PAYMENT_RECEIVED', amountReceived: 100, requotes: [{ needsAcceptance: false }] },
    });
    expect(await journalsOf(running, paid.id)).toEqual([
      'payment_unassigned: +payin 10000 USD -suspense 10000 USD',
      'suspense_matched: +suspense 10000 USD -liability 10000 USD',
    ]);
    const known = await loaded(running, order.id);
    const found = await payerRule.check(running.service.database, known.merchantId, [{ order: known } as never]);
    expect(found.get(known.orderId)?.map(({ key }) => key)).toEqual([paid.id]);
  });
});
