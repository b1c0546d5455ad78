/**
 * A real browser for tests: one per worker, a fresh page per test, and a record of everything that a page must not do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { TestService } from './service.js';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Starting a process for each context took a tenth of the time of these tests.
  '--renderer-process-limit=1',
];
/** A busy machine draws a page slowly; the limit is for what never comes. */
const patienceMs = 180_000;
const screens = fileURLToPath(new URL('../../test-output/screens', import.meta.url));
const finder = new URL('../../scripts/browser.mjs', import.meta.url).href;

export interface View {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: 'light' | 'dark';
  /** A phone: fingers instead of a mouse. */
  readonly hasTouch?: boolean;
  readonly withoutScripts?: boolean;
  /** What the browser asks for. */
  readonly language?: string;
  /** Further origins that the page may speak to. */
  readonly origins?: readonly string[];
}

export interface TestBrowser {
  /** Opens the address in a page of its own, which is closed after the test. */
  open(url: string, view?: View): Promise<Page>;
}

/** `running` is the service whose pages the file opens. */
export function useBrowser(running: Pick<TestService, 'service'>): TestBrowser {
  vi.setConfig({ testTimeout: patienceMs });
  let browser: Browser | undefined;
  const contexts = new Map<string, BrowserContext>();
  const pages: Page[] = [];

  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  beforeEach((test) => {
    if (!browser) test.skip('there is no browser');
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
    for (const context of contexts.values()) {
      await context.clearCookies();
      await context.setOffline(false);
    }
  });
  afterAll(async () => {
    await Promise.all([...contexts.values()].map((context) => context.close()));
    for (const storage of storages) storage.disable();
  });

  /**
   * The tests of a file share a context for each kind of view. An empty page on the same site stays open in it, because
   * Chromium keeps a process for each site that is open, and starting it anew takes half of the time of a test.
   */
  async function contextFor(view: View): Promise<BrowserContext> {
    if (!browser) throw new Error('there is no browser');
    const { colorScheme = 'light', hasTouch = false, language = 'en', withoutScripts = false } = view;
    // A key pressed during a transition between two pages ends it, and Chromium calls that an error of the page.
    const options = {
      reducedMotion: 'reduce' as const,
      colorScheme,
      hasTouch,
      isMobile: hasTouch,
      locale: language,
      javaScriptEnabled: !withoutScripts,
    };
    const key = JSON.stringify(options);
    const known = contexts.get(key);
    if (known) return known;
    const context = await browser.newContext(options);
    contexts.set(key, context);
    context.setDefaultTimeout(patienceMs / 2);
    await (await context.newPage()).goto(`${running.service.url}/livez`);
    return context;
  }

  return {
    async open(url, view = { width: 1280, height: 900 }) {
      const page = await (await contextFor(view)).newPage();
      pages.push(page);
      await page.setViewportSize({ width: view.width, height: view.height });
      await record(page, [new URL(url).origin, ...(view.origins ?? [])]);
      await page.goto(url);
      return page;
    },
  };
}

/**
 * Where Playwright keeps track of its calls. While such a storage is enabled, Node observes every promise of the
 * process, which would slow down the test files that come next by a fortieth.
 */
const storages = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...given: Parameters<typeof run>) {
  storages.add(this);
  return run.apply(this, given);
} as typeof run;

let launching: Promise<Browser | undefined> | undefined;

/** All test files of a worker share this module, and with it the browser, which ends with the worker. */
async function sharedBrowser(): Promise<Browser | undefined> {
  const browser = await launching;
  if (launching === undefined || browser?.isConnected() === false) launching = launch();
  return launching;
}

async function launch(): Promise<Browser | undefined> {
  const executablePath = await browserPath();
  return executablePath ? chromium.launch({ executablePath, args: flags }) : undefined;
}

/** `npm test` has looked for one, and passes an empty name when there is none. */
export async function browserPath(): Promise<string | undefined> {
  const given = process.env.REMESA_BROWSER;
  const found = given === undefined ? await findBrowser() : given;
  if (found) return found;
  const message = 'NO BROWSER: the browser tests cannot run. Install Chromium, or name it in CHROMIUM_PATH.';
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return undefined;
}

async function findBrowser(): Promise<string | undefined> {
  const scripts = (await import(finder)) as { findBrowser: () => Promise<string | undefined> };
  return scripts.findBrowser();
}

const noises = new WeakMap<Page, string[]>();

async function record(page: Page, origins: readonly string[]): Promise<void> {
  const noise: string[] = [];
  noises.set(page, noise);
  page.on('console', (message) => {
    if (message.type() === 'error') noise.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => noise.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!origins.includes(url.origin) && /^(https?|wss?):$/.test(url.protocol)) noise.push(`other origin: ${url.href}`);
  });
  await page.exposeFunction('reportViolation', (violation: string) => noise.push(`policy: ${violation}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
       reportViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
}

/** No error, no failed request, nothing that the page's policy had to stop, no word to another origin. */
export function expectQuiet(page: Page, options: { except?: readonly string[] } = {}): void {
  const noise = noises.get(page)?.filter((each) => !options.except?.includes(each));
  expect(noise).toEqual([]);
}

/** Switches an open page between light and dark, and waits until no colour is on its way to another one. */
export async function switchScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
       .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
       .then(() => undefined)`,
  );
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const tooWide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(tooWide, 'pixels beyond the right edge').toBe(0);
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs work while each list to choose from has three entries only. All entries are alike, and axe takes ten times as
 * long on a page with four lists of countries.
 */
const shortenLists = `(async (work) => {
  const lists = [...document.querySelectorAll('select')].map((list) => ({
    list,
    entries: [...list.childNodes],
    chosen: list.selectedIndex,
  }));
  for (const { list, chosen } of lists)
    list.replaceChildren(...[...list.options].filter((_, index) => index < 2 || index === chosen));
  try {
    return await work();
  } finally {
    for (const { list, entries, chosen } of lists) {
      list.replaceChildren(...entries);
      list.selectedIndex = chosen;
    }
  }
})`;

/** `colours`: only the rules about them, for a page that is looked at once more in other colours. */
export type AccessibilityRules = 'all' | 'colours';

export async function expectAccessible(page: Page, rules: AccessibilityRules = 'all'): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  // What passed is not described, which would take longer than finding out.
  const runOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  const options = { resultTypes: ['violations'], ...(rules === 'colours' ? { runOnly } : {}) };
  const violations = await page.evaluate<string[]>(
    `${shortenLists}(() => axe.run(${JSON.stringify(options)})).then(({ violations }) =>
       violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ': ' + help + ' (' + target + ')')))`,
  );
  expect(violations).toEqual([]);
}

/** Pictures are for people to look at, so that a run makes them only on request; git does not see their folder. */
export const takesScreenshots = process.env.SCREENSHOTS === 'yes';

export async function screenshot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (takesScreenshots) await page.screenshot({ path: `${screens}/${name}.png`, ...options });
}
