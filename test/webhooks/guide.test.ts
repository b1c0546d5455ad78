/** Follows docs/webhooks.md like a newcomer: saves its files, pastes its commands, and compares the output. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { eventually } from '../harness/eventually.js';
import { useReceiver } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { happenOften } from './happenings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'remesa-guide-'));
const database = useTestDatabase();
const running = useService(database);
const recorder = useReceiver();

/** Of one language, in order; with a heading, those of its section. */
function blocks(language: string, heading?: string): string[] {
  const [, section = ''] = heading === undefined ? ['', guide] : guide.split(`\n## ${heading}\n`);
  const text = heading === undefined ? section : (section.split('\n## ')[0] ?? '');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , code]) => (code ?? '').trimEnd());
}

beforeAll(() => {
  // For the libraries that the guide imports; a reader installs them.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const code of blocks('js')) {
    const [, name = ''] = /^\/\/ (\S+\.mjs)\n/.exec(code) ?? [];
    writeFileSync(join(folder, name), code);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href);

async function paste(lines: readonly string[], receiver: string): Promise<string> {
  const text = lines
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', running.service.url)
    .replaceAll('http://127.0.0.1:4000', receiver);
  return (await promisify(execFile)('bash', ['-c', text])).stdout;
}

it('the first five minutes go as they are told', async () => {
  const [starting, ...pasted] = blocks('sh', 'In five minutes');
  const [afterTest, afterForm] = blocks('', 'In five minutes');
  expect(starting).toBe('node receiver.mjs');
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { REMESA: running.service.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  receiver.stdout.on('data', (data) => {
    output += data;
  });
  const said = (text: string) =>
    eventually(() => output.includes(text), { withinMs: 30_000, what: `${text} in ${output}` });
  await said('listening on ');
  const address = /listening on (\S+)/.exec(output)?.[1] ?? '';
  const answers = await paste(pasted.slice(0, 3), address);
  expect(JSON.parse(answers)).toEqual({ events: [{ id: expect.stringMatching(/^evt_/), channel: 'kyc' }] });
  await said(`${afterTest}\n`);
  const [token = '', , , user = '', form = '', pull = ''] = pasted;
  await paste([token, user, form], address);
  await said(`${afterForm}\n`);
  const [event] = JSON.parse(await paste([token, pull], address));
  expect(event).toMatchObject({ type: 'kyc.pending', data: { previousStatus: null, sequence: 1 } });

  const unsigned = await fetch(address, { method: 'POST', body: '{"type":"kyc.approved"}' });
  expect(unsigned.status).toBe(400);
  await said('refused: not signed by Remesa\n');
  receiver.kill();
  await once(receiver, 'close');
});

describe('its code', () => {
  let token = '';
  const ask = (path: string, body: unknown) => running.api.post(path, { token, body });
  const received = () => eventually(() => recorder.received.at(-1), { withinMs: 30_000 });

  beforeAll(async () => {
    const login = { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) };
    const headers = { authorization: `Basic ${Buffer.from('demo:demo-secret').toString('base64')}` };
    const answer = await fetch(`${running.service.url}/oauth/token`, { ...login, headers });
    token = ((await answer.json()) as { access_token: string }).access_token;
    await ask('/merchant/webhook/kyc-notification', { url: `${recorder.url}/hook` });
  });

  it('refuses another body, another time and another signature, with and without a secret', async () => {
    const { secret } = (await ask('/merchant/webhook/secret/rotate', undefined)).json;
    recorder.received.splice(0);
    await ask('/merchant/webhook/test', {});
    const { headers, body } = await received();
    const { fetchKeys, readNotification } = await load('verify.mjs');
    const { readSigned } = await load('verify-v1.mjs');
    const keys = await fetchKeys(running.service.url, 'demo');
    const readers = [
      (changed: object, text = body) => readNotification(keys, { ...headers, ...changed }, Buffer.from(text)),
      (changed: object, text = body) => readSigned(secret, { ...headers, ...changed }, Buffer.from(text)),
    ];
    for (const read of readers) {
      expect(read({})).toMatchObject({ type: 'webhook.test', data: { sequence: null } });
      expect(() => read({}, body.replace('kyc', 'key'))).toThrow();
      expect(() => read({ 'webhook-id': 'evt_other' })).toThrow();
      expect(() => read({ 'webhook-timestamp': '1' })).toThrow();
      expect(() => read({ 'webhook-signature': 'v1,AAAA v1a,AAAA' })).toThrow();
      expect(() => read({ 'webhook-signature': undefined })).toThrow();
    }
  });

  it('does not take an old notification for a new one', async () => {
    const { headers, body } = await received();
    const { fetchKeys, readNotification } = await load('verify.mjs');
    const keys = await fetchKeys(running.service.url, 'demo');
    const now = Date.now;
    Date.now = () => now() + 301_000;
    try {
      expect(() => readNotification(keys, headers, Buffer.from(body))).toThrow('five minutes');
    } finally {
      Date.now = now;
    }
  });

  it('pulls every page', async () => {
    const { eventsAfter } = await load('events-after.mjs');
    await happenOften(running.service.database, { merchant: merchantId(1) }, 250, {
      channel: 'order',
      type: 'order.completed',
    });
    await eventually(async () => {
      const { rows } = await database.sql.query('SELECT max(sequence)::int AS last FROM events');
      return rows[0].last === 250;
    });
    const sequences: number[] = [];
    for await (const event of eventsAfter(running.service.url, token, 'order', 20)) {
      sequences.push(event.data.sequence);
    }
    expect(sequences).toEqual(Array.from({ length: 230 }, (_, index) => index + 21));
  });
});

it('the fault of its rehearsal is one that the sandbox takes', async () => {
  const [token = ''] = blocks('sh', 'In five minutes').slice(1);
  const [faulty = ''] = blocks('sh', 'Rehearse');
  const answer = await paste([token, faulty.replace('curl -s', "curl -s -w '%{http_code}'")], recorder.url);
  expect(answer).toBe('200');
});
