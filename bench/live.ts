/**
 * A thousand open transfer pages on one process: what they take from quotes, by turns with and without them, and
 * whether memory stays flat. `--short` makes it quick and rough.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testMasterKey } from '../test/harness/master-key.js';
import { startChild } from './parts/child.js';
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { load, perSecond, requestText } from './parts/load.js';
import { approveUsers } from './parts/orders-fixture.js';
import { query } from './parts/users.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const seconds = isShort ? 4 : 8;
const [pages, ordersOfUser, connections, atOnce] = [1000, 8, 16, 20];
const ana = {
  ...{ firstName: 'Ana', lastName: 'Reyes Nunez', email: 'ana.reyes@example.com', address: '12 Calle del Sol' },
  ...{ city: 'Valencia', stateProvince: 'Comunitat Valenciana', countryCode: 'ES', postalCode: '46001' },
};
const lupita = {
  ...{ country: 'MX', currency: 'MXN', method: 'bank_account', type: 'person' },
  ...{ firstName: 'Guadalupe', lastName: 'Ortega Ruiz', address: { town: 'Guadalajara', country: 'MX' } },
  account: { clabe: '032180000118359719' },
};

const place = await makePlace();
const folder = mkdtempSync(join(tmpdir(), 'remesa-bench-live-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await query(place.url, 'CREATE DATABASE live');
const url = Object.assign(new URL(place.url), { pathname: '/live' }).href;
const limits = { REQUESTS_PER_MINUTE: '10000000', QUOTES_PER_MINUTE: '10000000', TOKENS_PER_MINUTE: '1000' };
const settings = { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), MASTER_KEY: testMasterKey, PORT: '0', ...limits };
const service = await startChild('quotes', [], settings, join(folder, 'live.log'));

const basic = `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`;
const form = new URLSearchParams({ grant_type: 'client_credentials' });
const answered = await fetch(`${service.url}/oauth/token`, {
  method: 'POST',
  headers: { authorization: basic },
  body: form,
});
const { access_token: token } = (await answered.json()) as { access_token: string };
const authorization = `Bearer ${token}`;

async function post(path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const asked = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };

/** The rates of a new instance come from its first collection. */
async function firstRates(): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const code = await post('/rates', asked).catch(() => undefined);
    if (code) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('there are no rates');
}

/** The addresses of pages, each of an order of its own. */
async function makePages(): Promise<string[]> {
  const users: string[] = [];
  for (let made = 0; made * ordersOfUser < pages; made += 1) users.push((await post('/user', ana)).id ?? '');
  const [merchant] = await query(url, "SELECT merchant_id FROM merchants WHERE client_id = 'demo'");
  await approveUsers({ url, merchant: Number(merchant?.merchant_id) });
  const addresses: string[] = [];
  for (let made = 0; made < pages; made += 1) {
    const { code: rateCode } = await post('/rates', asked);
    const body = { rateCode, beneficiary: lupita, purpose: 'family_support' };
    const { id } = await post(`/orders?userId=${users[made % users.length]}`, body);
    addresses.push((await post(`/orders/${id}/links`, {})).url ?? '');
  }
  return addresses;
}

/** Each on a connection of its own, as browsers have them. */
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

function open(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${address}/live`, { agent }, (answer) => {
      if (answer.statusCode === 200) resolve(answer.resume());
      else reject(new Error(`a page was answered ${answer.statusCode}`));
    }).on('error', reject);
  });
}

/** A few at a time: browsers do not come all at once, and the process refuses more than it works on. */
async function openAll(): Promise<IncomingMessage[]> {
  const opened: IncomingMessage[] = [];
  while (opened.length < addresses.length)
    opened.push(...(await Promise.all(addresses.slice(opened.length, opened.length + atOnce).map(open))));
  return opened;
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}
const megabytes = async () => (await figure('process_resident_memory_bytes')) / 1e6;

async function quotes(): Promise<number> {
  const request = requestText('POST', '/rates', { authorization }, JSON.stringify(asked));
  return perSecond(await load({ url: service.url, connections, seconds, request: () => request }));
}

await firstRates();
const addresses = await makePages();
await quotes();
const measured: { without: number; beside: number; memory: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const without = await quotes();
  const opened = await openAll();
  if ((await figure('remesa_http_live_answers')) !== pages) throw new Error('not every page is open');
  const beside = await quotes();
  if ((await figure('remesa_http_live_answers')) !== pages) throw new Error('pages were lost');
  measured.push({ without, beside, memory: await megabytes() });
  for (const page of opened) page.destroy();
  while ((await figure('remesa_http_live_answers')) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}
await service.end();
await place.end();

const of = (pick: (round: (typeof measured)[number]) => number, digits = 0) => spread(measured.map(pick), digits);
console.log(`\n${connections} clients, medians of ${rounds} rounds of ${seconds} s`);
printTable(
  ['', ''],
  [
    ['POST /rates, requests/s', of(({ without }) => without)],
    [`beside ${pages} open pages`, of(({ beside }) => beside)],
    ['memory with open pages, MB', of(({ memory }) => memory)],
  ],
);
const ratios = measured.map(({ without, beside }) => beside / without);
judge(`quotes beside ${pages} open pages: ${spread(ratios)} of without (at least 0.9)`, median(ratios) >= 0.9);
// A process that is new to load grows for some rounds.
if (!isShort) {
  const [middle, last] = [Math.floor(rounds / 2), rounds - 1].map((round) => measured[round]?.memory ?? Number.NaN);
  const growth = (last ?? Number.NaN) - (middle ?? Number.NaN);
  judge(`${growth.toFixed(0)} MB more memory after all rounds than after half of them (at most 20)`, growth <= 20);
}
