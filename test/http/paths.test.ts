/** Every path is answered, logged and counted, and never with 500. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { sendRaw } from './raw-socket.js';

const users = useRemesa();
const longest = 'a'.repeat(200);
const tooLong = 'a'.repeat(201);

describe('a path parameter', () => {
  it.each([
    ['/events/', 'event_not_found'],
    ['/rates/', 'rate_not_found'],
    ['/.well-known/webhook-keys/', 'merchant_not_found'],
  ])('is looked up with 200 characters, and refused with 404 with more: %s', async (path, unknownCode) => {
    const { token } = users.acme;
    const found = await users.api.get(`${path}${longest}`, { token });
    expect([found.status, found.json.code]).toEqual([404, unknownCode]);
    for (const name of [tooLong, 'a'.repeat(8000), '%C3%A9'.repeat(201)]) {
      const answer = await users.api.get(`${path}${name}`, { token });
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    }
  });

  it('is answered with 401 without a token when it is over 200 characters', async () => {
    expect((await users.api.get(`/events/${tooLong}`)).status).toBe(401);
  });

  it('is answered with a page on a route that answers pages when it is over 200 characters', async () => {
    const answer = await fetch(`${users.service.url}/kyc/form/${tooLong}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

it.each([
  ['a path parameter over 200 characters', `/.well-known/webhook-keys/${tooLong}`, 404],
  ['a path that cannot be decoded', '/events/%zz', 400],
  ['a path that is not there', '/nowhere', 404],
])('logs and counts %s', async (name, path, status) => {
  const id = name.replaceAll(' ', '-');
  const before = await counted(status);
  const head = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n`;
  expect((await sendRaw(users.service.url, head)).status).toBe(status);
  await eventually(() => users.logText().includes(`"requestId":"${id}"`), { what: 'the log line' });
  expect(await counted(status)).toBe(before + 1);
});

/** How many answers of this status `/metrics` reports. */
async function counted(status: number): Promise<number> {
  const figures = await (await fetch(`${users.service.url}/metrics`)).text();
  const counts = figures.matchAll(/^remesa_http_request_seconds_count\{.*status="(\d+)".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, of, count]) => (Number(of) === status ? sum + Number(count) : sum), 0);
}
