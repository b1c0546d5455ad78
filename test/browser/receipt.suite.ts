import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  switchScheme,
  useBrowser,
} from '../harness/browser.js';
import { useRemesa } from '../harness/remesa.js';
import { orderJobNames, sender } from '../orders/orders.js';
import { drive, paidOrder } from '../orders/paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const browser = useBrowser(running);
const phone = { width: 390, height: 844 };
const desk = { width: 1200, height: 900 };

it.each(['en', 'ar'])(
  'the receipt fits, is accessible and silent on a phone, on a desk and on paper (%s)',
  async (lang) => {
    const change = { cancellableUntil: new Date('2030-01-02T15:30:00Z') };
    const user = await sender(running);
    const order = await paidOrder(running, user, { change, body: { externalOrderId: `invoice-${lang}` } });
    if (lang === 'ar') await drive(running, order, 'convert', 'submit_payout', 'complete');
    const page = await browser.open(`${running.service.url}/livez`, phone);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${running.acme.token}` });
    await page.goto(`${running.service.url}/orders/${order.orderId}/receipt?lang=${lang}`);
    expect(await page.locator('h1').count()).toBe(1);
    for (const [name, screen, scheme, rules] of [
      ['phone', phone, 'light', 'all'],
      ['desk', desk, 'dark', 'colours'],
    ] as const) {
      await page.setViewportSize(screen);
      await switchScheme(page, scheme);
      await screenshot(page, `receipt-${lang}-${name}-${scheme}`, { fullPage: true });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, rules);
    }
    await page.setViewportSize(desk);
    await switchScheme(page, 'light');
    await screenshot(page, `receipt-${lang}-desk-light`, { fullPage: true });
    await page.emulateMedia({ media: 'print' });
    await screenshot(page, `receipt-${lang}-print`, { fullPage: true });
    expectQuiet(page);
  },
);

it.each(['en', 'ar'])('the disclosure fits, is accessible and silent on a phone and on a desk (%s)', async (lang) => {
  const { orderId } = await paidOrder(running, await sender(running));
  const page = await browser.open(`${running.service.url}/livez`, phone);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${running.acme.token}` });
  await page.goto(`${running.service.url}/orders/${orderId}/disclosure?lang=${lang}`);
  expect(await page.locator('h1').count()).toBe(1);
  for (const [name, screen, scheme, rules] of [
    ['phone', phone, 'light', 'all'],
    ['desk', desk, 'dark', 'colours'],
  ] as const) {
    await page.setViewportSize(screen);
    await switchScheme(page, scheme);
    await screenshot(page, `disclosure-${lang}-${name}-${scheme}`, { fullPage: true });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, rules);
  }
  expectQuiet(page);
});
