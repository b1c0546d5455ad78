/** Cancelling, expiring and correcting orders, twice, at once and late. */
import { describe, expect, it } from 'vitest';
import { useRemesa } from '../harness/remesa.js';
import { told, userToken } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, eventsOf, get, lupita, placed, rateCode, runExpiry, sender, timelineOf } from './orders.js';
import { rewriteOrder } from './rewritten.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;
const eventTypes = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);
const statusOf = async (id: string, merchant = running.acme) => (await get(running, id, merchant)).json.status;

describe('POST /orders/{id}/cancel', () => {
  it('cancels an unpaid order, and answers a second time with the same order', async () => {
    const order = await placed(running, await sender(running));
    const first = await cancel(running, order.id);
    expect(first.json).toEqual({
      ...order,
      status: 'CANCELLED',
      estimatedArrivalAt: null,
      statusReason: 'cancelled_by_sender',
      amountMissing: 0,
      pendingReason: null,
      cancellable: 'no',
      cancellationRequestedAt: first.json.updatedAt,
      updatedAt: expect.any(String),
      version: 2,
    });
    const again = await cancel(running, order.id);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(await eventsOf(running, order.id)).toEqual([
      { type: 'order.awaiting_payment', previousStatus: null, object: order },
      { type: 'order.cancelled', previousStatus: 'AWAITING_PAYMENT', object: first.json },
    ]);
  });

  it('makes one change of twenty requests at once', async () => {
    const order = await placed(running, await sender(running));
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(running, order.id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await eventTypes(order.id)).toEqual(['order.awaiting_payment', 'order.cancelled']);
    expect(await timelineOf(running, order.id)).toMatchObject([{ version: 1 }, { version: 2, event: 'cancel' }]);
  });

  it('works by the external id and with a token of the user, and not with one of another user', async () => {
    const user = await sender(running);
    const order = await placed(running, user, { body: { externalOrderId: 'cancel-me' } });
    const stranger = await userToken(running, running.acme, await sender(running));
    const refused = await running.api.post(`/orders/${order.id}/cancel`, { token: stranger });
    expect(told(refused)).toEqual([404, 'order_not_found']);
    const token = await userToken(running, running.acme, user);
    expect((await running.api.post('/orders/ext-cancel-me/cancel', { token })).json.status).toBe('CANCELLED');
    expect((await timelineOf(running, order.id)).at(-1)?.by).toBe('user');
  });

  it("does not find another merchant's order, nor an id that cannot be one", async () => {
    const order = await placed(running, await sender(running));
    const { token } = running.rival;
    for (const id of [order.id, 'ord_x', 'ext-', 'ext-unknown', 'x'.repeat(100)]) {
      for (const path of ['', '/timeline', '/beneficiary'])
        expect(told(await running.api.get(`/orders/${id}${path}`, { token }))).toEqual([404, 'order_not_found']);
      expect(told(await running.api.post(`/orders/${id}/cancel`, { token }))).toEqual([404, 'order_not_found']);
    }
    expect(await statusOf(order.id)).toBe('AWAITING_PAYMENT');
  });

  it('refuses an order whose payout is on its way, or that is finished, with 409 that names its status', async () => {
    const order = await placed(running, await sender(running));
    for (const [state, received] of [
      ['PAYOUT_SUBMITTED', 10_000],
      ['COMPLETED', 10_000],
      ['REFUND_PENDING', 10_000],
      ['EXPIRED', 0],
    ] as const) {
      await force(order.id, state, received);
      const refused = await cancel(running, order.id);
      expect([...told(refused), refused.json.orderStatus]).toEqual([409, 'order_not_cancellable', state]);
    }
  });
});

describe('the expiry of unpaid orders', () => {
  it('comes 96 hours after the creation by the clock of the merchant, and not for other merchants', async () => {
    const { acme, rival } = running;
    const order = await placed(running, await sender(running));
    const theirs = await placed(running, await sender(running, rival), { merchant: rival });
    await moveClock(running, acme, '95 hours 59 minutes');
    await runExpiry(running);
    expect(await statusOf(order.id)).toBe('AWAITING_PAYMENT');
    await moveClock(running, acme, '2 minutes');
    await runExpiry(running);
    const expired = (await get(running, order.id)).json;
    expect(expired).toMatchObject({
      status: 'EXPIRED',
      statusReason: 'not_paid_in_time',
      cancellable: 'no',
      version: 2,
    });
    expect(await statusOf(theirs.id, rival)).toBe('AWAITING_PAYMENT');
    expect((await eventsOf(running, order.id)).at(-1)).toEqual({
      type: 'order.expired',
      previousStatus: 'AWAITING_PAYMENT',
      object: expired,
    });
    expect((await timelineOf(running, order.id)).at(-1)).toMatchObject({ event: 'expire', by: 'system' });
    expect(told(await cancel(running, order.id))).toEqual([409, 'order_not_cancellable']);
  });

  it('pays back what came of an order that was paid in part, as a cancellation does', async () => {
    const user = await sender(running);
    const [expired, cancelled] = [await placed(running, user), await placed(running, user)];
    for (const { id } of [expired, cancelled]) await force(id, 'AWAITING_PAYMENT', 1234);
    await cancel(running, cancelled.id);
    await moveClock(running, running.acme, '100 hours');
    await runExpiry(running);
    for (const [{ id }, reason] of [
      [expired, 'not_paid_in_time'],
      [cancelled, 'cancelled_by_sender'],
    ] as const) {
      const order = (await get(running, id)).json;
      expect([order.status, order.statusReason]).toEqual(['REFUND_PENDING', reason]);
      const { rows } = await sql.query(
        `SELECT account, amount_minor::int AS minor FROM ledger_postings WHERE reference = $1 ORDER BY position`,
        [id],
      );
      expect(rows).toEqual([
        { account: 'liability:USD', minor: 1234 },
        { account: 'refund:USD', minor: -1234 },
      ]);
    }
  });

  it('waits for one order while the ledger has a fault and money must go back, and keeps no other order waiting', async () => {
    const user = await sender(running);
    const [partly, unpaid] = [await placed(running, user), await placed(running, user)];
    await force(partly.id, 'AWAITING_PAYMENT', 1234);
    const fault = (text: string | null) =>
      sql.query(
        `INSERT INTO ledgers (merchant_id, fault, fault_at)
         VALUES ($1, $2, CASE WHEN $2::text IS NULL THEN NULL ELSE now() END)
         ON CONFLICT (merchant_id) DO UPDATE SET fault = excluded.fault, fault_at = excluded.fault_at`,
        [running.acme.merchant, text],
      );
    await fault('a test');
    await moveClock(running, running.acme, '100 hours');
    await runExpiry(running);
    expect([await statusOf(partly.id), await statusOf(unpaid.id)]).toEqual(['AWAITING_PAYMENT', 'EXPIRED']);
    await fault(null);
    await runExpiry(running);
    expect(await statusOf(partly.id)).toBe('REFUND_PENDING');
  });

  it('makes one change together with a cancellation at the same time', async () => {
    const orders = [];
    const user = await sender(running);
    for (let count = 0; count < 5; count += 1) orders.push(await placed(running, user));
    await moveClock(running, running.acme, '97 hours');
    const cancelled = orders.map(({ id }) => cancel(running, id));
    await Promise.all([runExpiry(running), runExpiry(running), ...cancelled]);
    for (const { id } of orders) {
      expect((await get(running, id)).json.version).toBe(2);
      expect(await eventTypes(id)).toHaveLength(2);
      expect(await timelineOf(running, id)).toHaveLength(2);
    }
  });
});

describe('POST /orders/{id}/beneficiary', () => {
  const correct = (id: string, body: unknown) =>
    running.api.post(`/orders/${id}/beneficiary`, { token: running.acme.token, body });
  const corrected = { ...lupita, account: { clabe: '002010077777777771' } };

  it('replaces the copy of the order, and changes nothing when it is sent again', async () => {
    const order = await placed(running, await sender(running));
    const answer = await correct(order.id, { beneficiary: corrected });
    expect(answer.json).toEqual({
      ...order,
      payoutAccount: '****7771',
      updatedAt: answer.json.updatedAt,
      version: 2,
    });
    expect((await correct(order.id, { beneficiary: corrected })).json).toEqual(answer.json);
    const { token } = running.acme;
    expect((await running.api.get(`/orders/${order.id}/beneficiary`, { token })).json).toEqual(corrected);
    expect(await eventTypes(order.id)).toEqual(['order.awaiting_payment', 'order.beneficiary_changed']);
  });

  it('is refused after the order was cancelled with 409, and with wrong fields with 400', async () => {
    const order = await placed(running, await sender(running));
    expect(told(await correct(order.id, {}))).toEqual([400, 'invalid_fields']);
    expect(told(await correct(order.id, { beneficiaryId: 'ben_x' }))).toEqual([404, 'beneficiary_not_found']);
    await cancel(running, order.id);
    expect(told(await correct(order.id, { beneficiary: corrected }))).toEqual([409, 'order_transition_not_allowed']);
  });

  it('does not open a copy from before the correction that is put back into the row', async () => {
    const order = await placed(running, await sender(running));
    const copy = 'SELECT sealed_beneficiary FROM orders WHERE order_id = $1';
    const before = (await sql.query(copy, [order.id])).rows[0].sealed_beneficiary;
    await correct(order.id, { beneficiary: corrected });
    await withoutTriggers(sql, (client) =>
      client.query('UPDATE orders SET sealed_beneficiary = $2 WHERE order_id = $1', [order.id, before]),
    );
    const { token } = running.acme;
    expect((await running.api.get(`/orders/${order.id}/beneficiary`, { token })).status).toBe(500);
  });
});

describe('a quote', () => {
  it('is used by one of a hundred orders at once', async () => {
    const user = await sender(running);
    const code = await rateCode(running);
    const body = { rateCode: code, beneficiary: lupita, purpose: 'gift' };
    const { token } = running.acme;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => running.api.post(`/orders?userId=${user.id}`, { token, body })),
    );
    const outcomes = answers.map((answer) => told(answer)[1] ?? 'created');
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'rate_already_used')).toHaveLength(99);
    const { rows } = await sql.query('SELECT count(*)::int AS n FROM orders WHERE quote_code = $1', [code]);
    expect(rows[0].n).toBe(1);
  });
});

/** Puts an order into a state that no route reaches yet. */
function force(id: string, state: string, received: number): Promise<void> {
  return rewriteOrder(running, id, 'state = $2, amount_received_minor = $3', [state, received]);
}
