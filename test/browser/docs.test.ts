import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  useBrowser,
} from '../harness/browser.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRoutes, plainTokens } from '../rooms/notes.js';

const rooms = () => ({ routes: notesRoutes(), jobs: [], authenticator: plainTokens });
const running = useService(useTestDatabase(), { rooms });
const browser = useBrowser();
const phone = { width: 360, height: 740 };
const desk = { width: 1280, height: 900 };
// A validator inside Scalar tries whether it may compile code, and does without when it may not.
const except = ['policy: script-src eval'];

describe('the API reference', () => {
  it('shows the operations, in silence and without a word to another origin', async () => {
    const page = await browser.open(`${running.service.url}/docs`, desk);
    await page
      .getByRole('heading', { name: 'Keep a note', exact: true })
      .first()
      .waitFor({ state: 'visible' });
    await screenshot(page, 'docs');
    const operation = page.getByRole('heading', { name: 'Which user a call is about' }).first();
    await operation.scrollIntoViewIfNeeded();
    await operation.waitFor({ state: 'visible' });
    await screenshot(page, 'docs-operation');
    // Whatever a page sends later than at its start is heard too.
    await page.waitForTimeout(2_000);
    expectQuiet(page, { except });
  });

  it.each([
    ['a phone', { ...phone }],
    ['a dark desk', { ...desk, colorScheme: 'dark' as const }],
  ])('can be read on %s', async (name, view) => {
    const page = await browser.open(`${running.service.url}/docs`, view);
    await page
      .getByRole('heading', { name: 'Keep a note', exact: true })
      .first()
      .waitFor({ state: 'visible' });
    await screenshot(page, `docs-${name.replaceAll(' ', '-')}`);
    await expectNoSidewaysScroll(page);
    expectQuiet(page, { except });
  });

  it('is where the root leads a browser', async () => {
    const page = await browser.open(running.service.url, desk);
    expect(page.url()).toBe(`${running.service.url}/docs`);
  });
});

describe.each(['kyc-form', 'webhooks'])('the guide %s', (guide) => {
  it.each([
    ['360', phone],
    ['1280-dark', { ...desk, colorScheme: 'dark' as const }],
  ])('fits, is accessible and silent at %s', async (name, view) => {
    const page = await browser.open(`${running.service.url}/docs/guides/${guide}`, view);
    await screenshot(page, `guide-${guide}-${name}`, { fullPage: true });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expectQuiet(page);
  });
});

describe('the page of errors', () => {
  it.each([
    ['360', phone],
    ['1280', desk],
    ['360-dark', { ...phone, colorScheme: 'dark' as const }],
    ['1280-dark', { ...desk, colorScheme: 'dark' as const }],
  ])('fits, is accessible and silent at %s', async (name, view) => {
    const page = await browser.open(`${running.service.url}/docs/errors`, view);
    await screenshot(page, `errors-${name}`);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expectQuiet(page);
  });

  it('opens at the code that the `type` of a problem names', async () => {
    const answer = await fetch(`${running.service.url}/notes`);
    const { type } = (await answer.json()) as { type: string };
    const page = await browser.open(new URL(type, running.service.url).href, phone);
    const article = page.locator('article:target');
    expect(await article.getByRole('heading').textContent()).toBe('unauthorized');
    const box = await article.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(phone.height / 2);
    await screenshot(page, 'errors-target');
    expectQuiet(page);
  });
});
