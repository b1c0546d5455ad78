/** GET /orders, GET /merchant/orders, and what happens to orders when their user is erased. */
import { describe, expect, it } from 'vitest';
import { useRemesa } from '../harness/remesa.js';
import { type Merchant, merchantWithToken, told, userToken } from '../harness/users.js';
import { orderJobNames } from '../orders/orders.js';
import { quote } from '../rates/quoting.js';
import { cancel, get, lupita, placed, rateCode, sender } from './orders.js';
import { drive, paidOrder } from './paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const { sql } = running;
let merchants = 0;

/** A merchant of its own, so that a test sees its own orders only. */
async function merchant(): Promise<Merchant> {
  merchants += 1;
  return merchantWithToken(running, `merchant-${merchants}`);
}

async function idsOf(path: string, { token }: Merchant): Promise<string[]> {
  const answer = await running.api.get(path, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.map(({ id }: { id: string }) => id);
}

/** Follows `Link` to the end. */
async function pagesOf(path: string, { token }: Merchant): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await running.api.get(next, { token });
    expect(answer.status, answer.text).toBe(200);
    pages.push(answer.json.map(({ id }: { id: string }) => id));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

describe('GET /merchant/orders', () => {
  it('lists all orders, the newest first, page by page without gaps or repetitions', async () => {
    const own = await merchant();
    const user = await sender(running, own);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await placed(running, user, { merchant: own })).id);
    expect(await pagesOf('/merchant/orders?limit=2', own)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await idsOf('/merchant/orders', own)).toEqual(ids);
    expect(await idsOf('/merchant/orders', await merchant())).toEqual([]);
  });

  it('filters by status, user, currencies, time of creation and external id, alone and together', async () => {
    const own = await merchant();
    const [ana, ben] = [await sender(running, own), await sender(running, own)];
    const first = await placed(running, ana, { merchant: own, body: { externalOrderId: 'first' } });
    const kenyan = {
      ...{ country: 'KE', currency: 'KES', method: 'mobile_wallet', type: 'person' },
      ...{ firstName: 'Wanjiku', lastName: 'Kamau' },
      account: { walletProvider: 'm_pesa', phoneNumber: '+254712123456' },
    };
    const shillings = await quote({ api: running.api, acme: own }, { fiatOut: 'KES' });
    const second = await placed(running, ben, {
      merchant: own,
      body: { rateCode: shillings.json.code, beneficiary: kenyan },
    });
    await cancel(running, first.id, own);
    const found = (query: string) => idsOf(`/merchant/orders?${query}`, own);
    const all = [second.id, first.id];
    const from = encodeURIComponent(second.createdAt);
    expect({
      cancelled: await found('status=CANCELLED'),
      none: await found('status=COMPLETED'),
      ana: await found(`userId=${ana.id}`),
      dollars: await found('fiatIn=USD'),
      pesos: await found('fiatOut=MXN'),
      shillings: await found('fiatOut=KES&fiatIn=USD'),
      from: await found(`from=${from}`),
      to: await found(`to=${from}`),
      external: await found('externalOrderId=first'),
      externalAndStatus: await found('externalOrderId=first&status=AWAITING_PAYMENT'),
      together: await found(`status=CANCELLED&userId=${ana.id}&fiatOut=MXN&to=${from}`),
      nobody: await found('userId=1'),
    }).toEqual({
      cancelled: [first.id],
      none: [],
      ana: [first.id],
      dollars: all,
      pesos: [first.id],
      shillings: [second.id],
      from: [second.id],
      to: [first.id],
      external: [first.id],
      externalAndStatus: [],
      together: [first.id],
      nobody: [],
    });
  });

  it('lists with updatedSince the oldest change first, and an order that changed again comes last', async () => {
    const own = await merchant();
    const user = await sender(running, own);
    const orders = [];
    for (let count = 0; count < 3; count += 1) orders.push(await placed(running, user, { merchant: own }));
    const [first, second, third] = orders;
    await cancel(running, first.id, own);
    const since = encodeURIComponent(first.createdAt);
    expect(await pagesOf(`/merchant/orders?updatedSince=${since}&limit=1`, own)).toEqual([
      [second.id],
      [third.id],
      [first.id],
      [],
    ]);
  });

  it('refuses unknown filters and impossible values with 400', async () => {
    for (const query of ['status=FROZEN', 'state=x', 'limit=0', 'limit=201', 'after=x', 'from=yesterday', 'fiatIn=usd'])
      expect([query, ...told(await running.api.get(`/merchant/orders?${query}`, running.acme))]).toEqual([
        query,
        400,
        'invalid_fields',
      ]);
    const token = await userToken(running, running.acme, await sender(running));
    expect(told(await running.api.get('/merchant/orders', { token }))).toEqual([403, 'merchant_token_required']);
  });

  it('has an index for each filter that begins with the merchant', async () => {
    const columns = ['public_state', 'user_id', 'fiat_in', 'fiat_out', 'updated_at', 'external_order_id'];
    const { rows } = await sql.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'orders'`);
    for (const column of columns)
      expect(rows.some(({ indexdef }) => indexdef.includes(`(merchant_id, ${column}`))).toBe(true);
  });
});

describe('GET /merchant/reports/orders', () => {
  it('has a line for each order of the day and no formula, and no order of another day or merchant', async () => {
    const own = await merchant();
    const user = await sender(running, own);
    const first = await placed(running, user, { merchant: own, body: { externalOrderId: '-1.x' } });
    const second = await placed(running, user, { merchant: own });
    await cancel(running, second.id, own);
    const day = second.createdAt.slice(0, 10);
    const { text, headers } = await running.api.get(`/merchant/reports/orders?day=${day}`, own);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.split('\r\n').map((line) => line.split(',').slice(0, 7));
    expect(lines).toEqual([
      ['id', 'externalOrderId', 'userId', 'status', 'statusReason', 'fiatIn', 'amountIn'],
      [second.id, '', String(user.id), 'CANCELLED', 'cancelled_by_sender', 'USD', '100'],
      [first.id, "'-1.x", String(user.id), 'AWAITING_PAYMENT', '', 'USD', '100'],
      [''],
    ]);
    const columns = text.split('\r\n')[0]?.split(',') ?? [];
    const firstLine = Object.fromEntries(
      columns.map((column, index) => [column, text.split('\r\n')[2]?.split(',')[index]]),
    );
    expect(firstLine).toMatchObject({
      ...{ amountReceived: '0', amountRefunded: '0', rateCode: first.rateCode },
      ...{ payInReference: first.payIn.reference, paidAt: '', completedAt: '', refundedAt: '' },
    });
    const empty = await running.api.get('/merchant/reports/orders?day=2020-02-29', own);
    expect(empty.text.split('\r\n')).toHaveLength(2);
    for (const wrong of ['2020-02-30', 'today'])
      expect(told(await running.api.get(`/merchant/reports/orders?day=${wrong}`, own))).toEqual([
        400,
        'invalid_fields',
      ]);
  });
});

describe('the report of a day', () => {
  it('has the times of payment, payout and refund, and none that was undone', async () => {
    const own = await merchant();
    const user = await sender(running, own);
    const paid = () => paidOrder(running, user, { merchant: own });
    const completed = await drive(running, await paid(), 'convert', 'submit_payout', 'complete');
    const refunded = await drive(running, await paid(), 'cancel_and_refund', 'settle_refund');
    const returned = await drive(running, await paid(), 'convert', 'submit_payout', 'complete', 'return');
    const day = completed.createdAt.toISOString().slice(0, 10);
    const { text } = await running.api.get(`/merchant/reports/orders?day=${day}`, own);
    const [columns = [], ...lines] = text.split('\r\n').map((line) => line.split(','));
    const lineOf = (id: string) => {
      const line = lines.find(([first]) => first === id) ?? [];
      return Object.fromEntries(columns.map((column, index) => [column, line[index]]));
    };
    expect(lineOf(completed.orderId)).toMatchObject({
      ...{ status: 'COMPLETED', amountReceived: '100', refundedAt: '' },
      completedAt: completed.updatedAt.toISOString(),
    });
    expect(lineOf(refunded.orderId)).toMatchObject({
      ...{ status: 'REFUNDED', amountRefunded: '100', completedAt: '' },
      refundedAt: refunded.updatedAt.toISOString(),
    });
    expect(lineOf(returned.orderId)).toMatchObject({ status: 'RETURNED', completedAt: '', refundedAt: '' });
    for (const order of [completed, refunded, returned]) expect(lineOf(order.orderId).paidAt).toMatch(/^\d{4}-/);
  });
});

describe('GET /orders', () => {
  it('lists the orders of the selected user only, page by page', async () => {
    const own = await merchant();
    const [ana, ben] = [await sender(running, own), await sender(running, own)];
    const first = await placed(running, ana, { merchant: own });
    await placed(running, ben, { merchant: own });
    const second = await placed(running, ana, { merchant: own });
    expect(await pagesOf(`/orders?userId=${ana.id}&limit=1`, own)).toEqual([[second.id], [first.id], []]);
    const token = await userToken(running, own, ana);
    expect(await idsOf('/orders', { ...own, token })).toEqual([second.id, first.id]);
    expect(told(await running.api.get('/orders', own))).toEqual([400, 'user_not_selected']);
  });
});

describe('the erasure of a user', () => {
  const erase = (user: { id: number }) =>
    running.api.call('DELETE', `/user?userId=${user.id}`, { token: running.acme.token });

  it('is refused with 409 while an order is open, and keeps everything', async () => {
    const user = await sender(running);
    const order = await placed(running, user, { body: { metadata: { note: 'kept' } } });
    expect(told(await erase(user))).toEqual([409, 'user_has_open_orders']);
    expect((await get(running, order.id)).json).toEqual(order);
    const { token } = running.acme;
    expect((await running.api.get(`/orders/${order.id}/beneficiary`, { token })).json).toEqual(lupita);
  });

  it('is done once the order is cancelled: metadata is gone and the beneficiary cannot be read', async () => {
    const user = await sender(running);
    const order = await placed(running, user, { body: { metadata: { note: 'gone' } } });
    const cancelled = (await cancel(running, order.id)).json;
    expect((await erase(user)).status).toBe(200);
    expect((await get(running, order.id)).json).toEqual({ ...cancelled, metadata: {} });
    const { token } = running.acme;
    const gone = await running.api.get(`/orders/${order.id}/beneficiary`, { token });
    expect(told(gone)).toEqual([404, 'beneficiary_not_found']);
    expect(told(await running.api.post(`/orders/${order.id}/cancel`, { token }))).toEqual([200, undefined]);
    const { rows } = await sql.query('SELECT metadata FROM orders WHERE order_id = $1', [order.id]);
    expect(rows).toEqual([{ metadata: null }]);
  });

  it('refuses either itself or a new order at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await sender(running);
      const code = await rateCode(running);
      const { token } = running.acme;
      const body = { rateCode: code, beneficiary: lupita, purpose: 'gift' };
      const [order, erased] = await Promise.all([
        running.api.post(`/orders?userId=${user.id}`, { token, body }),
        erase(user),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([order.status, erased.status]);
    }
  });
});
