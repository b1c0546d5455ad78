/** A person at a browser: fills in the fields of a page by their names, whatever the language of the page. */
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  type AccessibilityRules,
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  screenshot,
  takesScreenshots,
} from '../harness/browser.js';
import type { StepAnswers } from '../kyc/people.js';
import { fieldsOf, photograph } from '../kyc-form/visiting.js';

export type Place = Page | Frame;

export const phone = { width: 360, height: 740, hasTouch: true } as const;
export const desk = { width: 1280, height: 900 } as const;

export async function fillIn(place: Place, { raw }: StepAnswers): Promise<void> {
  for (const [name, value] of Object.entries(fieldsOf(raw))) {
    const field = place.locator(`[name="${name}"]`).first();
    const kind = await field.evaluate((element) => (element as HTMLInputElement).type);
    if (kind === 'radio') await place.locator(`[name="${name}"][value="${value}"]`).check({ force: true });
    else if (kind === 'select-one') await field.selectOption(value);
    else await field.fill(value);
  }
}

async function addPhotos(
  place: Place,
  { documents }: StepAnswers,
  options: { withoutScripts?: boolean; photo?: Buffer } = {},
): Promise<void> {
  for (const question of documents) {
    const buffer = options.photo ?? (await photograph(question));
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
    await place.locator(`[id="${question}"]`).setInputFiles(file);
    if (options.withoutScripts) continue;
    await place.locator(`[data-question="${question}"] [data-received] img`).waitFor();
  }
}

export const mainButton = (place: Place) => place.locator('form button.main');

/** To the page of the step: the last part of the address. */
export async function expectAt(place: Place, part: string): Promise<void> {
  await place.waitForURL(new RegExp(`/${part}(\\?.*)?$`));
}

/** Each step and the end, from the page of the first one on. */
export async function complete(
  place: Place,
  steps: readonly StepAnswers[],
  options: { withoutScripts?: boolean; onPage?: (name: string) => Promise<void> } = {},
): Promise<void> {
  const onPage = options.onPage ?? (async () => {});
  for (const [index, step] of steps.entries()) {
    await onPage(step.step.id);
    await fillIn(place, step);
    await addPhotos(place, step, options);
    await mainButton(place).click();
    await expectAt(place, steps[index + 1]?.step.id ?? 'check');
  }
  await onPage('check');
  await place.locator('#consent').check({ force: true });
  await mainButton(place).click();
  await place.waitForURL(/\/kyc\/status\/[\w-]{49}/);
  await onPage('status');
}

/** Nothing that a page must not do, and nothing that somebody could not read or use. */
export async function expectGood(
  page: Page,
  except: readonly string[] = [],
  rules: AccessibilityRules = 'all',
): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, rules);
  expectQuiet(page, { except });
}

/** A picture of the whole page. The browser's own option for that would turn touch off while the picture is taken. */
export async function lookAt(page: Page, name: string): Promise<void> {
  if (!takesScreenshots) return;
  const before = page.viewportSize() ?? desk;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: before.width, height: Math.max(height, before.height) });
  await screenshot(page, `kyc-${name}`);
  await page.setViewportSize(before);
}

async function heading(place: Place): Promise<string> {
  return (await place.locator('h1').first().textContent()) ?? '';
}

/** Chromium writes every answer of an error into its console. */
export function answered(status: number, words: string): string {
  return `console: Failed to load resource: the server responded with a status of ${status} (${words})`;
}

export function expectHeading(place: Place, text: string): Promise<void> {
  return expect.poll(() => heading(place), { timeout: 30_000 }).toBe(text);
}
