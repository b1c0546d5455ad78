import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';
import { openSocket, readToEnd, sendRaw } from './raw-socket.js';

const notes = useNotesService();
const url = () => notes.service.url;
const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n${more}\r\n`;

afterEach(async () => {
  expect((await notes.api.get('/livez')).status).toBe(200);
});

describe('a request that is not valid HTTP', () => {
  it.each([
    ['words', 'hello there\r\n\r\n'],
    ['a handshake of TLS', Buffer.from('1603010200010001fc0303', 'hex')],
    ['zeroes', Buffer.alloc(64)],
    ['HTTP of another version', 'GET / HTTP/3.0\r\n\r\n'],
    ['a header without a name', 'GET /livez HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['a header with a NUL', 'GET /livez HTTP/1.1\r\nhost: x\r\nx-y: a\0b\r\n\r\n'],
    ['a length that is none', 'POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n'],
    ['two lengths', 'POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks, as smugglers send them',
      'POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('is answered with 400 as a problem document, then the connection ends: %s', async (_, bytes) => {
    const answer = await sendRaw(url(), bytes);
    expect(answer.status).toBe(400);
    expect(answer.head.toLowerCase()).toContain('connection: close');
    expect(answer.head).toContain('content-type: application/problem+json');
    expect(answer.head).toContain('x-content-type-options: nosniff');
    const problem = JSON.parse(answer.body);
    expect(problem).toEqual({
      type: `${url()}/docs/errors#malformed_request`,
      title: 'The request cannot be read',
      status: 400,
      detail: 'This is not an HTTP/1.1 request.',
      code: 'malformed_request',
      requestId: /^x-request-id: (\S+)$/m.exec(answer.head)?.[1],
    });
  });

  it('is answered with 400 when no host is named', async () => {
    const answer = await sendRaw(url(), 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(answer.status).toBe(400);
  });

  it('is answered with 431 when the header is too large', async () => {
    const answer = await sendRaw(url(), get('/livez', `x-large: ${'x'.repeat(17_000)}\r\n`));
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 431,
      code: 'malformed_request',
      detail: 'The header fields are larger than 16384 bytes.',
    });
  });
});

describe('an address that cannot be decoded', () => {
  it.each(['/notes/%zz', '/%', '/notes/%ff', '/%c0%af'])('is answered with 400: %s', async (path) => {
    const answer = await sendRaw(url(), get(path, 'x-request-id: r-7\r\nconnection: close\r\n'));
    expect(answer.status).toBe(400);
    expect(answer.head).toContain('x-request-id: r-7');
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request', requestId: 'r-7' });
  });

  it.each([`/${'x'.repeat(8000)}`, `/notes/${'%41'.repeat(3000)}`, '/notes/../../etc/passwd', '/notes/%2e%2e/x'])(
    'is answered like any other when it is only long or unusual (%#)',
    async (path) => {
      expect((await sendRaw(url(), get(path, 'connection: close\r\n'))).status).toBe(404);
    },
  );
});

describe('several requests on one connection', () => {
  it('are answered in order, also when all were sent before the first answer', async () => {
    const slow = 'content-type: application/json\r\ncontent-length: 12\r\n\r\n{"text":"x"}';
    const first = get('/notes/slowly?ms=200').replace('GET', 'POST').replace(/\r\n$/, slow);
    const socket = openSocket(url());
    socket.write(`${first}${get('/notes/empty')}${get('/nowhere', 'connection: close\r\n')}`);
    const { all } = await readToEnd(socket);
    expect([...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual(['200', '200', '404']);
    expect(all.indexOf('"text":"x"')).toBeLessThan(all.indexOf('"text":"nothing"'));
  });

  it('end with a malformed one, whose answer is never mistaken for that of another', async () => {
    const socket = openSocket(url());
    socket.write(`${get('/notes/empty')}`);
    await once(socket, 'data');
    socket.write('rubbish\r\n\r\n');
    expect((await readToEnd(socket)).status).toBe(400);

    const body = 'content-type: application/json\r\ncontent-length: 18\r\n\r\n{"text":"pipeline"}'.replace('18', '19');
    const slow = get('/notes/slowly?ms=200').replace('GET', 'POST').replace(/\r\n$/, body);
    expect((await sendRaw(url(), `${slow}rubbish\r\n\r\n`)).all).not.toContain('HTTP/1.1 400');
  });
});

describe('a caller that disconnects', () => {
  it('causes no logged error while it sends its body', async () => {
    const socket = openSocket(url());
    socket.write(
      get('/notes', 'content-type: application/json\r\ncontent-length: 1000\r\nx-request-id: gone-1\r\n')
        .replace('GET', 'POST')
        .concat('{"text":'),
    );
    await once(socket, 'connect');
    // Once a later request on another connection is answered, the server has seen the first one's header.
    await notes.api.get('/livez');
    socket.destroy();
    const line = await eventually(() => logged('gone-1').find(({ msg }) => msg === 'request'));
    expect(line.status).toBe(499);
    expect(logged('gone-1').filter(({ level }) => Number(level) > 30)).toEqual([]);
  });
});

function logged(requestId: string): Record<string, unknown>[] {
  const lines = notes.logText().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
}
