/**
 * Every state in which a form, a case or a link can be, on a phone: it says so, looks right, and anybody can read it.
 */
import { describe, expect, it } from 'vitest';
import { switchScheme, useBrowser } from '../harness/browser.js';
import { merchantWithToken } from '../harness/users.js';
import { caseOf, decide, moveClock, newLink, rejection, runJob, submitted, useKycService } from '../kyc/kyc-service.js';
import { fillInSteps, newApplicant, newFormAddress, send } from '../kyc-form/visiting.js';
import { answered, expectGood, expectHeading, lookAt, phone } from './kyc-form.js';
import { closeSitesAfterAll, merchantSite } from './kyc-merchant.js';

const kyc = useKycService();
const browser = useBrowser(kyc);
closeSitesAfterAll();

const request = {
  decision: 'request',
  parts: ['selfie'],
  publicReasons: ['blurry', 'mismatch'],
  internalReason: 'A thumb.',
} as const;
const final = { ...rejection, final: true } as const;
const revocation = { decision: 'revoke', publicReason: 'COMPLIANCE', internalReason: 'A list.' } as const;
const approval = { decision: 'approve' } as const;

/** In light and in dark. */
async function expectShown(address: string, name: string, heading: string, except: readonly string[] = []) {
  const page = await browser.open(address, phone);
  await expectHeading(page, heading);
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchScheme(page, colorScheme);
    await lookAt(page, `state-${name}-${colorScheme}`);
    await expectGood(page, except, colorScheme === 'light' ? 'all' : 'colours');
  }
}

describe('the status page', () => {
  it.each([
    ['IN_REVIEW', [], 'We have received your answers'],
    ['APPROVED', [approval], 'You are verified'],
    ['REJECTED', [rejection], 'We could not verify you'],
    ['ACTION_REQUIRED', [request], 'We need something from you again'],
    ['REVOKED', [approval, revocation], 'Your verification is no longer valid'],
  ] as const)('shows a case that is %s', async (state, decisions, heading) => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    for (const decision of decisions) expect((await decide(kyc, caseId, decision)).status).toBe(200);
    expect((await caseOf(kyc, caseId)).status).toBe(state);
    await expectShown(`${kyc.service.url}/kyc/status/${statusToken}`, state, heading);
  });

  it('is PENDING for a case that has begun again after a rejection', async () => {
    const { user, caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, rejection);
    await newLink(kyc, user, { level: 'LEVEL_2' });
    await expectShown(`${kyc.service.url}/kyc/status/${statusToken}`, 'PENDING', 'Not sent yet');
  });

  it('is EXPIRED for a case whose approval has run out', async () => {
    const merchant = await merchantWithToken(kyc, 'years-ahead');
    const { caseId, statusToken } = await submitted(kyc, {}, { merchant });
    await moveClock(kyc, merchant, '25 months');
    await runJob(kyc, 'kyc.expire');
    expect((await caseOf(kyc, caseId, merchant)).status).toBe('EXPIRED');
    const address = `${kyc.service.url}/kyc/status/${statusToken}`;
    await expectShown(address, 'EXPIRED', 'Your verification has expired');
  });

  it('tells that a link does not work when there is no such page', async () => {
    const address = `${kyc.service.url}/kyc/status/${'B'.repeat(43)}`;
    await expectShown(address, 'unknown', 'This link does not work', [answered(404, 'Not Found')]);
  });
});

describe('the contract’s document', () => {
  it.each([
    ['held', [approval], 'You are already verified'],
    ['refused', [final], 'We cannot verify you'],
    ['waiting', [], 'This form has already been sent'],
    ['asked-again', [request], 'A photo of you'],
  ] as const)('shows a case that is %s', async (name, decisions, heading) => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    for (const decision of decisions) expect((await decide(kyc, caseId, decision)).status).toBe(200);
    const site = await merchantSite(kyc, { user, level: 'LEVEL_2', zone: 'EEA' });
    await expectShown(`${site.origin}/form`, `document-${name}`, heading);
  });

  it('shows a form that was begun, and one in which everything is answered', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const site = await merchantSite(kyc, applicant);
    await expectShown(`${site.origin}/form`, 'document-begun', 'About you');
    await fillInSteps(await newFormAddress(kyc, applicant), applicant);
    await expectShown(`${site.origin}/form`, 'document-answered', 'You have answered everything');
  });
});

describe('a failure', () => {
  it('is shown for an address that is none', async () => {
    const address = `${kyc.service.url}/kyc/form/%00`;
    await expectShown(address, 'unreadable', 'That could not be read', [answered(400, 'Bad Request')]);
  });

  it('is shown after too many tries', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const address = await newFormAddress(kyc, applicant);
    await Promise.all(Array.from({ length: 60 }, () => send(`${address}/person`, {})));
    const page = await browser.open(`${address}/person`, phone);
    await page.locator('form button.main').click();
    await expectHeading(page, 'Too many attempts');
    await lookAt(page, 'state-too-many');
    await expectGood(page, [answered(429, 'Too Many Requests')]);
  });
});

it('the page of answers, sent without consent, says what is missing', async () => {
  const applicant = await newApplicant(kyc, 'LEVEL_2', 'LATAM');
  const check = await fillInSteps(await newFormAddress(kyc, applicant), applicant);
  const page = await browser.open(check, phone);
  await page.locator('form button.main').click();
  await page.locator('.summary').waitFor();
  await lookAt(page, 'state-no-consent');
  await expectGood(page, [answered(422, 'Unprocessable Entity')]);
});
