/** The report of a day: every figure comes from the books, in any time zone, for one merchant and for all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, isTimeZone } from '../../src/operations/reports/day.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { get, placed, sender } from '../orders/orders.js';

const running = useRemesa({ hasRates: true });
const today = new Date().toISOString().slice(0, 10);
const report = (query: string, path = '/operator/reports/day') =>
  running.api.get(`${path}?${query}`, { token: running.viewer });
const paying = (body: object) => running.api.post('/sandbox/payments', { token: running.acme.token, body });

describe('GET /operator/reports/day', () => {
  it('counts what came, left and was earned on the day, and what is in suspense', async () => {
    const order = await placed(running, await sender(running));
    await paying({ orderId: order.id });
    await eventually(async () => (await get(running, order.id)).json.status === 'COMPLETED', { what: 'the payout' });
    await paying({ reference: 'rent', amount: 40, currency: 'USD', payerName: 'Ana Reyes' });
    const all = (await report(`day=${today}`)).json;
    const out = order.amountOut.toFixed(2);
    expect(all).toMatchObject({
      from: `${today}T00:00:00.000Z`,
      created: [{ state: 'COMPLETED', currency: 'USD', count: 1, amount: '100.00' }],
      received: [{ currency: 'USD', count: 2, amount: '140.00' }],
      payoutsSubmitted: [{ currency: 'MXN', count: 1, amount: out }],
      ...{ payoutsFailed: [], payoutsReturned: [], refunded: [], losses: [] },
      corridors: [{ fiatIn: 'USD', fiatOut: 'MXN', count: 1, amountIn: '100.00', amountOut: out, fee: '1.30' }],
      suspense: [{ currency: 'USD', opening: '0.00', closing: '40.00' }],
    });
    expect(Number(all.corridors[0].margin)).toBeGreaterThan(0);
    expect((await report(`day=${today}&merchant=acme`)).json).toEqual(all);
    expect((await report(`day=${today}&merchant=rival`)).json).toMatchObject({
      ...{ created: [], received: [], corridors: [], suspense: [] },
    });
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    expect((await report(`day=${tomorrow}`)).json).toMatchObject({
      ...{ created: [], received: [], suspense: [{ currency: 'USD', opening: '40.00', closing: '40.00' }] },
    });
    const csv = await report(`day=${today}`, '/operator/reports/day/csv');
    expect(csv.text.split('\r\n')).toEqual(
      expect.arrayContaining([
        ...['section,name,currency,count,amount', 'created,COMPLETED,USD,1,100.00', 'received,,USD,2,140.00'],
        ...[`convertedOut,USD-MXN,MXN,1,${out}`, 'suspenseClosing,,USD,,40.00'],
      ]),
    );
  });

  it('refuses a time zone and a merchant that do not exist', async () => {
    expect(told(await report(`day=${today}&timeZone=Europe/Nowhere`))).toEqual([400, 'invalid_fields']);
    expect(told(await report(`day=${today}&merchant=nobody`))).toEqual([404, 'merchant_not_found']);
  });
});

describe('a day', () => {
  it.each([
    ['2026-11-15', 'UTC', '2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    ['2026-11-15', 'Europe/Madrid', '2026-11-14T23:00:00.000Z', '2026-11-15T23:00:00.000Z'],
    // Clocks go back: the day has 25 hours.
    ['2026-10-25', 'Europe/Madrid', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-15', 'Asia/Kathmandu', '2026-11-14T18:15:00.000Z', '2026-11-15T18:15:00.000Z'],
  ])('%s in %s is from %s to %s', (day, zone, from, to) => {
    const bounds = boundsOf(day, zone);
    expect([bounds.from.toISOString(), bounds.to.toISOString()]).toEqual([from, to]);
  });

  it('begins where the day before ends, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter(isTimeZone);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.nat(20_000), (zone, number) => {
        const dayOf = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
        expect(boundsOf(dayOf(number), zone).to).toEqual(boundsOf(dayOf(number + 1), zone).from);
      }),
    );
  });
});
