/** Somebody who has never seen the service follows the guide of operators, from an empty database to the receipt. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { buildRemesa, builtProgram, serveRemesa } from '../commands/remesa.js';
import { setUpFactor, Visitor } from '../console/pages.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { Terminal } from '../harness/terminal.js';
import { readText } from '../house/repository.js';
import { rightAnswers } from '../kyc/people.js';
import { fillInSteps, send } from '../kyc-form/visiting.js';
import { inventedPeople, writeOfac } from '../screening/list-files.js';

const published = 'https://pay.example.com';
const folder = mkdtempSync(join(tmpdir(), 'remesa-first-transfer-'));
let stopServer = async () => {};
beforeAll(buildRemesa, 120_000);
afterAll(async () => {
  await stopServer();
  rmSync(folder, { recursive: true, force: true });
});

/** The server of the tests is not durable, and live mode refuses that. */
async function durableDatabase(): Promise<string> {
  const dataDirectory = join(folder, 'server');
  await copyNewCluster(dataDirectory);
  const server = await startEmbeddedPostgres({ dataDirectory, say: () => {} });
  stopServer = () => server.stop();
  return server.connectionString;
}

/** The commands of the guide, block by block. */
function blocksOf(guide: string): string[] {
  return [...readText(guide).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trimEnd());
}

/** The settings that the guide names, with values of this machine. */
function settingsOf(block: string, databaseUrl: string): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    MODE: 'live',
    BASE_URL: published,
    DATABASE_URL: databaseUrl,
    MASTER_KEY_FILE: join(folder, 'master-key'),
    SCREENING_LISTS: `ofac:${join(folder, 'ofac')}`,
    TRUST_PROXY: 'true',
    METRICS_TOKEN_FILE: join(folder, 'metrics-token'),
  };
  const names = block.split('\n').map((line) => line.split('=', 1)[0] ?? '');
  expect(names).toEqual(Object.keys(values));
  // No source of rates can be reached from a test.
  return { ...values, RATE_SOURCES: `file=${join(folder, 'rates.csv')}`, DATA_DIR: join(folder, 'data') };
}

/** Each line that is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the service, which the test examines.
function answersOf(printed: string): any[] {
  return printed.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [JSON.parse(line)] : []));
}

async function fillInForm(url: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const luisa = { firstName: 'Luisa', lastName: 'Gil Romero', countryCode: 'ES' };
  const steps = rightAnswers('LEVEL_2', 'EEA', today, luisa);
  const applicant = { user: { id: 0, externalClientId: '' }, level: 'LEVEL_2', zone: 'EEA', steps } as const;
  const check = await fillInSteps(url, applicant);
  expect((await send(check, { consent: 'yes' })).status).toBe(303);
}

it('the guide leads two operators from an empty live database to a completed order and its receipt', {
  timeout: 300_000,
}, async () => {
  writeFileSync(join(folder, 'master-key'), testMasterKey);
  writeFileSync(join(folder, 'metrics-token'), 'of-the-test-'.repeat(4));
  writeOfac(join(folder, 'ofac'), inventedPeople);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(
    join(folder, 'rates.csv'),
    `base,publishedAt,currency,rate\nEUR,${today},MXN,20.5\nEUR,${today},USD,1.16\n`,
  );
  const [settings = '', setUp = '', serve = '', ...rest] = blocksOf('docs/first-transfer.md');
  const environment = settingsOf(settings, await durableDatabase());
  const terminal = new Terminal(environment);
  const secrets = secretsOf(await terminal.paste(setUp));
  expect(serve).toBe('./bin/remesa serve');
  const service = await serveRemesa(environment, builtProgram);
  try {
    const [logIn, ...steps] = rest.map((block) => block.replaceAll(published, service.url));
    const [anas = '', bens = '', acmes = ''] = secrets;
    const codes = [await withFactor(service.url, 'ana', anas), await withFactor(service.url, 'ben', bens)];
    await terminal.paste(logIn ?? '', [anas, codes[0] ?? '', bens, codes[1] ?? '', acmes]);
    const outputs: string[] = [];
    for (const block of steps) {
      // The guide gives whole seconds: a balance of the second of the payment would be one from before it.
      if (block.includes('bank-balances')) await secondPassed();
      outputs.push(await terminal.paste(block));
      // A refusal is found where it happens, not in a loop that then waits for ever.
      const refusals = answersOf(outputs.at(-1) ?? '').filter(({ code }) => code !== undefined);
      expect([block, refusals]).toEqual([block, []]);
      const form = outputs.at(-1)?.match(/https:\/\/pay\.example\.com\/kyc\/form\/[\w-]+/)?.[0];
      if (form) await fillInForm(form.replace(published, service.url));
    }
    const answers = answersOf(outputs.join('\n'));
    const [order, receipt, euros, pesos] = answers.slice(-4);
    expect(order).toMatchObject({ status: 'COMPLETED', amountIn: 250, amountReceived: 250, fee: 2.25 });
    expect(receipt).toMatchObject({
      ...{ orderId: order.id, merchant: 'Acme Transfers', status: 'COMPLETED', amountOut: order.amountOut },
      ...{ sender: { name: 'Luisa Gil Romero' }, beneficiary: { name: 'Guadalupe Ortega Ruiz' } },
    });
    expect(euros).toMatchObject({ account: 'bank:EUR:main-eur', ledgerBalance: '250.00' });
    expect(pesos).toMatchObject({ account: 'bank:MXN:main-mxn', ledgerBalance: '44959.42' });
    for (const { statement } of [euros, pesos]) expect(statement.unexplained).toBe('0.00');
  } catch (error) {
    throw new Error(`${await ordersOf(environment)}\n${service.output().stdout}`, { cause: error });
  } finally {
    expect(await service.stop()).toBe(0);
    await terminal.close();
  }
});

/** An admin of a live instance gets no token before a second factor is set up in the console. Returns the next code. */
async function withFactor(url: string, login: string, password: string): Promise<string> {
  const body = JSON.stringify({ login, password });
  const refused = await fetch(`${url}/operator/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'second_factor_not_set']);
  const browser = new Visitor(
    () => url,
    () => published,
  );
  await browser.signIn(login, password);
  return setUpFactor(browser, password);
}

async function secondPassed(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1000);
  const before = second();
  await eventually(() => second() > before);
}

/** Where the transfer stopped, for a loop of the guide that waits for ever. */
async function ordersOf({ DATABASE_URL }: Record<string, string>): Promise<string> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } = await client.query('SELECT to_jsonb(orders) AS "order" FROM orders');
  await client.end();
  return JSON.stringify(rows, null, 2);
}

/** What `operator create` and `merchant create` print: two passwords, and the client with its secret. */
function secretsOf(printed: string): string[] {
  const [passwords = '', client = ''] = printed.split(/^(?={)/m);
  return [...passwords.split('\n').filter((line) => line !== ''), JSON.parse(client).clientSecret];
}
