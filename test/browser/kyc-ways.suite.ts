/** The ways in which people come to the form, leave it, and come back. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectQuiet, useBrowser } from '../harness/browser.js';
import { caseOf, decide, eventTypes, submitted, useKycService } from '../kyc/kyc-service.js';
import { fieldsOf, fillInSteps, newApplicant, newFormAddress, photograph } from '../kyc-form/visiting.js';
import {
  answered,
  complete,
  desk,
  expectAt,
  expectGood,
  expectHeading,
  fillIn,
  lookAt,
  mainButton,
  phone,
} from './kyc-form.js';
import { allowFraming, closeSitesAfterAll, merchantSite } from './kyc-merchant.js';

const kyc = useKycService();
const browser = useBrowser(kyc);
closeSitesAfterAll();

describe('by keyboard alone', () => {
  it('LEVEL_2 is filled in and sent', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA');
    const page = await browser.open(await newFormAddress(kyc, applicant), desk);
    for (const step of applicant.steps) {
      for (const [name, value] of Object.entries(fieldsOf(step.raw))) await typeInto(page, name, value);
      for (const question of step.documents) {
        const chooser = page.waitForEvent('filechooser');
        await tabTo(page, question);
        await page.keyboard.press('Enter');
        const file = { name: 'p.jpg', mimeType: 'image/jpeg', buffer: await photograph(question) };
        await (await chooser).setFiles(file);
        await page.locator(`[data-question="${question}"] [data-received] img`).waitFor();
      }
      const before = page.url();
      await tabTo(page, 'button.main');
      await expectVisibleFocus(page);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.href !== before);
    }
    await expectAt(page, 'check');
    await tabTo(page, 'consent');
    await page.keyboard.press('Space');
    await tabTo(page, 'button.main');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/kyc\/status\//);
    expectQuiet(page);
  });

  it('a fault is where the reader is led first, and leads to its field', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'US');
    const page = await browser.open(await newFormAddress(kyc, applicant), phone);
    await page.locator('#firstName').fill('');
    await mainButton(page).click();
    await page.locator('.summary').waitFor();
    expect(await page.title()).toBe('Error: About you – The merchant acme');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('summary');
    await lookAt(page, 'phone-faults');
    await expectGood(page, [answered(422, 'Unprocessable Entity')]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('firstName');
  });

  async function typeInto(page: Page, name: string, value: string): Promise<void> {
    const kind = await tabTo(page, name);
    // A list of countries is found by the first letters of a name, as everywhere.
    if (kind === 'select-one') await page.keyboard.type('Austria');
    else if (kind === 'radio') await page.keyboard.press('Space');
    else {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(value);
    }
  }

  /** Forwards, as often as it takes; answers what kind of field it is. */
  async function tabTo(page: Page, wanted: string): Promise<string> {
    for (let presses = 0; presses < 60; presses += 1) {
      const [at, kind] = await page.evaluate(() => {
        const { name, type, tagName, className } = document.activeElement as HTMLInputElement;
        return [tagName === 'BUTTON' ? `button.${className}` : name, type];
      });
      if (at === wanted) return kind ?? '';
      await page.keyboard.press('Tab');
    }
    throw new Error(`no way to ${wanted} by keyboard`);
  }

  async function expectVisibleFocus(page: Page): Promise<void> {
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineWidth);
    expect(outline).toBe('3px');
  }
});

describe('the contract’s document', () => {
  it('is filled in and sent from a frame on the merchant’s site', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA');
    const site = await merchantSite(kyc, applicant);
    await allowFraming(kyc, [site.origin]);
    const page = await browser.open(site.origin, { ...desk, origins: [kyc.service.url] });
    await page.locator('iframe').waitFor();
    const frame = page.frames()[1];
    if (!frame) throw new Error('no frame');
    await frame.locator('h1').waitFor();
    await lookAt(page, 'embedded');
    await complete(frame, applicant.steps);
    expect(page.url()).toBe(`${site.origin}/`);
    await lookAt(page, 'embedded-end');
    expectQuiet(page);
    await allowFraming(kyc, []);
  });

  it('takes the whole window on a site that is not registered, where nobody else can draw over it', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const site = await merchantSite(kyc, applicant);
    const page = await browser.open(site.origin, { ...desk, origins: [kyc.service.url] });
    const frame = page.frames()[1];
    if (!frame) throw new Error('no frame');
    await frame.locator('h1').waitFor();
    const [person] = applicant.steps;
    if (person) await fillIn(frame, person);
    await mainButton(frame).click();
    await expectAt(page, 'address');
    expect(new URL(page.url()).origin).toBe(kyc.service.url);
    expectQuiet(page);
  });

  it('lets its pages be framed by registered origins only, and not by a sandboxed page of one', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const framed = await newFormAddress(kyc, applicant);
    const site = await merchantSite(kyc, applicant);
    const other = await merchantSite(kyc, applicant);
    await allowFraming(kyc, [site.origin]);
    const shownBy = async (address: string) => {
      const page = await browser.open(`${address}?frame=${framed}`, { ...desk, origins: [kyc.service.url] });
      const fields = await page.frames()[1]?.locator('#firstName').count();
      return fields === 1 ? 'the form' : 'nothing';
    };
    expect(await shownBy(`${site.origin}/framing`)).toBe('the form');
    expect(await shownBy(`${other.origin}/framing`)).toBe('nothing');
    expect(await shownBy(`${site.origin}/sandboxed`)).toBe('nothing');
    await allowFraming(kyc, []);
    expect(await shownBy(`${site.origin}/framing`)).toBe('nothing');
  });

  it('looks right when it is handed on as it is, needs no script and nothing from anywhere', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_3', 'LATAM');
    const site = await merchantSite(kyc, applicant);
    const page = await browser.open(`${site.origin}/form`, phone);
    await lookAt(page, 'document');
    await expectGood(page);
    expect(await page.locator('script').count()).toBe(0);
    expect(site.visited).toEqual(['/form']);
  });

  it('is turned into another language by a button', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const site = await merchantSite(kyc, applicant);
    const page = await browser.open(`${site.origin}/form`, { ...phone, origins: [kyc.service.url] });
    await page.locator('.languages summary').click();
    await page.getByRole('button', { name: 'العربية' }).click();
    await expectHeading(page, 'عنك');
    expectQuiet(page);
  });
});

describe('going on', () => {
  it('takes a fresh link on another device, and everything saved is there', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const first = await browser.open(await newFormAddress(kyc, applicant), phone);
    const [person, address] = applicant.steps;
    if (!person || !address) throw new Error('no steps');
    await fillIn(first, person);
    await mainButton(first).click();
    await expectAt(first, 'address');
    const second = await browser.open(await newFormAddress(kyc, applicant), desk);
    await expectAt(second, 'address');
    await second.locator('.back').click();
    await expectAt(second, 'person');
    expect(await second.locator('#placeOfBirth').inputValue()).toBe('Some placeOfBirth');
    await mainButton(second).click();
    await expectAt(second, 'address');
    await complete(second, [address]);
    await first.reload();
    await expectHeading(first, 'This form has already been sent');
    await lookAt(first, 'phone-sent-already');
    await expectGood(first);
  });

  it('is done in two tabs at once: one sends it, the other is told', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const check = await fillInSteps(await newFormAddress(kyc, applicant), applicant);
    const tabs = [await browser.open(check, desk), await browser.open(check, phone)];
    for (const tab of tabs) await tab.locator('#consent').check({ force: true });
    await Promise.all(tabs.map((tab) => mainButton(tab).click()));
    const headings = async () => Promise.all(tabs.map(async (tab) => tab.locator('h1').textContent()));
    await expect
      .poll(async () => (await headings()).sort(), { timeout: 30_000 })
      .toEqual(['This form has already been sent', 'You are verified']);
    const { rows } = await kyc.sql.query('SELECT case_id FROM kyc_cases WHERE user_id = $1', [applicant.user.id]);
    expect(await eventTypes(kyc, rows[0].case_id)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
  });

  it('is not possible after the link has run out, and the page says what to do', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const page = await browser.open(await newFormAddress(kyc, applicant), phone);
    const [person] = applicant.steps;
    if (person) await fillIn(page, person);
    await kyc.sql.query(
      `UPDATE kyc_capabilities SET expires_at = clock_timestamp() - interval '1 second' WHERE user_id = $1`,
      [applicant.user.id],
    );
    await mainButton(page).click();
    await expectHeading(page, 'This link has expired');
    await lookAt(page, 'phone-expired');
    await expectGood(page, [answered(410, 'Gone')]);
  });

  it('asks only for what was asked for again', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_3' });
    const answer = await decide(kyc, caseId, {
      decision: 'request',
      publicReasons: ['blurry', 'expired_document'],
      internalReason: 'Not readable.',
      parts: ['selfie', 'proofOfAddress'],
    });
    expect(answer.status).toBe(200);
    const address = await newFormAddress(kyc, { user, level: 'LEVEL_3', zone: 'EEA' });
    const page = await browser.open(address, phone);
    await expectAt(page, 'selfie');
    await lookAt(page, 'phone-asked-again');
    await expectGood(page);
    expect(await page.locator('.note.attention li').count()).toBe(2);
    expect(await page.locator('.reason p').count()).toBe(1);
    const { steps } = await newApplicant(kyc, 'LEVEL_3', 'EEA');
    await complete(
      page,
      steps.filter(({ step }) => ['selfie', 'proofOfAddress'].includes(step.id)),
    );
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
  });

  it('back to the merchant, who is told by the address that something was sent', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'GB');
    const site = await merchantSite(kyc, applicant);
    const redirectUrl = `${site.origin}/thanks?order=7`;
    const check = await fillInSteps(await newFormAddress(kyc, applicant, { redirectUrl }), applicant);
    const page = await browser.open(check, { ...phone, origins: [site.origin] });
    await complete(page, []);
    await lookAt(page, 'phone-end');
    await expectGood(page);
    await page.getByRole('link', { name: 'Back to The merchant acme' }).click();
    await page.waitForURL(`${site.origin}/**`);
    expect(site.visited[0]).toMatch(/^\/thanks\?order=7&status=submitted&caseId=kyc_[0-9A-Z]{26}$/);
    expect(await page.evaluate(() => document.referrer)).toBe('');
  });
});
