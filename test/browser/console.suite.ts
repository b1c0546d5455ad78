/** A working day in the console, by two operators, in a browser. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newOperator, password } from '../harness/access.js';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  switchScheme,
  useBrowser,
} from '../harness/browser.js';
import { useRemesa } from '../harness/remesa.js';
import { placed, sender } from '../orders/orders.js';
import { movement, record, usePayInAccounts } from '../payments/payments.js';

const running = useRemesa({ hasRates: true, settings: { FOUR_EYES: 'corridor.save,suspense.match' } });
usePayInAccounts(running);
const browser = useBrowser(running);
const desk = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };
/** Long, from right to left, and as hostile as a payer can be. */
const payer = 'عبد الرحمن بن محمد الأنصاري "><img src=x onerror=alert(1)>';

beforeAll(async () => {
  await newOperator(running.service.database, 'ana', 'admin');
  await newOperator(running.service.database, 'ben', 'admin');
});

async function signedIn(login: string, view = desk): Promise<Page> {
  const page = await browser.open(`${running.service.url}/console`, view);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Work');
  return page;
}

function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Both sizes in the light, and the desk in the dark. */
async function expectReadable(page: Page, name: string): Promise<void> {
  for (const [screen, scheme] of [
    [phone, 'light'],
    [desk, 'dark'],
    [desk, 'light'],
  ] as const) {
    await page.setViewportSize(screen);
    await switchScheme(page, scheme);
    await screenshot(page, `console-${name}-${screen.width}-${scheme}`, { fullPage: true });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  await switchScheme(page, 'dark');
  await expectAccessible(page, 'colours');
  await switchScheme(page, 'light');
}

describe('a working day', () => {
  it('takes a payment without a reference to its order: one operator matches it, the other reads the request and approves it', async () => {
    const order = await placed(running, await sender(running));
    await record(running, movement({ amount: 100, payer: { name: payer }, remittanceText: 'for mother' }));
    const page = await signedIn('ana');
    await expectReadable(page, 'work');
    await page
      .getByRole('row', { name: /suspense/ })
      .getByRole('link')
      .first()
      .click();
    await heading(page, 'Money in suspense');
    await expectReadable(page, 'suspense');
    await page.getByRole('link', { name: 'Match money in suspense to an order' }).click();
    await page.getByLabel('Order', { exact: true }).fill(order.id);
    await page.getByLabel('Note').fill('The sender called.');
    await page.getByLabel('Your password').fill(password);
    await expectReadable(page, 'match');
    await page.getByRole('button', { name: 'Match money' }).click();
    await page.getByText('Nothing has changed yet').waitFor();
    expectQuiet(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Remesa console' }).waitFor();
    await expectReadable(page, 'sign-in');

    const second = await signedIn('ben');
    await second.getByRole('link', { name: 'Approvals 1' }).click();
    await heading(second, 'Approvals');
    await expectReadable(second, 'approvals');
    await second.locator('a.row').click();
    await second.getByText('The sender called.').waitFor();
    await expectReadable(second, 'approval');
    const form = second.locator('#do-approveRequest');
    await form.getByLabel('Your password').fill(password);
    await form.getByRole('button', { name: 'Approve: Match money in suspense to an order' }).click();
    await second.getByText('Done: Approve').waitFor();
    await second.getByRole('searchbox').fill(order.id);
    await second.getByRole('searchbox').press('Enter');
    await heading(second, 'Order');
    expect(await second.getByRole('definition').allTextContents()).toContain('100.00 USD');
    await expectReadable(second, 'order');
    expectQuiet(second);
  });
});

describe('a screen', () => {
  it.each(['rates', 'commands', 'account', 'account/second-factor', 'do/pausePayouts'])(
    'can be read on a phone and on a desk, in the light and in the dark: %s',
    async (path) => {
      const page = await signedIn('ana');
      await page.goto(`${running.service.url}/console/${path}`);
      await expectReadable(page, path.replaceAll(/\W+/g, '-'));
      expectQuiet(page);
    },
  );

  it('is found, walked and left by keyboard', async () => {
    const page = await signedIn('ana');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await heading(page, 'Orders');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'Order');
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('search');
    await page.keyboard.press('Tab');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expectQuiet(page);
  });
});
