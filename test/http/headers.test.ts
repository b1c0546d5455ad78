import { afterAll, describe, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { useNotesService } from './notes-service.js';
import { type RawAnswer, sendRaw } from './raw-socket.js';

const notes = useNotesService({ settings: { REQUESTS_PER_MINUTE: '1000' } });
const token = 'merchant-1';
const made = /^req_[0-9a-f]{24}$/;

/** One answer of every kind that the edge gives. */
const kinds: [string, () => Promise<Answer>][] = [
  ['200', () => notes.api.get('/notes/empty', { token })],
  ['200 to HEAD', () => notes.api.call('HEAD', '/notes/empty', { token })],
  ['200 of a probe', () => notes.api.get('/livez')],
  ['400', () => notes.api.post('/notes', { token, body: {} })],
  ['400 of an address', () => notes.api.get('/notes/%zz')],
  ['401', () => notes.api.get('/notes')],
  ['403', () => notes.api.get('/notes', { token: 'merchant-1-rates' })],
  ['404', () => notes.api.get('/nowhere')],
  ['404 of a user', () => notes.api.get('/notes/user?userId=999', { token })],
  ['405', () => notes.api.call('OPTIONS', '/notes')],
  ['413', () => notes.api.post('/notes', { token, text: ' '.repeat(70_000) })],
  ['415', () => notes.api.post('/notes', { token, text: 'x', headers: { 'content-type': 'text/plain' } })],
  ['500', () => notes.api.get('/notes/broken', { token })],
];

describe('the request id', () => {
  it.each(kinds)('is on the answer %s, and in its problem document', async (kind, ask) => {
    const answer = await ask();
    expect(answer.headers.get('x-request-id')).toMatch(made);
    if (!kind.startsWith('200')) expect(answer.json.requestId).toBe(answer.headers.get('x-request-id'));
  });

  it.each(['a', 'abc-DEF_1.2:3', 'x'.repeat(128), '7d7c0f0e-0a52-4b5e-8b58-2d1d5a0d7a55'])(
    'is the caller’s own when it is sane: %s',
    async (id) => {
      const answer = await notes.api.get('/livez', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toBe(id);
    },
  );

  it.each(['x'.repeat(129), 'a b', 'a\tb', 'a"b', 'a,b', 'a/b', '<script>', ''])(
    'is made anew when it is not: %j',
    async (id) => {
      const answer = await notes.api.get('/livez', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(made);
    },
  );

  it.each([
    ['given twice', 'x-request-id: a\r\nx-request-id: b'],
    ['not ASCII', 'x-request-id: ünï'],
    ['folded over two lines', 'x-request-id: a\r\n b'],
  ])('is replaced when it is %s', async (_, field) => {
    const answer = await sendRaw(
      notes.service.url,
      `GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${field}\r\n\r\n`,
    );
    expect(requestIdOf(answer)).toMatch(made);
  });

  it('differs for each request', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => notes.api.get('/livez')));
    expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(4);
  });
});

function requestIdOf(answer: RawAnswer): string | undefined {
  return /^x-request-id: (.*)$/im.exec(answer.head)?.[1]?.trim();
}

describe('the security headers', () => {
  it.each(kinds)('are on the answer %s', async (_, ask) => {
    const { headers } = await ask();
    expect(Object.fromEntries([...headers].filter(([name]) => name in protecting))).toEqual(protecting);
  });

  it.each(kinds)('let no other origin read the answer %s', async (_, ask) => {
    const { headers } = await ask();
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('grant nothing to a preflight request', async () => {
    const answer = await notes.api.call('OPTIONS', '/notes', {
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('grant nothing to a request from another origin', async () => {
    const answer = await notes.api.get('/notes/empty', {
      token,
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('do not reveal the software of the server', async () => {
    const { headers } = await notes.api.get('/livez');
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });
});

const protecting = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('HEAD', () => {
  it('answers as GET does, without the body', async () => {
    const [get, head] = [
      await notes.api.get('/notes/empty', { token }),
      await notes.api.call('HEAD', '/notes/empty', { token }),
    ];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  it('needs a token where GET does', async () => {
    expect((await notes.api.call('HEAD', '/notes/empty')).status).toBe(401);
  });
});

afterAll(() => expect(notes.logText()).not.toContain('evil.example'));
