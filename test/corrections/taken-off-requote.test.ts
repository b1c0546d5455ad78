/** A late payment that was recorded for the wrong order: the terms of before return with it. */
import { afterAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { told } from '../harness/users.js';
import { get, lupita, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import { faultsOf, operate, useCorrections, versionOf, withTwo } from './corrections.js';

const running = useCorrections();

/** Later than the end of the bank's day, also when the guarantee ends on a Saturday. */
const lateFor = (order: { rateGuaranteedUntil: string }) =>
  new Date(Date.parse(order.rateGuaranteedUntil) + 84 * 3_600_000).toISOString();
const termsOf = ({ rateCode, amountIn, amountOut, rate, fee, rateGuaranteedUntil }: Record<string, unknown>) => ({
  ...{ rateCode, amountIn, amountOut, rate, fee, rateGuaranteedUntil },
});
const shown = async (id: string) => (await get(running, id)).json;
const usdOf = async (id: string) =>
  (await running.sql.query('SELECT usd_minor::int FROM orders WHERE order_id = $1', [id])).rows[0].usd_minor;

/** An order of 100 dollars for which 40 were booked late, so that it is for 40 only. */
async function requoted() {
  const order = await placed(running, await sender(running), { body: { beneficiary: { ...lupita } } });
  const line = { remittanceText: order.payIn.reference, amount: 40, bookedAt: lateFor(order) };
  const { id: paymentId } = done(await record(running, movement(line)));
  const asked = await shown(order.id);
  expect(asked).toMatchObject({ status: 'ACTION_REQUIRED', amountIn: 40, requirements: [{ code: 'requote' }] });
  return { order, paymentId, path: `payments/${paymentId}/corrections/take-off` };
}

async function takeOff(path: string, id: string): Promise<void> {
  const body = { version: await versionOf(running, id), note: 'For another order.' };
  expect((await withTwo(running, path, body)).status).toBe(200);
}

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('a late payment that is taken off', () => {
  it('gives the order its terms of before again while the sender is asked, and the right payment pays it', async () => {
    const { order, path } = await requoted();
    expect(await usdOf(order.id)).toBe(4_000);
    await takeOff(path, order.id);
    const restored = await shown(order.id);
    expect(restored).toMatchObject({
      ...{ status: 'AWAITING_PAYMENT', amountReceived: 0, amountMissing: 100, requirements: [] },
      ...{ actionRequiredBy: null, requotes: [{ needsAcceptance: true }, { needsAcceptance: false }] },
    });
    expect(termsOf(restored)).toEqual(termsOf(order));
    expect(restored.requotes[1].after).toEqual(restored.requotes[0].before);
    expect(await usdOf(order.id)).toBe(10_000);
    await record(running, movement({ remittanceText: order.payIn.reference }));
    expect(await reaches(running, order.id, 'PAYOUT_SUBMITTED')).toMatchObject(termsOf(order));
  });

  it('gives them back also after the sender has accepted the new ones', async () => {
    // So that the worker does not convert it first.
    await operate(running, 'pauses', { kind: 'corridor', name: 'USD-MXN', note: 'For the test.' });
    const { order, path } = await requoted();
    const { token } = running.acme;
    const body = { answers: [{ code: 'requote', answer: 'accept' }] };
    done(await running.api.post(`/orders/${order.id}/information`, { token, body }));
    await reaches(running, order.id, 'PAYMENT_RECEIVED');
    await takeOff(path, order.id);
    expect(termsOf(await shown(order.id))).toEqual(termsOf(order));
  });

  it('leaves the new terms when another payment was the reason for them', async () => {
    const order = await placed(running, await sender(running), { body: { beneficiary: { ...lupita } } });
    const remittanceText = order.payIn.reference;
    const { id: timely } = done(await record(running, movement({ remittanceText, amount: 60 })));
    done(await record(running, movement({ remittanceText, amount: 20, bookedAt: lateFor(order) })));
    expect(await shown(order.id)).toMatchObject({ status: 'ACTION_REQUIRED', amountIn: 80 });
    await takeOff(`payments/${timely}/corrections/take-off`, order.id);
    expect(await shown(order.id)).toMatchObject({ status: 'AWAITING_PAYMENT', amountIn: 80, amountMissing: 60 });
  });

  it('stays where it is while the sender is asked for anything else: the answer must come first', async () => {
    const order = await placed(running, await sender(running), { body: { beneficiary: { ...lupita } } });
    const line = { remittanceText: order.payIn.reference, amount: 60 };
    const { id: paymentId } = done(await record(running, movement(line)));
    const token = running.as('rita');
    const body = { items: ['purpose'], note: 'Why?' };
    done(await running.api.post(`/operator/orders/${order.id}/request-information`, { token, body }));
    const refused = await operate(running, `payments/${paymentId}/corrections/take-off`, {
      ...{ version: await versionOf(running, order.id), note: 'For another order.' },
    });
    expect(told(refused)).toEqual([409, 'order_transition_not_allowed']);
  });
});
