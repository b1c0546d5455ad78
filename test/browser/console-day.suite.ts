/**
 * A working day of two operators in a browser: what they click for each job. The figures stand in docs/console.md,
 * beside the requests that the same job takes over the API.
 */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
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
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { submitted, withKycVerbs } from '../kyc/kyc-service.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { placed, sender } from '../orders/orders.js';
import { movement, record, usePayInAccounts } from '../payments/payments.js';

const running = useRemesa({
  hasRates: true,
  settings: { FOUR_EYES: 'corridor.save', PAYOUT_RAILS: 'manual=bank_account/MXN,sandbox=cash_pickup/MXN' },
});
usePayInAccounts(running);
const kyc = withKycVerbs(running);
const browser = useBrowser(running);
const desk = { width: 1440, height: 900 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 360, height: 740 };
/** As long as a name may be. */
const arabic = 'عبد الرحمن بن محمد بن عبد العزيز آل الشيخ الأنصاري '.repeat(4).slice(0, 95).trim();
const mrz = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';

beforeAll(async () => {
  await openBankAccounts(running, 'bank:MXN:main');
  await newOperator(running.service.database, 'ana', 'admin');
  await newOperator(running.service.database, 'ben', 'admin');
});

/** A drawing that looks like what it stands for. */
async function picture(question: string): Promise<Buffer> {
  const face = '<circle cx="150" cy="170" r="70" fill="#b98"/><path d="M60 330a90 90 0 0 1 180 0z" fill="#567"/>';
  const lines = [90, 140, 190, 240].map((y) => `<rect x="300" y="${y}" width="300" height="18" fill="#9ab"/>`).join('');
  const drawn =
    question === 'selfiePhoto'
      ? `<svg width="400" height="520"><rect width="400" height="520" fill="#dde5ec"/>${face}</svg>`
      : `<svg width="700" height="450"><rect width="700" height="450" rx="24" fill="#e8dcc4"/>${face}${lines}` +
        `<text x="40" y="410" font-size="26" font-family="monospace">P&lt;UTOERIKSSON&lt;&lt;ANNA&lt;MARIA&lt;&lt;&lt;</text></svg>`;
  return sharp(Buffer.from(drawn)).png().toBuffer();
}

async function signedIn(login: string): Promise<Page> {
  const page = await browser.open(`${running.service.url}/console`, desk);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Work');
  return page;
}

function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function expectReadable(page: Page, name: string): Promise<void> {
  for (const [screen, scheme] of [
    [phone, 'light'],
    [tablet, 'light'],
    [desk, 'dark'],
    [desk, 'light'],
  ] as const) {
    await page.setViewportSize(screen);
    await switchScheme(page, scheme);
    await screenshot(page, `day-${name}-${screen.width}-${scheme}`, { fullPage: true });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  await switchScheme(page, 'dark');
  await expectAccessible(page, 'colours');
  await switchScheme(page, 'light');
}

/** Counts the clicks of a job in the page itself, whatever they do. */
class Clicks {
  readonly figures = new Map<string, number>();

  async of(
    page: Page,
    job: string,
    work: (click: (target: ReturnType<Page['locator']>) => Promise<void>) => Promise<void>,
  ) {
    let clicks = 0;
    await work(async (target) => {
      clicks += 1;
      await target.click();
    });
    this.figures.set(job, clicks);
    expectQuiet(page);
  }
}

const day = new Clicks();

describe('the day', () => {
  it('decides two KYC cases one after the other, with the documents in sight', async () => {
    const answers = { documentMrz: mrz, lastName: arabic };
    const first = await submitted(kyc, { level: 'LEVEL_2', picture }, { answers });
    const second = await submitted(kyc, { level: 'LEVEL_2', picture });
    const page = await signedIn('ana');
    await day.of(page, 'KYC case with two pictures', async (click) => {
      await click(
        page
          .getByRole('row', { name: /kyc review/ })
          .getByRole('link', { name: 'Open' })
          .first(),
      );
      await heading(page, 'KYC case');
      await page.getByText('differs').first().waitFor();
      await page.getByRole('button', { name: 'Larger: Document front' }).click();
      await page.getByRole('button', { name: 'Turn: Document front' }).click();
      await expectReadable(page, 'kyc');
      const form = page.locator('#do-decideKycCase-request');
      await click(form.getByLabel('Document front'));
      await click(form.getByLabel('blurry'));
      await form.getByLabel('Internal reason').fill('The zone is of another document.');
      await click(form.getByRole('button', { name: 'Ask the user again' }));
      await page.getByText('This is the next one.').waitFor();
    });
    expect(page.url()).toContain(second.caseId);
    const { json } = await running.api.get(`/operator/kyc/${first.caseId}`, { token: running.reviewer });
    expect([json.status, json.requestedParts]).toEqual(['ACTION_REQUIRED', ['documentFront']]);
    const approve = page.locator('#do-decideKycCase-approve');
    await approve.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No other one waits for you.').waitFor();
    expectQuiet(page);
  });

  it('reads a hit, dismisses it, and sees the person', async () => {
    const profile = { firstName: 'Iris', lastName: 'Blockwell' };
    const listed = { ...profile, dateOfBirth: '1970-01-31' };
    const { user } = await submitted(kyc, {}, { profile, answers: listed });
    const page = await signedIn('ana');
    await day.of(page, 'Screening hit', async (click) => {
      await click(
        page
          .getByRole('row', { name: /screening hit/ })
          .getByRole('link', { name: 'Open' })
          .first(),
      );
      await heading(page, 'Screening hit');
      await expectReadable(page, 'hit');
      const form = page.locator('#do-dismissScreeningHit');
      await form.getByLabel('Note').fill('Another birth date and another face.');
      await form.getByLabel('Your password').fill(password);
      await click(form.getByRole('button'));
      await page.getByText('Done: Dismiss').waitFor();
    });
    await page.goto(`${running.service.url}/console/users/${user.id}?merchant=acme`);
    await heading(page, 'Person');
    const form = page.locator('#do-writeUserNote-note');
    await form.getByLabel('Note').fill(arabic);
    await form.getByRole('button', { name: 'Write the note' }).click();
    await page.getByText('Done: Note something').waitFor();
    await page.getByText(arabic.slice(0, 20)).first().waitFor();
    await expectReadable(page, 'person');
  });

  it('pays an order out by hand: copies each line, says so first, and records what the bank booked', async () => {
    const order = await placed(running, await sender(running));
    await record(running, movement({ amount: 100, remittanceText: order.payIn.reference }));
    const ready = () =>
      running.api
        .get('/operator/payouts?waitsFor=instruction', { token: running.viewer })
        .then(({ json }) => json.find((payout: { orderId: string }) => payout.orderId === order.id)?.id);
    const id = await eventually(ready, { what: 'a payout to make' });
    const page = await signedIn('ana');
    await day.of(page, 'Payout by hand', async (click) => {
      await click(page.getByRole('link', { name: 'To pay by hand' }));
      await expectReadable(page, 'payouts');
      await click(page.locator('a.row').first());
      await heading(page, 'Payout');
      await page.getByText('032180000118359719').waitFor();
      await expectReadable(page, 'payout');
      const instruct = page.locator('#do-recordPayoutSubmitted-submitted');
      await instruct.getByLabel('Your password').fill(password);
      await click(instruct.getByRole('button'));
      await page.getByText('I instruct the bank now.').waitFor();
      const paid = page.locator('#do-recordPayoutPaid-paid');
      await paid.getByLabel('Bank reference').fill('20261119-1');
      await paid.getByLabel('Booked').fill(new Date().toISOString().slice(0, 10));
      await paid.getByLabel('Bank', { exact: true }).fill('main');
      await paid.getByLabel('Your password').fill(password);
      await click(paid.getByRole('button'));
      await page.getByText('Done: Record that the money was paid').waitFor();
    });
    const { json } = await running.api.get(`/operator/payouts/${id}`, { token: running.reviewer });
    expect(json.state).toBe('PAID');
    await page.goto(`${running.service.url}/console/orders/${order.id}`);
    await heading(page, 'Order');
    await expectReadable(page, 'order');
    await page.emulateMedia({ media: 'print' });
    await screenshot(page, 'day-order-print', { fullPage: true });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    expectQuiet(page);
  });

  it.each(['health', 'sandbox', 'rates', 'do/bookTreasuryEntry', 'do/bookTreasuryEntry?as=trade', 'merchants/acme'])(
    'shows in one look: %s',
    async (path) => {
      const page = await signedIn('ben');
      await page.goto(`${running.service.url}/console/${path}`);
      await expectReadable(page, path.replaceAll(/\W+/g, '-'));
      expectQuiet(page);
    },
  );

  it('took no more clicks than the guide says', () => {
    expect(Object.fromEntries(day.figures)).toEqual({
      'KYC case with two pictures': 4,
      'Screening hit': 2,
      'Payout by hand': 4,
    });
  });
});
