/** What somebody types is text, wherever it is shown again: nothing of it ever runs. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { requirementsOf } from '../../src/kyc/cases/requirements.js';
import { expectQuiet, useBrowser } from '../harness/browser.js';
import { rounds } from '../harness/rounds.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import {
  type Applicant,
  fieldsOf,
  filesOf,
  look,
  newApplicant,
  newFormAddress,
  type Shown,
  send,
} from '../kyc-form/visiting.js';
import { answered, desk, lookAt, mainButton } from './kyc-form.js';

const kyc = useKycService();
const browser = useBrowser(kyc);

const payloads = [
  `<script>pwned('script')</script>`,
  `"><img src=x onerror=pwned('img')>`,
  `'><svg onload=pwned('svg')>`,
  `</textarea><script>pwned('textarea')</script>`,
  `</title></style><script>pwned('style')</script>`,
  `" autofocus onfocus="pwned('focus')`,
  `javascript:pwned('address')`,
  `{{merchant}} $t(frame.back) \${pwned('template')}`,
  `--><script>pwned('comment')</script><!--`,
  `]]><script>pwned('cdata')</script>`,
  `\u2028<script>pwned('line')</script>`,
];

/** Whatever calls `pwned` is noted; the page has no policy of ours to protect it. */
async function barePage(): Promise<{ page: Page; ran: string[] }> {
  const page = await browser.open('about:blank', desk);
  return { page, ran: await watch(page) };
}

/** One below the other: what breaks out of one page runs all the same, and drawing each by itself takes four times. */
function draw(page: Page, pages: readonly Shown[]): Promise<void> {
  return page.setContent(pages.map(({ html }) => html).join('\n'), { waitUntil: 'domcontentloaded' });
}

async function watch(page: Page): Promise<string[]> {
  const ran: string[] = [];
  await page.exposeFunction('pwned', (what: string) => ran.push(what));
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    dialog.dismiss().catch(() => {});
  });
  return ran;
}

/** The next of those that a step takes, cut where an answer may be no longer. */
const payloadOf = (index: number, atMost: number) => (payloads[index % 8] ?? '').slice(0, atMost);

/** Every name that a form of the step may have, boxes of dates too. */
function namesOf(applicant: Applicant): Map<string, string[]> {
  const steps = requirementsOf(applicant.level, applicant.zone);
  return new Map(
    steps.map(({ id, questions }) => [
      id,
      questions.flatMap((question) =>
        question.kind === 'date' ? ['day', 'month', 'year'].map((box) => `${question.id}-${box}`) : [question.id],
      ),
    ]),
  );
}

it('what does run is seen, also below another page', async () => {
  const { page, ran } = await barePage();
  const whole = await look(`${kyc.service.url}/kyc/form/none`);
  for (const payload of payloads.slice(0, 3)) {
    const broken = { ...whole, html: whole.html.replace('</main>', `${payload}</main>`) };
    await draw(page, [whole, broken]);
  }
  await expect.poll(() => ran).toEqual(['script', 'img', 'svg']);
});

describe('in every field of every step', () => {
  it('nothing runs when the page comes back with its faults, even without a policy', async () => {
    const { page, ran } = await barePage();
    for (const zone of rounds(['US', 'MENA'] as const, ['US', 'LATAM', 'MENA'] as const)) {
      const applicant = await newApplicant(kyc, 'LEVEL_3', zone);
      const address = await newFormAddress(kyc, applicant);
      for (const [step, names] of namesOf(applicant)) {
        const fields = Object.fromEntries(names.map((name, index) => [name, payloads[index % payloads.length] ?? '']));
        const answers = [];
        for (const lang of ['en', 'ar']) answers.push(await send(`${address}/${step}?lang=${lang}`, fields));
        await draw(
          page,
          answers.filter(({ status }) => status === 422),
        );
        expect(await page.locator('img[src="x"], svg[onload], [onfocus], [onerror]').count()).toBe(0);
      }
    }
    expect(ran).toEqual([]);
  });

  it('nothing runs when it is typed in, said to be wrong, and shown again by the script', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_3', 'LATAM');
    const address = await newFormAddress(kyc, applicant);
    const page = await browser.open(address, desk);
    const ran = await watch(page);
    for (const { step } of applicant.steps) {
      await page.goto(`${address}/${step.id}`);
      const fields = page.locator('input[type="text"], input[type="tel"], textarea');
      for (const [index, field] of (await fields.all()).entries()) {
        if (await field.isVisible()) await field.fill(payloads[index % payloads.length] ?? '');
      }
      // An answer that is not on the list, so that the page comes back.
      await page.evaluate((value) => {
        for (const option of document.querySelectorAll<HTMLInputElement>('option, [type="radio"]'))
          option.value = value;
        for (const chosen of document.querySelectorAll<HTMLInputElement>('[type="radio"]')) chosen.checked = true;
      }, payloads[1] ?? '');
      await mainButton(page).click();
      await page.locator('.summary').waitFor();
      expect(await page.locator('img[src="x"], svg[onload], [onfocus], [onerror]').count()).toBe(0);
    }
    expectQuiet(page, { except: [answered(422, 'Unprocessable Entity')] });
    expect(ran).toEqual([]);
  });

  it('nothing runs where all answers are shown, on the status page, or for an operator', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_3', 'EEA', { sourceOfFunds: 'other' });
    const address = await newFormAddress(kyc, applicant);
    const free = new Set([
      'firstName',
      'middleName',
      'lastName',
      'placeOfBirth',
      'address',
      'city',
      'stateProvince',
      'occupation',
      'fundsExplanation',
    ]);
    let next = 0;
    for (const step of applicant.steps) {
      const raw = Object.fromEntries(
        Object.entries(step.raw).map(([name, value]) => [name, free.has(name) ? payloadOf(next++, 100) : value]),
      );
      const answer = await send(`${address}/${step.step.id}`, fieldsOf(raw), await filesOf(step));
      expect([answer.status, step.step.id]).toEqual([303, step.step.id]);
    }
    const page = await browser.open(`${address}/check`, desk);
    const ran = await watch(page);
    expect(await page.locator('main').textContent()).toContain(`<script>pwned('script')</script>`);
    await lookAt(page, 'hostile');
    for (const { step } of applicant.steps) await page.goto(`${address}/${step.id}`);
    const bare = await barePage();
    await bare.page.setContent((await look(`${address}/check`)).html);
    const sent = await send(`${address}/check`, { consent: 'yes' });
    await page.goto(sent.leadsTo);
    expectQuiet(page);
    const { rows } = await kyc.sql.query('SELECT case_id FROM kyc_cases WHERE user_id = $1', [applicant.user.id]);
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${kyc.reviewer}` });
    const shown = await page.goto(`${kyc.service.url}/operator/kyc/${rows[0].case_id}`);
    expect(shown?.status()).toBe(200);
    expect(shown?.headers()['content-type']).toBe('application/json; charset=utf-8');
    expect(await page.locator('body').textContent()).toContain('pwned(');
    expect([...ran, ...bare.ran]).toEqual([]);
  });
});

describe('from elsewhere', () => {
  it('neither an address, a language nor a merchant’s name makes anything run', async () => {
    const branding = {
      displayName: payloads[0],
      supportUrl: 'https://x.example/"><script>pwned(1)</script>',
    };
    await kyc.sql.query('UPDATE merchants SET branding = $2 WHERE merchant_id = $1', [
      kyc.acme.merchant,
      JSON.stringify(branding),
    ]);
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const address = await newFormAddress(kyc, applicant);
    const { statusToken } = await submitted(kyc);
    const status = `${kyc.service.url}/kyc/status/${statusToken}`;
    const { page, ran } = await barePage();
    for (const payload of payloads) {
      const text = encodeURIComponent(payload);
      const { url } = kyc.service;
      const shown = [
        await look(`${address}/person?lang=${text}`),
        await look(`${status}?lang=${text}`),
        await look(`${url}/kyc/form/${text}`),
        await look(`${url}/kyc/form/${text}/${text}?lang=ar`),
        await look(`${url}/kyc/status/${text}`, { 'accept-language': payload.replaceAll(/[^ -~]/g, '') }),
        await send(`${url}/kyc/form`, { token: payload, step: payload, lang: payload }),
      ];
      await draw(page, shown);
    }
    const real = await browser.open(`${kyc.service.url}/kyc/form/${encodeURIComponent(payloads[1] ?? '')}`, desk);
    expectQuiet(real, { except: [answered(404, 'Not Found')] });
    expect(ran).toEqual([]);
  });
});
