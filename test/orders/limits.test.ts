/** GET /user/limits, and what POST /orders refuses because of limits. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told, userToken } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, holdLevel, place, placed, rateCode, sender } from './orders.js';
import { rewriteOrder } from './rewritten.js';

const running = useRemesa({ hasRates: true });
const { sql } = running;

const limitsOf = async (user: MadeUser, merchant = running.acme) => {
  const answer = await running.api.get(`/user/limits?userId=${user.id}`, { token: merchant.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
/** What is used of each limit, by name. */
const usedBy = async (user: MadeUser, merchant = running.acme): Promise<Record<string, number>> => {
  const { limits } = await limitsOf(user, merchant);
  return Object.fromEntries(limits.map(({ name, used }: { name: string; used: number }) => [name, used]));
};
const send = async (user: MadeUser, amountIn: number, merchant = running.acme) =>
  place(running, user, { merchant, body: { rateCode: await rateCode(running, merchant, amountIn) } });
const sent = async (user: MadeUser, amountIn: number, merchant = running.acme) => {
  const answer = await send(user, amountIn, merchant);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
/** Changes an order as later parts of the service will: each state and what was received and refunded by then. */
const advance = async (id: string, ...steps: [state: string, received: number, refunded: number][]) => {
  for (const step of steps) {
    const assignments = 'state = $2, amount_received_minor = $3, amount_refunded_minor = $4';
    await rewriteOrder(running, id, assignments, step);
  }
};

describe('GET /user/limits', () => {
  it('shows what is used and left of each limit, and what the next level would unlock', async () => {
    const user = await sender(running);
    await sent(user, 100);
    expect(await limitsOf(user)).toEqual({
      userId: user.id,
      kycLevel: 'LEVEL_1',
      limits: [
        { name: 'amount_per_order', unit: 'USD', max: 200, used: 0, left: 200 },
        { name: 'amount_24h', unit: 'USD', max: 500, used: 100, left: 400 },
        { name: 'amount_30d', unit: 'USD', max: 1000, used: 100, left: 900 },
        { name: 'amount_365d', unit: 'USD', max: 5000, used: 100, left: 4900 },
        { name: 'orders_24h', unit: 'orders', max: 5, used: 1, left: 4 },
        { name: 'orders_30d', unit: 'orders', max: 20, used: 1, left: 19 },
        { name: 'unpaid_orders', unit: 'orders', max: 10, used: 1, left: 9 },
      ],
      nextLevel: {
        kycLevel: 'LEVEL_2',
        zone: 'EEA',
        formPath: '/kyc/register/LEVEL_2/EEA',
        limits: [
          { name: 'amount_per_order', unit: 'USD', max: 25_000, used: 0, left: 25_000 },
          { name: 'amount_24h', unit: 'USD', max: 25_000, used: 100, left: 24_900 },
          { name: 'amount_30d', unit: 'USD', max: 50_000, used: 100, left: 49_900 },
          { name: 'amount_365d', unit: 'USD', max: 250_000, used: 100, left: 249_900 },
          { name: 'orders_24h', unit: 'orders', max: 10, used: 1, left: 9 },
          { name: 'orders_30d', unit: 'orders', max: 100, used: 1, left: 99 },
          { name: 'unpaid_orders', unit: 'orders', max: 10, used: 1, left: 9 },
        ],
      },
    });
  });

  it('allows nothing without a level, and names the first level', async () => {
    const { kycLevel, limits, nextLevel } = await limitsOf(await newUser(running, running.acme));
    expect(kycLevel).toBeNull();
    expect(limits.map(({ max, left }: { max: number; left: number }) => [max, left])).toEqual([
      ...[
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [10, 10],
      ],
    ]);
    expect(nextLevel).toMatchObject({ kycLevel: 'LEVEL_1', formPath: '/kyc/register/LEVEL_1/EEA' });
  });

  it('has no next level after the highest', async () => {
    const user = await newUser(running, running.acme);
    await holdLevel(running, running.acme, user, 'LEVEL_3');
    expect(await limitsOf(user)).toMatchObject({ kycLevel: 'LEVEL_3', nextLevel: null });
  });

  it('answers a user token for its own user, and 404 for the user of another merchant', async () => {
    const user = await sender(running);
    const token = await userToken(running, running.acme, user);
    expect((await running.api.get('/user/limits', { token })).json.userId).toBe(user.id);
    const theirs = await running.api.get(`/user/limits?userId=${user.id}`, { token: running.rival.token });
    expect(told(theirs)).toEqual([404, 'user_not_found']);
  });
});

describe('POST /orders 422 limit_exceeded', () => {
  it('says which limit, what is used and left, and what the next level would unlock', async () => {
    const user = await sender(running);
    for (const amountIn of [200, 200, 60]) await sent(user, amountIn);
    const answer = await send(user, 50);
    expect(told(answer)).toEqual([422, 'limit_exceeded']);
    expect(answer.json).toMatchObject({
      detail: 'The order counts for 50 USD. Of 500 USD in 24 hours, 40 USD are left.',
      kycLevel: 'LEVEL_1',
      amountUsd: 50,
      exceeded: [{ name: 'amount_24h', unit: 'USD', max: 500, used: 460, left: 40 }],
      nextLevel: { kycLevel: 'LEVEL_2', formPath: '/kyc/register/LEVEL_2/EEA' },
    });
    expect(answer.json.nextLevel.limits).toHaveLength(7);
  });

  it('admits the last cent and refuses the next one', async () => {
    const user = await sender(running);
    for (const amountIn of [200, 200, 94.99]) await sent(user, amountIn);
    expect(told(await send(user, 5.02))).toEqual([422, 'limit_exceeded']);
    await sent(user, 5.01);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 500, orders_24h: 4 });
  });

  it('leaves the quote of a refused order unused', async () => {
    const user = await sender(running);
    for (const amountIn of [200, 200]) await sent(user, amountIn);
    const code = await rateCode(running, running.acme, 150);
    expect(told(await place(running, user, { body: { rateCode: code } }))).toEqual([422, 'limit_exceeded']);
    const { json } = await running.api.get(`/rates/${code}`, { token: running.acme.token });
    expect(json.status).toBe('open');
  });

  it('admits three of 50 orders at once where the limit admits three', async () => {
    const user = await sender(running);
    const codes = await Promise.all(Array.from({ length: 50 }, () => rateCode(running, running.acme, 160)));
    // A machine under load may have no connection in time for the last of them: they ask again.
    const decided = (code: string) =>
      eventually(
        async () => {
          const answer = await place(running, user, { body: { rateCode: code } });
          return answer.status === 503 ? undefined : answer;
        },
        { withinMs: 30_000, what: 'a decision on the order' },
      );
    const answers = await Promise.all(codes.map(decided));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200).map(told);
    expect(refused).toEqual(Array.from({ length: 47 }, () => [422, 'limit_exceeded']));
    expect(await usedBy(user)).toMatchObject({ amount_24h: 480, orders_24h: 3 });
  });

  it('admits ten orders that wait for payment, and the next one after one of them is paid or cancelled', async () => {
    const user = await newUser(running, running.acme);
    await holdLevel(running, running.acme, user, 'LEVEL_3');
    const orders = [];
    for (let count = 0; count < 10; count += 1) orders.push(await sent(user, 5));
    const refused = await send(user, 5);
    expect(told(refused)).toEqual([422, 'limit_exceeded']);
    expect(refused.json.exceeded).toEqual([{ name: 'unpaid_orders', unit: 'orders', max: 10, used: 10, left: 0 }]);
    await advance(orders[0].id, ['PAYMENT_RECEIVED', 500, 0]);
    await sent(user, 5);
    expect((await cancel(running, orders[1].id)).status).toBe(200);
    await sent(user, 5);
    expect(told(await send(user, 5))).toEqual([422, 'limit_exceeded']);
  });

  it('applies to what a user sends in all currencies, at the mid-market rate rounded up to the cent', async () => {
    const user = await sender(running);
    const { api, acme } = running;
    const quoted = await api.post('/rates', {
      token: acme.token,
      body: { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 99.99 },
    });
    const { id } = await placed(running, user, { body: { rateCode: quoted.json.code } });
    // 99.99 × 1.1684 = 116.828…
    const { rows } = await sql.query('SELECT usd_minor, usd_rate_source FROM orders WHERE order_id = $1', [id]);
    expect(rows).toEqual([{ usd_minor: '11683', usd_rate_source: 'sandbox-snapshot' }]);
    await sent(user, 100);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 216.83, orders_24h: 2 });
  });
});

describe('what counts', () => {
  it('is not a cancelled or expired order that nothing was paid for', async () => {
    const user = await sender(running);
    const [cancelled, expired] = [await sent(user, 200), await sent(user, 200)];
    expect(told(await send(user, 150))).toEqual([422, 'limit_exceeded']);
    expect((await cancel(running, cancelled.id)).status).toBe(200);
    await advance(expired.id, ['EXPIRED', 0, 0]);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 0, orders_24h: 0, unpaid_orders: 0 });
    await sent(user, 150);
  });

  it('is a full refund in number, not in value; until it has arrived, in both', async () => {
    const user = await sender(running);
    const order = await sent(user, 200);
    await advance(order.id, ['PAYMENT_RECEIVED', 20_000, 0], ['REFUND_PENDING', 20_000, 0]);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 200, orders_24h: 1 });
    await advance(order.id, ['REFUNDED', 20_000, 20_000]);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 0, orders_24h: 1 });
    await advance(order.id, ['REFUND_FAILED', 20_000, 0]);
    expect(await usedBy(user)).toMatchObject({ amount_24h: 200, orders_24h: 1 });
  });

  it('is a refund of which a part was kept', async () => {
    const user = await sender(running);
    const order = await sent(user, 200);
    await advance(
      order.id,
      ['PAYMENT_RECEIVED', 20_000, 0],
      ['REFUND_PENDING', 20_000, 0],
      ['REFUNDED', 20_000, 19_000],
    );
    expect(await usedBy(user)).toMatchObject({ amount_24h: 200, orders_24h: 1 });
  });

  it('ends with its window, by the clock of the merchant', async () => {
    const { rival } = running;
    const user = await sender(running, rival);
    for (const amountIn of [200, 200, 100]) await sent(user, amountIn, rival);
    expect(told(await send(user, 5, rival))).toEqual([422, 'limit_exceeded']);
    await moveClock(running, rival, '23 hours 55 minutes');
    expect(told(await send(user, 5, rival))).toEqual([422, 'limit_exceeded']);
    await moveClock(running, rival, '5 minutes');
    for (const amountIn of [200, 200, 100]) await sent(user, amountIn, rival);
    await moveClock(running, rival, '24 hours');
    const answer = await send(user, 5, rival);
    expect(told(answer)).toEqual([422, 'limit_exceeded']);
    expect(answer.json.exceeded).toEqual([{ name: 'amount_30d', unit: 'USD', max: 1000, used: 1000, left: 0 }]);
    await moveClock(running, rival, '28 days');
    await sent(user, 200, rival);
  });

  it('is judged by the level that the user holds now', async () => {
    const user = await newUser(running, running.acme);
    await holdLevel(running, running.acme, user, 'LEVEL_2');
    await sent(user, 600);
    await sql.query(
      `UPDATE kyc_cases SET state = 'REVOKED', version = version + 1 WHERE user_id = $1 AND level = 'LEVEL_2'`,
      [user.id],
    );
    expect(told(await send(user, 5))).toEqual([403, 'kyc_level_required']);
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    const answer = await send(user, 5);
    expect(told(answer)).toEqual([422, 'limit_exceeded']);
    expect(answer.json.exceeded).toEqual([{ name: 'amount_24h', unit: 'USD', max: 500, used: 600, left: 0 }]);
  });
});
