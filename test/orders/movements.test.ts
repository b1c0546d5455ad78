/** GET /merchant/reports/movements with its sums, GET /merchant/overview and GET /rates/indicative. */
import { expect, it } from 'vitest';
import { useRemesa } from '../harness/remesa.js';
import { type Merchant, merchantWithToken, told } from '../harness/users.js';
import { cancel, orderJobNames, placed, sender } from './orders.js';
import { drive, paidOrder } from './paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
let merchants = 0;

/** A merchant of its own, so that a test sees its own orders only. */
async function merchant(): Promise<Merchant> {
  merchants += 1;
  return merchantWithToken(running, `mover-${merchants}`);
}

async function linesOf(own: Merchant, day: string): Promise<string[][]> {
  const { text } = await running.api.get(`/merchant/reports/movements?day=${day}`, own);
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').slice(1, 6));
}

async function totalsOf(own: Merchant, day: string): Promise<unknown[]> {
  const { json } = await running.api.get(`/merchant/reports/movements/totals?day=${day}`, own);
  return json.totals.map(({ kind, currency, count, amount }: Record<string, unknown>) => [
    kind,
    currency,
    count,
    amount,
  ]);
}

it('a movement counts on its own day, whenever its order was created, and what was undone counts as less', async () => {
  const own = await merchant();
  const user = await sender(running, own);
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const completing = await paidOrder(running, user, { merchant: own });
  const completed = await drive(running, completing, 'convert', 'submit_payout', 'complete');
  await running.api.post('/sandbox/clock', { token: own.token, body: { advanceSeconds: 86_400 } });
  await drive(running, completed, 'return');
  const refunded = await paidOrder(running, user, { merchant: own });
  await drive(running, refunded, 'cancel_and_refund', 'settle_refund');
  const first = day(completed.createdAt);
  const second = day(refunded.createdAt);
  const mxn = (Number(completed.amountOut.minor) / 100).toFixed(2);
  expect((await linesOf(own, first)).sort()).toEqual([
    ['fee', 'converted', 'USD', '1.30', completed.orderId],
    ['payment', 'payment_received', 'USD', '100.00', completed.orderId],
    ['payout', 'payout_submitted', 'MXN', mxn, completed.orderId],
  ]);
  expect((await linesOf(own, second)).sort()).toEqual([
    ['payment', 'payment_received', 'USD', '100.00', refunded.orderId],
    ['payout', 'payout_returned', 'MXN', `-${mxn}`, completed.orderId],
    ['refund', 'refunded', 'USD', '100.00', refunded.orderId],
  ]);
  expect(await totalsOf(own, first)).toEqual([
    ['fee', 'USD', 1, '1.30'],
    ['payment', 'USD', 1, '100.00'],
    ['payout', 'MXN', 1, mxn],
  ]);
  expect(await totalsOf(own, second)).toEqual([
    ['payment', 'USD', 1, '100.00'],
    ['payout', 'MXN', 1, `-${mxn}`],
    ['refund', 'USD', 1, '100.00'],
  ]);
  expect(await linesOf(await merchant(), first)).toEqual([]);
});

it('the overview counts open orders and those of today, of this merchant only', async () => {
  const own = await merchant();
  const user = await sender(running, own);
  await placed(running, user, { merchant: own });
  await placed(running, user, { merchant: own });
  const { id } = await placed(running, user, { merchant: own });
  await cancel(running, id, own);
  const waiting = { status: 'AWAITING_PAYMENT', currency: 'USD', count: 2, amount: '200.00' };
  const { json } = await running.api.get('/merchant/overview', own);
  expect(json.open).toEqual([waiting]);
  expect(json.createdToday).toEqual([waiting, { status: 'CANCELLED', currency: 'USD', count: 1, amount: '100.00' }]);
  expect((await running.api.get('/merchant/overview', await merchant())).json).toEqual({ open: [], createdToday: [] });
});

it('an indicative price is that of a quote of the same moment, and stores none', async () => {
  const own = await merchant();
  const asked = (query: string) => running.api.get(`/rates/indicative?${query}`, own);
  const { json } = await asked('fiatIn=USD&fiatOut=MXN&amountIn=100');
  const counted = async () => (await running.sql.query('SELECT count(*)::int AS quotes FROM quotes')).rows[0]?.quotes;
  const before = await counted();
  const body = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
  const quoted = (await running.api.post('/rates', { token: own.token, body })).json;
  expect(await counted()).toBe(before + 1);
  const { rate, amountIn, amountOut, fiatIn, fiatOut } = quoted;
  const details = (await running.api.get(`/rates/${quoted.code}`, own)).json;
  const { fee, midMarketRate, ratePublishedAt } = details.madeOf;
  expect(json).toEqual({
    ...{ fiatIn, fiatOut, amountIn, amountOut, rate, fee, midMarketRate, ratePublishedAt },
    exchangeRate: expect.closeTo(amountOut / (amountIn - fee), 3),
  });
  expect(told(await asked('fiatIn=USD&fiatOut=MXN&amountIn=0.01'))).toEqual([422, 'amount_out_of_range']);
  expect(told(await asked('fiatIn=USD&fiatOut=MXN&amountIn=1.001'))).toEqual([400, 'invalid_fields']);
  expect(told(await asked('fiatIn=USD&fiatOut=USD&amountIn=1'))).toEqual([422, 'corridor_unavailable']);
});
