/** The operators' desk: find an order by anything that is known of it, see it whole, and see what does not move. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { get, lupita, placed, sender } from '../orders/orders.js';

const running = useRemesa({ hasRates: true });
const desk = (query: string) => running.api.get(`/operator/orders${query}`, { token: running.viewer });
const found = async (search: string, rest = '') =>
  (await desk(`?search=${encodeURIComponent(search)}${rest}`)).json.map(({ id }: { id: string }) => id);

// biome-ignore lint/suspicious/noExplicitAny: JSON, which the tests examine.
async function pay(orderId: string): Promise<any> {
  const body = { orderId };
  return (await running.api.post('/sandbox/payments', { token: running.acme.token, body })).json;
}

const reaches = (id: string, status: string) =>
  eventually(async () => (await get(running, id)).json.status === status, { what: `the order ${status}` });

describe('GET /operator/orders', () => {
  it('finds an order by its ids and references, of its user, payment and payout, and by its merchant and state', async () => {
    const user = await sender(running);
    const order = await placed(running, user, { body: { externalOrderId: 'invoice-1001' } });
    const payment = await pay(order.id);
    await reaches(order.id, 'COMPLETED');
    const file = (await desk(`/${order.id}`)).json;
    const [attempt] = file.attempts;
    const { rows } = await running.sql.query('SELECT report_id FROM payout_reports WHERE attempt_id = $1', [
      attempt.id,
    ]);
    const known = [order.id, 'invoice-1001', order.payIn.reference, String(user.id)];
    const moved = [payment.id, payment.bankReference, attempt.id, attempt.reference, rows[0].report_id];
    for (const text of [...known, ...moved]) expect([text, await found(text)]).toEqual([text, [order.id]]);
    expect(await found(order.id, '&state=COMPLETED&merchant=acme')).toEqual([order.id]);
    expect(await found(order.id, '&state=REFUNDED,COMPLETED')).toEqual([order.id]);
    expect(await found(order.id, '&state=REFUNDED')).toEqual([]);
    expect(told(await desk('?state=REFUNDED,GONE'))).toEqual([400, 'invalid_fields']);
    expect(await found('invoice-1001', '&merchant=rival')).toEqual([]);
    for (const text of ['ord_0000013J8V2T9X5B3N6H0C7D2F', 'nothing', '7']) expect(await found(text)).toEqual([]);
    expect(told(await desk('?merchant=nobody'))).toEqual([404, 'merchant_not_found']);
    expect((await running.api.get('/operator/orders', { token: running.acme.token })).status).toBe(401);
  });

  it('lists all orders page by page, the newest first, each once', async () => {
    const user = await sender(running, running.rival);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await placed(running, user, { merchant: running.rival })).id);
    const seen: string[] = [];
    let next: string | undefined = `?merchant=rival&state=AWAITING_PAYMENT,CANCELLED&limit=2`;
    while (next !== undefined) {
      const page = await desk(next);
      seen.push(...page.json.map(({ id }: { id: string }) => id));
      next = /<\/operator\/orders(\?[^>]*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
  });
});

describe('GET /operator/orders/{id}', () => {
  it('shows what came for the order and is in suspense, with the version for a decision', async () => {
    const order = await placed(running, await sender(running));
    const body = { orderId: order.id, amount: 130 };
    const paid = await running.api.post('/sandbox/payments', { token: running.acme.token, body });
    const file = (await desk(`/${order.id}`)).json;
    expect(file.suspense).toMatchObject([
      {
        ...{ paymentId: paid.json.id, reason: 'over', state: 'OPEN', version: 1 },
        ...{ amount: 30, remaining: 30, currency: 'USD' },
      },
    ]);
    expect((await get(running, order.id)).text).not.toContain(file.suspense[0].id);
  });

  it('shows the real state, every change with its journals, payments, attempts and notifications, and nothing personal', async () => {
    const user = await sender(running);
    const order = await placed(running, user);
    const payment = await pay(order.id);
    await reaches(order.id, 'COMPLETED');
    const answer = await desk(`/${order.id}`);
    const { timeline, payments, attempts, events, ...file } = answer.json;
    expect(file).toMatchObject({ merchant: 'acme', state: 'COMPLETED', reviews: [], amountReceived: 100 });
    expect(file.order).toEqual((await get(running, order.id)).json);
    expect(timeline.map(({ to }: { to: string }) => to)).toEqual([
      ...['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'CONVERTED', 'PAYOUT_SUBMITTED', 'COMPLETED'],
    ]);
    expect(timeline[1].journals[0].postings[0]).toMatchObject({
      side: 'debit',
      currency: 'USD',
      amount: 100,
    });
    expect(payments).toMatchObject([{ id: payment.id, outcome: 'applied', amount: 100 }]);
    expect(attempts).toMatchObject([{ direction: 'payout', rail: 'sandbox', state: 'PAID' }]);
    expect(events.map(({ type }: { type: string }) => type)).toContain('order.completed');
    for (const text of [lupita.lastName, lupita.account.clabe]) expect(answer.text).not.toContain(text);
    expect(told(await desk('/ord_0000013J8V2T9X5B3N6H0C7D2F'))).toEqual([404, 'order_not_found']);
  });
});

describe('POST /operator/orders/{id}/notes', () => {
  it('keeps notes sealed and in order, also when they come at once, for reviewers only', async () => {
    const { id } = await placed(running, await sender(running));
    const path = `/operator/orders/${id}/notes`;
    const write = (note: string, token = running.admin) => running.api.post(path, { token, body: { note } });
    expect((await write('Called Guadalupe.')).status).toBe(200);
    await Promise.all(['a', 'b', 'c'].map((note) => write(note)));
    const { json } = await running.api.get(path, { token: running.admin });
    expect(json[0]).toMatchObject({ note: 'Called Guadalupe.', by: 'the-admin' });
    expect(json.map(({ note }: { note: string }) => note).sort()).toEqual(['Called Guadalupe.', 'a', 'b', 'c']);
    const { rows } = await running.sql.query('SELECT sealed_note FROM operator_notes WHERE order_id = $1', [id]);
    for (const { sealed_note } of rows) expect(sealed_note.toString('latin1')).not.toContain('Guadalupe');
    expect((await write('no', running.viewer)).status).toBe(403);
    expect((await running.api.get(path, { token: running.viewer })).status).toBe(403);
    expect(told(await write(''))).toEqual([400, 'invalid_fields']);
  });
});

describe('GET /operator/orders/stuck', () => {
  it('lists an order with its reason while its rail is paused, and a failed payout until somebody decides', async () => {
    const reasons = async () =>
      new Map((await desk('/stuck')).json.map((item: { id: string; reason: string }) => [item.id, item.reason]));
    const failing = await placed(running, await sender(running), {
      body: { beneficiary: { ...lupita, lastName: 'Invalid' } },
    });
    await pay(failing.id);
    await reaches(failing.id, 'PAYOUT_FAILED');
    expect((await reasons()).get(failing.id)).toBe('payout_failed');
    const waiting = await placed(running, await sender(running));
    const pause = { kind: 'rail', name: 'sandbox', note: 'Bank is down' };
    await running.api.post('/operator/pauses', { token: running.admin, body: pause });
    await pay(waiting.id);
    await eventually(async () => (await reasons()).get(waiting.id) === 'rail_paused', { what: 'the reason' });
  });
});
