/** The guide to rotating secrets, pasted block by block beside a running service: what it promises holds. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewSecret } from '../../src/merchants/service.js';
import { askToken, tokenOf } from '../harness/access.js';
import { Api, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { newFolder } from '../harness/new-folder.js';
import { Terminal } from '../harness/terminal.js';
import { ana } from '../harness/users.js';
import { readText } from '../house/repository.js';
import { buildRemesa, builtProgram, type ServedRemesa, serveRemesa } from './remesa.js';

const folder = newFolder();
const secrets = join(folder, 'secrets');
const settingsFile = join(folder, 'remesa.env');
const blocks = [...readText('docs/secrets.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
  block.trimEnd().replaceAll('/etc/remesa', folder),
);
/** Of this instance: what the guide expects to be there. */
const made = ['merchant create --name Acme --client-id acme', 'operator create ana'];
let service: ServedRemesa;
let terminal: Terminal;
let acme: NewSecret;

const running = () => ({ api: new Api(service.url, undefined) });
const block = (part: string): string => blocks.find((text) => text.includes(part)) ?? `echo no ${part} in the guide`;
const paste = (part: string): Promise<string> => terminal.paste(block(part));
const hasToken = async (token: string) => (await running().api.get('/merchant/secrets', { token })).status === 200;
const logsIn = async (login: string, password: string) =>
  (await running().api.post('/operator/login', { body: { login, password } })).status;
// biome-ignore lint/suspicious/noExplicitAny: what a command printed.
const printed = (text: string): any => JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

/** With the settings that the file has now. */
async function restart(): Promise<void> {
  expect(await service?.stop()).not.toBe(1);
  const lines = readFileSync(settingsFile, 'utf8').split('\n').filter(Boolean);
  const settings = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  service = await serveRemesa({ ...settings, PORT: '0' }, builtProgram);
}

beforeAll(async () => {
  buildRemesa();
  mkdirSync(secrets);
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  await copyNewCluster(join(folder, 'data'));
  writeFileSync(join(secrets, 'master-key'), testMasterKey);
  writeFileSync(join(secrets, 'metrics-token'), 'of-the-test-'.repeat(4));
  const settings = { DATA_DIR: join(folder, 'data'), TOKENS_PER_MINUTE: '10000' };
  const files = { MASTER_KEY_FILE: join(secrets, 'master-key'), METRICS_TOKEN_FILE: join(secrets, 'metrics-token') };
  const lines = Object.entries({ ...settings, ...files }).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(settingsFile, lines.join(''));
  await restart();
  terminal = new Terminal({});
  await terminal.paste(blocks[0] ?? '');
  acme = printed(await terminal.paste(`remesa ${made[0]}`));
}, 180_000);
afterAll(async () => {
  await terminal?.close();
  await service?.stop();
});

it('a merchant uses both secrets until the old ones are ended with their tokens', { timeout: 60_000 }, async () => {
  const renewed = printed(await paste('rotate-secret acme'));
  const token = await tokenOf(running(), acme);
  expect((await askToken(running(), renewed)).status).toBe(200);
  const last = printed(await paste('--end-others'));
  await eventually(async () => !(await hasToken(token)), { withinMs: 10_000 });
  expect((await askToken(running(), acme)).status).toBe(401);
  expect((await askToken(running(), renewed)).status).toBe(401);
  acme = last;
  expect((await askToken(running(), acme)).status).toBe(200);
});

it('a webhook secret is asked for twice and made once', { timeout: 60_000 }, async () => {
  const token = await tokenOf(running(), acme);
  const ask = `BASE_URL=${service.url}; TOKEN=${token}\n${block('webhook/secret/rotate')}`;
  const [first, second] = [printed(await terminal.paste(ask)), printed(await terminal.paste(ask))];
  expect(first.secret).toMatch(/^whsec_/);
  expect(second.secret).toBe(first.secret);
});

it('an operator has the new password only', { timeout: 60_000 }, async () => {
  const before = (await terminal.paste(`remesa ${made[1]}`)).trim();
  expect(await logsIn('ana', before)).toBe(200);
  const after = (await paste('set-password ana')).trim();
  expect([await logsIn('ana', before), await logsIn('ana', after)]).toEqual([401, 200]);
});

it('tokens stay good after a rotation of the signing key, and end in an emergency', { timeout: 60_000 }, async () => {
  const token = await tokenOf(running(), acme);
  await terminal.paste(blocks.find((text) => text === 'remesa keys rotate') ?? '');
  expect(await hasToken(token)).toBe(true);
  await paste('keys rotate --emergency');
  await eventually(async () => !(await hasToken(token)), { withinMs: 10_000 });
  expect(await hasToken(await tokenOf(running(), acme))).toBe(true);
});

it('personal data is read under the new master key alone, and the metrics with the new token', {
  timeout: 120_000,
}, async () => {
  const { id } = done(await running().api.post('/user', { token: await tokenOf(running(), acme), body: ana }));
  const details = async () =>
    (await running().api.get(`/user/details?userId=${id}`, { token: await tokenOf(running(), acme) })).json.firstName;
  const scrape = async (token: string) => (await running().api.get('/metrics', { token })).status;
  await paste('MASTER_KEY_PREVIOUS=$');
  await paste('metrics-token');
  await restart();
  expect(await details()).toBe(ana.firstName);
  await paste('keys rewrap');
  expect(terminal.messages).toContain('You can remove MASTER_KEY_PREVIOUS.');
  await paste('sed -i');
  expect(readFileSync(settingsFile, 'utf8')).not.toContain('MASTER_KEY_PREVIOUS');
  await restart();
  expect(await details()).toBe(ana.firstName);
  expect(readFileSync(join(secrets, 'master-key'), 'utf8').trim()).not.toBe(testMasterKey);
  expect(await scrape(readFileSync(join(secrets, 'metrics-token'), 'utf8').trim())).toBe(200);
  expect(await scrape('of-the-test-'.repeat(4))).not.toBe(200);
});

it.skipIf(!existsSync('/usr/bin/ssh-keygen'))('a key for a bank is made and put into place', async () => {
  await paste('ssh-keygen');
  await paste('bank-key.new /');
  expect(readFileSync(join(secrets, 'bank-key'), 'utf8')).toContain('OPENSSH PRIVATE KEY');
});
