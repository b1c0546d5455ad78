import { expect, it } from 'vitest';
import type { Locale } from '../../src/locale.js';
import type { OrderEvent } from '../../src/orders/order/order-events.js';
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
import { rounds } from '../harness/rounds.js';
import type { MadeUser } from '../harness/users.js';
import { lupita, operate, orderJobNames, placed, sender } from '../orders/orders.js';
import { drive, paidOrder, storedOrder } from '../orders/paid.js';
import { newLink, visit } from '../transfer-page/links.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const browser = useBrowser(running);
const phone = { width: 360, height: 780 };
/** What axe looks at, other than colours, is the same on every screen. */
const views = [
  ['phone', phone, 'light', 'all'],
  ['tablet', { width: 768, height: 1024 }, 'dark', 'colours'],
  ['desk', { width: 1280, height: 900 }, 'light', rounds(undefined, 'all')],
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

async function invited(by?: MadeUser): Promise<string> {
  const body = { country: 'MX', currency: 'MXN', method: 'bank_account' };
  const path = `/beneficiaries/invitations?userId=${(by ?? (await sender(running))).id}`;
  return done(await running.api.post(path, { token: running.acme.token, body })).url;
}

const cash = { ...lupita, method: 'cash_pickup', account: { phoneNumber: '+525512345678' } };
const moved = async (...events: OrderEvent[]) => linkTo((await drive(running, await paid(), ...events)).orderId);

async function paidInPart(amount: number, daysLate = 0): Promise<string> {
  const { id, rateGuaranteedUntil } = await placed(running, await sender(running));
  const bookedAt = new Date(Date.parse(rateGuaranteedUntil) + daysLate * 86_400_000).toISOString();
  const body = { orderId: id, amount, ...(daysLate > 0 && { bookedAt }) };
  done(await running.api.post('/sandbox/payments', { token: running.acme.token, body }));
  return linkTo(id);
}

async function tracked(): Promise<string> {
  const user = await sender(running);
  const url = await invited(user);
  const { firstName, lastName } = lupita;
  const address = { 'address.town': 'Guadalajara', 'address.country': 'MX' };
  const fields = { firstName, lastName, ...address, 'account.clabe': lupita.account.clabe };
  await visit(url, { method: 'POST', body: new URLSearchParams(fields) });
  const path = `/beneficiaries?userId=${user.id}`;
  const [{ id: beneficiaryId }] = done(await running.api.get(path, { token: running.acme.token }));
  const body = { beneficiary: undefined, beneficiaryId };
  for (const last of [['complete'], []] as const)
    await drive(running, await paidOrder(running, user, { body }), 'convert', 'submit_payout', ...last);
  return url;
}

async function withdrawn(): Promise<string> {
  const id = await unpaid();
  const link = await newLink(running, id);
  await running.api.call('DELETE', `/orders/${id}/links/${link.id}`, { token: running.acme.token });
  return link.url;
}

type Case = readonly [name: string, language: Locale, open: () => Promise<string>];
const collecting = async () => {
  const order = await paidOrder(running, await sender(running), { body: { beneficiary: cash } });
  return linkTo((await drive(running, order, 'convert', 'submit_payout')).orderId);
};

/** Every stage, and every other page. In the usual run a few of them, in all languages together. */
const cases: readonly Case[] = [
  ['pay', 'en', async () => linkTo(await unpaid())],
  ['pay', 'ar', async () => linkTo(await unpaid())],
  ['pay', 'hi', async () => linkTo(await unpaid())],
  ['pay', 'ur', async () => linkTo(await unpaid())],
  ['answer', 'es', asked],
  ['choose', 'tl', () => paidInPart(40, 4)],
  ['payRest', 'pt', () => paidInPart(40)],
  ['collect', 'ar', collecting],
  ['tracking', 'hi', tracked],
  ['invitation', 'ur', () => invited()],
  ['recipient', 'ar', async () => linkTo(await unpaid(), '/recipient')],
  ['cancel', 'en', async () => linkTo(await unpaid(), '/cancel')],
];
const furtherCases: readonly Case[] = [
  ['preparing', 'en', async () => linkTo((await paid()).orderId)],
  ['preparing', 'ur', async () => linkTo((await paid()).orderId)],
  ['sent', 'fr', () => moved('convert', 'submit_payout')],
  ['arrived', 'es', () => moved('convert', 'submit_payout', 'complete')],
  ['arrived', 'hi', () => moved('convert', 'submit_payout', 'complete')],
  ['delayed', 'tl', () => moved('convert', 'submit_payout', 'fail_payout')],
  ['refunding', 'pt', () => moved('cancel_and_refund')],
  ['refunded', 'ar', () => moved('cancel_and_refund', 'settle_refund')],
  [
    'expired',
    'en',
    async () => linkTo((await drive(running, await storedOrder(running, await unpaid()), 'expire')).orderId),
  ],
  [
    'cancelled',
    'fr',
    async () => linkTo((await drive(running, await storedOrder(running, await unpaid()), 'cancel')).orderId),
  ],
  ['invitation', 'es', () => invited()],
  ['closed', 'ur', withdrawn],
];

it.each(rounds(cases, [...cases, ...furtherCases]))(
  'the page %s fits, is accessible and silent on every screen (%s)',
  async (name, language, open) => {
    const page = await browser.open(`${await open()}?lang=${language}`, phone);
    expect(await page.locator('h1').count()).toBe(1);
    for (const [screen, size, scheme, rules] of views) {
      await page.setViewportSize(size);
      await switchScheme(page, scheme);
      await screenshot(page, `transfer-${name}-${language}-${screen}-${scheme}`, { fullPage: true });
      await expectNoSidewaysScroll(page);
      if (rules) await expectAccessible(page, rules);
    }
    expectQuiet(page);
  },
);

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

it('a person without a script pays, looks again, and cancels', async () => {
  const url = await linkTo(await unpaid());
  const page = await browser.open(url, { ...phone, withoutScripts: true });
  expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
  await page.getByRole('heading', { name: 'How to pay' }).waitFor();
  await page.getByRole('link', { name: 'Cancel the transfer' }).click();
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await page.locator('[data-stage="cancelled"]').waitFor();
});

it('a person comes to the pick-up code and back by keyboard alone', async () => {
  const page = await browser.open(await collecting(), phone);
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 40 && (await focused()) !== name; steps += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe(name);
    await page.keyboard.press('Enter');
  };
  await tabTo('Show the code');
  await page.getByRole('heading', { name: 'Pick-up code' }).waitFor();
  await tabTo('Hide the code');
  await page.locator('[data-stage="collect"]').waitFor();
});

it('the page that says how to pay fits on one sheet of paper', async () => {
  const page = await browser.open(await linkTo(await unpaid()), { width: 1280, height: 900 });
  await page.emulateMedia({ media: 'print' });
  await screenshot(page, 'transfer-pay-print', { fullPage: true });
  const paper = await page.pdf({ format: 'A4' });
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

it('the page of a recipient asks for itself again, and shows what was sent meanwhile', async () => {
  const page = await browser.open(`${running.service.url}/livez`, phone);
  // It asks every 15 seconds. Here time runs faster.
  await page.addInitScript('const { setInterval: real } = window; setInterval = (ask, ms) => real(ask, ms / 30)');
  await page.goto(await tracked());
  await page.evaluate("document.body.dataset.version = 'older'; document.querySelector('.tracked').remove()");
  await page.locator('.tracked').nth(1).waitFor();
  expectQuiet(page);
});
