import { expect, it } from 'vitest';
import { done } from '../harness/api.js';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  switchScheme,
  useBrowser,
} from '../harness/browser.js';
import { useRemesa } from '../harness/remesa.js';
import { operate, orderJobNames, placed, sender } from '../orders/orders.js';
import { drive, paidOrder, storedOrder } from '../orders/paid.js';
import { newLink } from '../transfer-page/links.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const browser = useBrowser(running);
const phone = { width: 360, height: 780 };
const views = [
  ['phone', phone, 'light'],
  ['tablet', { width: 768, height: 1024 }, 'dark'],
  ['desk', { width: 1280, height: 900 }, 'light'],
] as const;

const linkTo = async (id: string, below = '') => `${(await newLink(running, id)).url}${below}`;
const unpaid = async () => (await placed(running, await sender(running))).id as string;
const paid = async () => paidOrder(running, await sender(running));

async function asked(): Promise<string> {
  const id = await unpaid();
  await operate(running, id, 'refer');
  await operate(running, id, 'request-information', { items: ['purpose', 'beneficiary_details', 'proof_of_address'] });
  return linkTo(id);
}

async function invited(): Promise<string> {
  const body = { country: 'MX', currency: 'MXN', method: 'bank_account' };
  const path = `/beneficiaries/invitations?userId=${(await sender(running)).id}`;
  return done(await running.api.post(path, { token: running.acme.token, body })).url;
}

it.each<readonly [string, string, () => Promise<string>]>([
  ['pay', 'en', async () => linkTo(await unpaid())],
  ['pay', 'ar', async () => linkTo(await unpaid())],
  ['answer', 'es', asked],
  ['sent', 'fr', async () => linkTo((await drive(running, await paid(), 'convert', 'submit_payout')).orderId)],
  ['refunding', 'pt', async () => linkTo((await drive(running, await paid(), 'cancel_and_refund')).orderId)],
  ['cancel', 'en', async () => linkTo(await unpaid(), '/cancel')],
  ['recipient', 'ar', async () => linkTo(await unpaid(), '/recipient')],
  ['invitation', 'es', invited],
])('the page %s fits, is accessible and silent on every screen (%s)', async (name, language, open) => {
  const page = await browser.open(`${await open()}?lang=${language}`, phone);
  expect(await page.locator('h1').count()).toBe(1);
  for (const [screen, size, scheme] of views) {
    await page.setViewportSize(size);
    await switchScheme(page, scheme);
    await screenshot(page, `transfer-${name}-${language}-${screen}-${scheme}`, { fullPage: true });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  expectQuiet(page);
});

it('the page shows a new state by itself, and never throws away what a person has entered', async () => {
  const id = await unpaid();
  const url = await linkTo(id);
  const page = await browser.open(url, phone);
  await drive(running, await storedOrder(running, id), 'refer');
  await page.locator('[data-stage="notYet"]').waitFor();
  await operate(running, id, 'request-information', { items: ['purpose'] });
  await page.locator('textarea').fill('School fees of my daughter.');
  await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
  await page.locator('main [data-newer] a').click();
  await page.locator('[data-stage="cancelling"], [data-stage="cancelled"]').waitFor();
  // Leaving the page ends what it follows.
  expectQuiet(page, { except: [`failed: ${url}/live net::ERR_ABORTED`] });
});
