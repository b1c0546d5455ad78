/** What the page of a transfer says in each state of its order. */
import { describe, expect, it } from 'vitest';
import type { Order } from '../../src/orders/order/order.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { orderJobNames, placed, sender } from '../orders/orders.js';
import { drive, paidOrder, storedOrder } from '../orders/paid.js';
import { newLink, stageIn, visit } from './links.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const pageOf = async (id: string) => visit((await newLink(running, id)).url);
const paid = async () => paidOrder(running, await sender(running));

describe('the page of a transfer', () => {
  it('says how to pay while the money is awaited: amount, reference, account and until when', async () => {
    const order = await placed(running, await sender(running));
    const page = await pageOf(order.id);
    expect(stageIn(page)).toBe('pay');
    expect(page.html).toContain(`data-copy="100.00"`);
    expect(page.html).toContain(`data-copy="${order.payIn.reference}"`);
    expect(page.html).toContain(`datetime="${order.paymentDueAt}"`);
    expect(page.text).toContain('Simulated account, do not pay');
    expect(page.text).toContain('This is a test. Do not send any money.');
    expect(page.text).toContain('Guadalupe Ortega Ruiz');
    expect(page.text).toContain('****9719');
    expect(page.text).toMatch(/If your payment arrives today, the money arrives by \d+ \w+ \d{4}\./);
    expect(page.text).not.toContain('032180000118359719');
  });

  it.each<readonly [string, string, (order: Order) => Promise<Order>]>([
    ['PAYMENT_RECEIVED', 'preparing', async (order) => order],
    ['CONVERTED', 'preparing', (order) => drive(running, order, 'convert')],
    ['IN_REVIEW', 'preparing', (order) => drive(running, order, 'refer')],
    ['PAYOUT_SUBMITTED', 'sent', (order) => drive(running, order, 'convert', 'submit_payout')],
    ['COMPLETED', 'arrived', (order) => drive(running, order, 'convert', 'submit_payout', 'complete')],
    ['PAYOUT_FAILED', 'delayed', (order) => drive(running, order, 'convert', 'submit_payout', 'fail_payout')],
    ['REFUND_PENDING', 'refunding', (order) => drive(running, order, 'cancel_and_refund')],
    ['REFUNDED', 'refunded', (order) => drive(running, order, 'cancel_and_refund', 'settle_refund')],
  ])('shows %s as the stage %s, without how to pay, and leads to the receipt', async (status, stage, reach) => {
    const order = await reach(await paid());
    const api = await running.api.get(`/orders/${order.orderId}`, { token: running.acme.token });
    expect(api.json.status).toBe(status);
    const { url } = await newLink(running, order.orderId);
    const page = await visit(url);
    expect([page.status, stageIn(page)]).toEqual([200, stage]);
    expect(page.html).not.toContain('paying-heading');
    const token = url.slice(url.lastIndexOf('/') + 1);
    expect(page.html).toContain(`href="./${token}/receipt"`);
    const receipt = await visit(`${url}/receipt`);
    expect(receipt.status).toBe(200);
    expect(receipt.text).toContain(order.orderId);
  });

  it('says by which day a refund is back, as the order API does, and afterwards when it was sent', async () => {
    const { id } = await placed(running, await sender(running));
    const { token } = running.acme;
    done(await running.api.post('/sandbox/payments', { token, body: { orderId: id, amount: 100 } }));
    const { refundDueBy } = done(await running.api.post(`/orders/${id}/cancel`, { token }));
    const { url } = await newLink(running, id);
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(refundDueBy));
    expect((await visit(url)).text).toContain(day);
    const refunded = await drive(running, await paid(), 'cancel_and_refund', 'settle_refund');
    const page = await pageOf(refunded.orderId);
    expect(page.html).toContain(`<time datetime="${refunded.updatedAt.toISOString()}"`);
  });

  it('shows a cancelled order as ended, and has no receipt for what was never paid', async () => {
    const { id } = await placed(running, await sender(running));
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    const { url } = await newLink(running, id);
    expect(stageIn(await visit(url))).toBe('cancelled');
    const receipt = await visit(`${url}/receipt`);
    expect(receipt.status).toBe(303);
    expect(new URL(receipt.headers.get('location') ?? '', `${url}/receipt`).href).toBe(url);
  });

  it('asks nobody to pay while an unpaid order is reviewed', async () => {
    const { id } = await placed(running, await sender(running));
    await drive(running, await storedOrder(running, id), 'refer');
    const page = await pageOf(id);
    expect(stageIn(page)).toBe('notYet');
    expect(page.html).not.toContain('paying-heading');
  });

  it('reloads itself without a script until nothing more will happen', async () => {
    const { id } = await placed(running, await sender(running));
    expect((await pageOf(id)).html).toContain('<noscript><meta http-equiv="refresh" content="30"/></noscript>');
    await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect((await pageOf(id)).html).not.toContain('http-equiv="refresh"');
  });

  it('may load, run, send and be framed by nothing but its own, and is kept by no cache', async () => {
    const { id } = await placed(running, await sender(running));
    const { headers } = await pageOf(id);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'sha256-[\w+/=]+'; img-src 'self' data: blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  });
});
