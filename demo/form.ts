/** The user fills in the KYC form: in a real browser where there is one, otherwise over HTTP as a browser would. */
import type { Browser, Page } from 'playwright-core';
import { DemoFailed } from './client.js';
import type { Screen } from './screen.js';

export type FormAnswers = Readonly<Record<string, string>>;

/** Returns the path of a browser; undefined when there is none. */
export type FindBrowser = () => Promise<string | undefined>;

const patienceMs = 60_000;
const betweenLooksMs = 200;
const manyPages = 10;

/** Fills in page after page until the form is submitted. */
export async function fillInForm(
  screen: Screen,
  address: string,
  answers: FormAnswers,
  findBrowser: FindBrowser,
): Promise<void> {
  const executablePath = await findBrowser();
  const browser = executablePath === undefined ? undefined : await launch(executablePath);
  if (browser) {
    screen.note('A real browser fills in the form, on a screen as small as a phone’s:');
    screen.options.signal.addEventListener('abort', () => void browser.close().catch(() => {}));
    await byBrowser(screen, browser, address, answers).finally(() => browser.close());
  } else {
    screen.note('There is no browser, so the form is filled in over HTTP, as it works without scripts:');
    await overHttp(screen, address, answers);
  }
}

async function launch(executablePath: string): Promise<Browser | undefined> {
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  // The demo handles signals itself.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ executablePath, args, ...signals }).catch(() => undefined);
}

async function byBrowser(screen: Screen, browser: Browser, address: string, answers: FormAnswers): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  page.setDefaultTimeout(patienceMs);
  await page.goto(address);
  for (let pages = 0; pages < manyPages; pages += 1) {
    const at = page.url();
    if (at.includes('/kyc/status/')) await untilDecided(screen, page);
    const heading = (await page.locator('h1').first().textContent())?.trim() ?? '';
    screen.note(`· ${heading}`, 2);
    if (at.includes('/kyc/status/')) return;
    await fillInPage(page, answers);
    await Promise.all([page.waitForURL((url) => url.href !== at), page.locator('form button.main').click()]);
  }
  throw new DemoFailed('The form does not end.');
}

/** The page of the status loads itself again until the case is decided. */
async function untilDecided(screen: Screen, page: Page): Promise<void> {
  const waiting = page.locator('meta[http-equiv="refresh"]');
  for (const until = Date.now() + patienceMs; (await waiting.count()) > 0 && Date.now() < until; ) {
    await screen.wait(betweenLooksMs);
    await page.reload();
  }
}

async function fillInPage(page: Page, answers: FormAnswers): Promise<void> {
  for (const [name, value] of Object.entries(answers)) {
    const field = page.locator(`[name="${name}"]`).first();
    if ((await field.count()) === 0) continue;
    const kind = await field.evaluate((element) => (element as { type?: string }).type);
    if (kind === 'hidden') continue;
    if (kind === 'radio') await page.locator(`[name="${name}"][value="${value}"]`).check({ force: true });
    else if (kind === 'checkbox') await field.check({ force: true });
    else if (kind === 'select-one') await field.selectOption(value);
    else await field.fill(value);
  }
}

async function overHttp(screen: Screen, address: string, answers: FormAnswers): Promise<void> {
  let at = await leadsTo(address, await fetch(address, { redirect: 'manual' }));
  for (let pages = 0; pages < manyPages; pages += 1) {
    const html = await pageAt(screen, at);
    screen.note(`· ${headingOf(html)}`, 2);
    if (at.includes('/kyc/status/')) return;
    const asked = Object.entries(answers).filter(([name]) => html.includes(`name="${name}"`));
    const body = new URLSearchParams(Object.fromEntries(asked));
    at = await leadsTo(at, await fetch(at, { method: 'POST', body, redirect: 'manual' }));
  }
  throw new DemoFailed('The form does not end.');
}

/** The page of the status is read again until the case is decided. */
async function pageAt(screen: Screen, address: string): Promise<string> {
  for (const until = Date.now() + patienceMs; ; await screen.wait(betweenLooksMs)) {
    const html = await (await fetch(address)).text();
    if (!html.includes('http-equiv="refresh"') || Date.now() > until) return html;
  }
}

async function leadsTo(from: string, response: Response): Promise<string> {
  const location = response.headers.get('location');
  await response.arrayBuffer();
  if (location === null) throw new DemoFailed(`The form did not accept ${new URL(from).pathname}.`);
  return new URL(location, from).href;
}

function headingOf(html: string): string {
  return (/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim();
}
