/** A working day in the console, by two operators, in a browser. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newOperator, password } from '../harness/access.js';
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
import { placed, sender } from '../orders/orders.js';
import { accountTerms, movement, record, usePayInAccounts } from '../payments/payments.js';

const running = useRemesa({ hasRates: true, settings: { FOUR_EYES: 'all' } });
const browser = useBrowser(running);
const desk = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

// biome-ignore lint/suspicious/noExplicitAny: the order as JSON.
let order: any;

beforeAll(async () => {
  await newOperator(running.service.database, 'ana', 'admin');
  await newOperator(running.service.database, 'ben', 'admin');
});

async function signedIn(login: string, view = desk): Promise<Page> {
  const page = await browser.open(`${running.service.url}/console`, view);
  if (page.url().includes('/sign-in')) {
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  return page;
}

describe('the console', () => {
  it('shows', async () => {
    const user = await sender(running);
    order = await placed(running, user);
    const problems: string[] = [];
    const page = await signedIn('ana');
    await screenshot(page, 'console-work', { fullPage: true });
    for (const name of [
      'orders',
      `orders/${order.id}`,
      'suspense',
      'corridors?isOpen=true',
      'rates',
      'merchants',
      'audit',
      'operators',
      'account',
      'commands',
      'ledger/trial-balance',
      'do/pausePayouts',
      'do/saveCorridor?fiatIn=USD&fiatOut=MXN',
      'payments',
      'account/second-factor',
      'orders/nothing',
      'search?q=100',
    ]) {
      await page.goto(`${running.service.url}/console/${name}`);

      await expectNoSidewaysScroll(page).catch((e) => problems.push(`${name} ${JSON.stringify(e.actual ?? e.message)}`));
      await expectAccessible(page).catch((e) => problems.push(`${name} ${JSON.stringify(e.actual ?? e.message)}`));
    }
    console.log(problems.join('\n'));
    expectQuiet(page);
  });
});
