/** Whatever the merchant's colours are, and however small the screen or large the letters: it can be read and used. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoSidewaysScroll, expectQuiet, switchScheme, useBrowser } from '../harness/browser.js';
import { rounds } from '../harness/rounds.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import { fieldsOf, fillInSteps, newApplicant, newFormAddress, send } from '../kyc-form/visiting.js';
import { answered, desk, expectGood, lookAt, mainButton, phone } from './kyc-form.js';

const kyc = useKycService();
const browser = useBrowser(kyc);

const logo = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><rect width="120" height="32" rx="6" fill="#5b2a86"/>' +
    '<text x="14" y="22" font-family="sans-serif" font-size="18" font-weight="700" fill="#fff">Enviora</text></svg>',
).toString('base64')}`;

async function brand(branding: Record<string, string>): Promise<void> {
  await kyc.sql.query('UPDATE merchants SET branding = $2 WHERE merchant_id = $1', [
    kyc.acme.merchant,
    JSON.stringify(branding),
  ]);
}

async function expectGoodInBothSchemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchScheme(page, colorScheme);
    await lookAt(page, `brand-${name}-${colorScheme}`);
    const rules = colorScheme === 'light' ? 'all' : 'colours';
    await expectGood(page, [answered(422, 'Unprocessable Entity')], rules);
  }
}

type BrandedMerchant = [name: string, branding: Record<string, string>];

/** A light colour and a dark one; the tests of kyc-form compute the contrast of any. */
const merchants: BrandedMerchant[] = [
  ['yellow', { displayName: 'Sunny Money', color: '#ffe600' }],
  ['violet', { displayName: 'Enviora', color: '#5b2a86', logoUrl: logo, supportEmail: 'help@enviora.example' }],
  ...rounds([], [
    ['black', { displayName: 'Noir', color: '#000000' }],
    ['white', { displayName: 'Blanc', color: '#ffffff' }],
  ] as BrandedMerchant[]),
];

describe.each(merchants)('a merchant in %s', (name, branding) => {
  it('can be read in the light and in the dark scheme', async () => {
    await brand(branding);
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA');
    const address = await newFormAddress(kyc, applicant);
    const page = await browser.open(address, name === 'violet' ? desk : phone);
    await mainButton(page).click();
    await page.locator('.summary').waitFor();
    // A drawing without a size of its own is shown all the same.
    if (name === 'violet') expect((await page.locator('.brand img').boundingBox())?.width).toBeGreaterThan(100);
    await expectGoodInBothSchemes(page, name);
    await page.goto(`${address}/document`);
    await expectGoodInBothSchemes(page, `${name}-document`);
    await brand({});
  });
});

describe('on the smallest screen, or at four times the size', () => {
  it.each(rounds(['fr', 'ar'], ['en', 'fr', 'ar']))('nothing is cut off in %s', async (language) => {
    const applicant = await newApplicant(kyc, 'LEVEL_3', 'LATAM');
    const address = await newFormAddress(kyc, applicant);
    const check = await fillInSteps(address, applicant);
    const page = await browser.open(`${address}/person`, { width: 320, height: 256, language });
    const { statusToken } = await submitted(kyc);
    const pages = [
      ...applicant.steps.map(({ step }) => `${address}/${step.id}`),
      check,
      `${kyc.service.url}/kyc/status/${statusToken}?lang=${language}`,
    ];
    for (const each of pages) {
      await page.goto(each);
      await expectNoSidewaysScroll(page);
    }
    expectQuiet(page);
  });

  it('what is to be touched is large enough: 44 pixels', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_3', 'EEA');
    const address = await newFormAddress(kyc, applicant);
    await send(`${address}/person`, fieldsOf(applicant.steps[0]?.raw ?? {}));
    const page = await browser.open(`${address}/document`, phone);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter((element) => !element.matches('.skip') && element.getClientRects().length > 0)
        .map((element) => {
          // A radio button is touched through its label, which fills the box around it.
          const touched = element.matches('[type=radio], [type=checkbox]') ? element.closest('.choice') : element;
          return [element.outerHTML.slice(0, 60), touched?.getBoundingClientRect().height ?? 0] as const;
        })
        .filter(([, height]) => height < 44),
    );
    expect(small).toEqual([]);
  });
});

it('a link that does not work says so', async () => {
  const page = await browser.open(`${kyc.service.url}/kyc/form/none`, phone);
  await lookAt(page, 'phone-unknown');
  await expectGood(page, [answered(404, 'Not Found')]);
});
