import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  switchScheme,
  useBrowser,
} from '../harness/browser.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRoutes, plainTokens } from '../rooms/notes.js';

const rooms = () => ({ routes: notesRoutes(), jobs: [], authenticator: plainTokens });
const running = useService(useTestDatabase(), { rooms });
const browser = useBrowser(running);
const phone = { width: 360, height: 740 };
const desk = { width: 1280, height: 900 };
// A validator inside Scalar tries whether it may compile code, and does without when it may not.
const except = ['policy: script-src eval'];

/** Every combination of screen and scheme is looked at once. For axe only the colours differ between the schemes. */
async function expectReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchScheme(page, colorScheme);
    for (const screen of [phone, desk]) {
      await page.setViewportSize(screen);
      await screenshot(page, `${name}-${screen.width}-${colorScheme}`, { fullPage: true });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize(colorScheme === 'light' ? phone : desk);
    await expectAccessible(page, colorScheme === 'light' ? 'all' : 'colours');
  }
  expectQuiet(page);
}

/** Scalar is a large program, and a busy machine takes its time to read it. */
const drawnWithinMs = 120_000;

describe('the page that sends requests', () => {
  it('shows an operation by its address on a desk and on a dark phone, in silence and without a word to another origin', async () => {
    const page = await browser.open(`${running.service.url}/docs/try#tag/notes/POST/notes`, desk);
    const operation = page.locator('h3', { hasText: /^\s*Keep a note\s*$/ }).first();
    await operation.waitFor({ state: 'visible', timeout: drawnWithinMs });
    await screenshot(page, 'docs');
    const introduction = page.locator('h1, h2, h3', { hasText: 'Which user a call is about' }).first();
    await introduction.scrollIntoViewIfNeeded();
    await introduction.waitFor({ state: 'visible' });
    await screenshot(page, 'docs-introduction');
    await switchScheme(page, 'dark');
    await page.setViewportSize(phone);
    await operation.waitFor({ state: 'visible', timeout: drawnWithinMs });
    await screenshot(page, 'docs-a-dark-phone');
    await expectNoSidewaysScroll(page);
    // Requests that the page sends after its start count too, so wait until it has nothing left to do.
    await page.evaluate('new Promise((idle) => requestIdleCallback(() => idle(), { timeout: 10_000 }))');
    expectQuiet(page, { except });
  }, 240_000);

  it('is not where the root leads a browser: that is the start page', async () => {
    // Where it leads shows without Scalar, which takes seconds to start.
    const page = await browser.open(running.service.url, { ...desk, withoutScripts: true });
    expect(page.url()).toBe(`${running.service.url}/docs`);
  });
});

describe.each(['', '/api', '/api/notes', '/search?q=note', '/changelog'])('the page /docs%s', (path) => {
  it('fits, is accessible and silent on a phone and on a desk, in light and in dark', async () => {
    const page = await browser.open(`${running.service.url}/docs${path}`, phone);
    await expectReadable(page, `docs${path.replaceAll(/\W/g, '-')}`);
  });
});

it('the reference shows the examples in the language that the reader chooses, without a script', async () => {
  const page = await browser.open(`${running.service.url}/docs/api/notes`, { ...desk, withoutScripts: true });
  const shown = () => page.locator('pre:visible').evaluateAll((all) => all.map((each) => each.className));
  expect(new Set(await shown())).toEqual(new Set(['lang-sh', 'lang-json']));
  await page.getByLabel('Python').check();
  expect(new Set(await shown())).toEqual(new Set(['lang-python', 'lang-json']));
});

describe.each(['kyc-form', 'webhooks', 'webhook-code'])('the guide %s', (guide) => {
  it('fits, is accessible and silent on a phone and on a desk, in light and in dark', async () => {
    const page = await browser.open(`${running.service.url}/docs/guides/${guide}`, phone);
    await expectReadable(page, `guide-${guide}`);
  });
});

describe('the page of errors', () => {
  it('fits, is accessible and silent on a phone and on a desk, in light and in dark', async () => {
    const page = await browser.open(`${running.service.url}/docs/errors`, phone);
    await expectReadable(page, 'errors');
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
