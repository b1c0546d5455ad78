// `npm run pictures` takes the pictures of the README anew. It needs a sandbox that runs in this folder: `npm start`.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallBrowser } from './browser.mjs';
import { fail, root, setUp } from './setup.mjs';

setUp();
// Loaded after the installation.
const { register } = await import('tsx/esm/api');
register();
const { chromium } = await import('playwright-core');
const { Remesa } = await import('../packages/client/src/index.ts');

const url = process.env.REMESA_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
const remesa = new Remesa({ url, clientId: 'demo', clientSecret: 'demo-secret' });
const phone = { width: 390, height: 800 };
const desk = { width: 1440, height: 900 };
const folder = join(root, 'docs', 'pictures');
const answers = {
  ...{ firstName: 'Ana', lastName: 'Reyes', placeOfBirth: 'Sevilla', 'dateOfBirth-day': '14' },
  ...{ 'dateOfBirth-month': '6', 'dateOfBirth-year': '1988' },
};

const executablePath = await findOrInstallBrowser();
if (!executablePath) fail('There is no browser to take pictures with.');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const sender = await newSender();
  await pictureOfForm(sender);
  const order = await newOrder(sender);
  const { url: page } = await remesa.orders.createLink(order.id, {});
  await take('transfer-page', await open(page, phone));
  await remesa.sandbox.pay({ orderId: order.id });
  await completed(order.id);
  await take('console', await consoleAt(`/console/orders/${order.id}`));
} finally {
  await browser.close();
}

async function newSender() {
  const name = { firstName: 'Ana', lastName: 'Reyes', email: 'ana@example.com' };
  const address = { address: '12 Calle del Sol', city: 'Valencia', stateProvince: 'Valencia' };
  const { id } = await remesa.users.create({ ...name, ...address, countryCode: 'ES', postalCode: '46001' });
  return remesa.asUser(id);
}

async function pictureOfForm(sender) {
  const { url: address } = await sender.kyc.createLink({ kycLevel: 'LEVEL_1', zone: 'EEA' });
  const page = await open(address, phone);
  for (const [name, value] of Object.entries(answers)) await page.locator(`[name="${name}"]`).first().fill(value);
  await take('form', page);
}

async function newOrder(sender) {
  await sender.sandbox.grantKycLevel({ kycLevel: 'LEVEL_1' });
  const { code } = await remesa.rates.create({ fiatIn: 'EUR', fiatOut: 'MXN', amountIn: 100 });
  const recipient = { type: 'person', firstName: 'Guadalupe', lastName: 'Ortega Ruiz' };
  const at = { address: { town: 'Guadalajara', country: 'MX' }, account: { clabe: '032180000118359719' } };
  const beneficiary = { country: 'MX', currency: 'MXN', method: 'bank_account', ...recipient, ...at };
  return sender.orders.create({ rateCode: code, beneficiary, purpose: 'family_support' });
}

async function completed(id) {
  while ((await remesa.orders.get(id)).status !== 'COMPLETED') await new Promise((resolve) => setTimeout(resolve, 100));
}

async function consoleAt(path) {
  const login = 'ana';
  const made = ['create', 'set-password'].map((verb) =>
    spawnSync(join(root, 'bin', 'remesa'), ['operator', verb, login], { cwd: root, encoding: 'utf8' }),
  );
  const password = made.at(-1)?.stdout.trim().split(/\s/).at(-1) ?? '';
  const page = await open(`${url}/console`, desk);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await page.goto(`${url}${path}`);
  return page;
}

async function open(address, viewport) {
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1.5, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

async function take(name, page) {
  // Filling a field has scrolled to it.
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/pictures/${name}.png`);
}
