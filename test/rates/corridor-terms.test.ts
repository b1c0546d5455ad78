/** What a corridor says about rates and about orders that wait for their payment. */
import { describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { cancel, lupita, place, placed, sender } from '../orders/orders.js';
import { plainTerms, saveCorridor } from './quoting.js';

const running = useRemesa({ hasRates: true });
const defaults = {
  ...{ rateToleranceBasisPoints: 1000, rateMaxAgeHours: 124, onHold: 'close', rateGuaranteeHours: 24 },
  ...{ paymentDueHours: 72, maxUnpaidOrders: 10, countsUnpaidOrders: false },
};

const listed = async (query = '') =>
  done(await running.api.get(`/operator/corridors${query}`, { token: running.viewer }));
const corridor = async (fiatIn: string, fiatOut: string) =>
  (await listed()).find(
    (each: { fiatIn: string; fiatOut: string }) => each.fiatIn === fiatIn && each.fiatOut === fiatOut,
  );
const limitsOf = async (userId: unknown) => {
  const { limits } = done(await running.api.get(`/user/limits?userId=${userId}`, { token: running.acme.token }));
  return Object.fromEntries(limits.map(({ name, used }: never) => [name, used]));
};

describe('the terms of a corridor', () => {
  it('are the defaults of its currencies until an operator decides otherwise', async () => {
    expect(await corridor('USD', 'MXN')).toMatchObject(defaults);
    expect(await corridor('USD', 'EUR')).toMatchObject({ ...defaults, rateToleranceBasisPoints: 300 });
    done(await saveCorridor(running, 'MXN/USD', { minAmountIn: 50, minAmountOut: 1 }));
    expect(await corridor('MXN', 'USD')).toMatchObject(defaults);
  });

  it('stay as they are where an edit leaves them out', async () => {
    const changed = { onHold: 'quote', rateToleranceBasisPoints: 500, rateGuaranteeHours: 2 };
    done(await saveCorridor(running, 'USD/PEN', changed));
    done(await saveCorridor(running, 'USD/PEN', { marginBasisPoints: 130 }));
    expect(await corridor('USD', 'PEN')).toMatchObject({ ...defaults, ...changed, marginBasisPoints: 130 });
  });

  it.each([
    ['rateToleranceBasisPoints', 2001],
    ['rateMaxAgeHours', 0],
    ['onHold', 'open'],
    ['maxUnpaidOrders', 11],
    ['rateGuaranteeHours', 73],
  ])('are refused when %s is %s', async (field, value) => {
    const refused = await saveCorridor(running, 'USD/COP', { [field]: value });
    expect(told(refused)).toEqual([400, 'invalid_fields']);
    expect(refused.json.errors).toMatchObject([{ field }]);
  });

  it('can be listed for open corridors only, and for closed ones', async () => {
    done(await saveCorridor(running, 'USD/CLP', { ...plainTerms, isOpen: false }));
    const pairs = (corridors: { fiatIn: string; fiatOut: string }[]) =>
      corridors.map(({ fiatIn, fiatOut }) => `${fiatIn}${fiatOut}`);
    expect(pairs(await listed('?isOpen=false'))).toEqual(['USDCLP']);
    const open = pairs(await listed('?isOpen=true'));
    expect([open.includes('USDCLP'), open.includes('USDMXN')]).toEqual([false, true]);
  });
});

describe('an order', () => {
  it('keeps its rate, and is due, for as long as its corridor says', async () => {
    done(await saveCorridor(running, 'USD/MXN', { rateGuaranteeHours: 3, paymentDueHours: 12 }));
    const order = await placed(running, await sender(running));
    const hoursAfter = (time: string) => (Date.parse(time) - Date.parse(order.createdAt)) / 3_600_000;
    expect([hoursAfter(order.rateGuaranteedUntil), hoursAfter(order.paymentDueAt)]).toEqual([3, 12]);
    const { rows } = await running.sql.query(
      'SELECT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM orders WHERE order_id = $1',
      [order.id],
    );
    expect(rows).toEqual([{ hours: 36 }]);
  });

  it('is refused when the user has as many unpaid ones in the corridor as it allows, and only there', async () => {
    done(await saveCorridor(running, 'USD/MXN', { maxUnpaidOrders: 2 }));
    const user = await sender(running);
    const orders = [await placed(running, user), await placed(running, user)];
    const refused = await place(running, user);
    expect(told(refused)).toEqual([422, 'limit_exceeded']);
    expect(refused.json.exceeded).toEqual([{ name: 'unpaid_orders', unit: 'orders', max: 2, used: 2, left: 0 }]);
    const quoted = await running.api.post('/rates', {
      token: running.acme.token,
      body: { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 50 },
    });
    done(await place(running, user, { body: { rateCode: done(quoted).code, beneficiary: { ...lupita } } }));
    done(await cancel(running, orders[0].id));
    done(await place(running, user));
  });

  it('counts for its user after it was cancelled unpaid only where the corridor counts it, and never in value', async () => {
    const ended = async (countsUnpaidOrders: boolean) => {
      done(await saveCorridor(running, 'USD/MXN', { maxUnpaidOrders: 10, countsUnpaidOrders }));
      const user = await sender(running);
      done(await cancel(running, (await placed(running, user)).id));
      return limitsOf(user.id);
    };
    expect(await ended(false)).toMatchObject({ orders_24h: 0, orders_30d: 0, amount_24h: 0 });
    expect(await ended(true)).toMatchObject({ orders_24h: 1, orders_30d: 1, amount_24h: 0, unpaid_orders: 0 });
  });
});
