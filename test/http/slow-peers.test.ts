/** Peers that send slowly or never finish lose their connection, and other callers are not refused because of them. */
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';
import { openSocket } from './raw-socket.js';

const notes = useNotesService();
const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

const form = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\n';
const json = 'content-type: application/json\r\ncontent-length: 60000\r\n\r\n';

/** So many requests whose body never comes to its end. */
function beginRequests(number: number, path: string, rest: string): void {
  for (let index = 0; index < number; index += 1) {
    const socket = openSocket(notes.service.url);
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${rest}a`);
    open.push(socket);
  }
}

async function requests(lane: string, stage: string): Promise<number> {
  const { text } = await notes.anywhere.get('/metrics');
  return Number(new RegExp(`^remesa_http_requests{lane="${lane}",stage="${stage}"} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** One request of each lane, none of them refused for being too many. */
async function expectEverybodyServed(): Promise<void> {
  expect((await notes.api.get('/notes/empty', { token: 'merchant-1' })).status).toBe(200);
  const posted = await notes.api.post('/notes', { token: 'merchant-2', body: { text: 'served' } });
  expect(posted.status).toBe(200);
  const credentials = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
  const token = await fetch(`${notes.service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  expect(token.status).toBe(200);
  const step = await fetch(`${notes.service.url}/kyc/form`, {
    method: 'POST',
    body: new URLSearchParams({ token: 'unknown' }),
  });
  expect([404, 410]).toContain(step.status);
  expect((await notes.api.get('/readyz')).status).toBe(200);
}

describe('requests without a token whose body never ends', () => {
  it('occupy no working slot: 150 to the form and 150 to the token endpoint leave every lane serving', async () => {
    beginRequests(150, '/kyc/form', form);
    beginRequests(150, '/oauth/token', form);
    await eventually(async () => (await requests('form', 'arriving')) === 150);
    await eventually(async () => (await requests('anonymous', 'arriving')) === 150);
    expect([await requests('form', 'working'), await requests('anonymous', 'working')]).toEqual([0, 0]);
    await expectEverybodyServed();
  });

  it('take no place from newcomers, however many there are', async () => {
    beginRequests(600, '/oauth/token', form);
    await eventually(async () => (await requests('anonymous', 'arriving')) === 600);
    await expectEverybodyServed();
  });
});

describe('128 callers with a token who send slowly', () => {
  it('do not delay other callers from the same address', async () => {
    beginRequests(128, '/notes', `authorization: Bearer merchant-1\r\n${json}`);
    await eventually(async () => (await requests('api', 'arriving')) === 128);
    await expectEverybodyServed();
  });
});
