import { describe, expect, it } from 'vitest';
import { useNotesService } from './notes-service.js';
import { sendRaw } from './raw-socket.js';

const notes = useNotesService();
const token = 'merchant-1';

describe('an unknown address', () => {
  it('is answered with 404 as a problem document', async () => {
    const answer = await notes.api.get('/nowhere', { headers: { 'x-request-id': 'r-1' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.json).toEqual({
      type: `${notes.service.url}/docs/errors#not_found`,
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this address.',
      code: 'not_found',
      requestId: 'r-1',
    });
  });

  it.each([
    ['text', { text: 'hello', headers: { 'content-type': 'text/plain' } }],
    ['what is not JSON', { text: '{' }],
    ['too much', { text: ' '.repeat(70_000) }],
  ])('is answered with 404 also when %s is sent to it', async (_, ask) => {
    const answer = await notes.api.post('/nowhere', ask);
    expect(answer.json.code).toBe('not_found');
  });

  it.each(['/NOTES', '/notes/', '//notes', '/notes/empty/more', '/livez.json'])(
    'is every one but the exact one: %s',
    async (path) => {
      expect((await notes.anywhere.get(path, { token })).status).toBe(404);
    },
  );
});

/** Every address with every method that it does not take, and the ones that it does. */
function methodsNotTaken(): { method: string; path: string; allow: string }[] {
  const methodsOf = new Map<string, string[]>();
  for (const { path, method } of notes.service.routes) {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
  }
  return [...methodsOf].flatMap(([path, methods]) => {
    const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
    const others = everyMethod.filter((method) => !taken.includes(method));
    return others.map((method) => ({ method, path: path.replace(/\{\w+\}/, 'x'), allow: taken.join(', ') }));
  });
}
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('a method that an address does not allow', () => {
  it('is answered with 405 and the allowed methods, for every address', async () => {
    const cases = methodsNotTaken();
    const wrong: string[] = [];
    for (const { method, path, allow } of cases) {
      const answer = await notes.anywhere.call(method, path);
      const named = answer.headers.get('allow')?.split(', ').sort().join(', ');
      const found = `${answer.status} ${named}`;
      if (found !== `405 ${allow}`) wrong.push(`${method} ${path}: ${found}`);
    }
    expect(cases.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('is answered with a problem document, before the token is checked or the body is read', async () => {
    const answer = await notes.api.call('PUT', '/notes', { text: '{', headers: { 'x-request-id': 'r-2' } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(answer.json).toEqual({
      type: `${notes.service.url}/docs/errors#method_not_allowed`,
      title: 'The method is not allowed',
      status: 405,
      detail: 'This address allows GET, HEAD, POST.',
      code: 'method_not_allowed',
      requestId: 'r-2',
    });
  });

  it('includes TRACE, which would send a token back', async () => {
    const request = 'TRACE /notes HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const answer = await sendRaw(notes.service.url, request);
    expect(answer.status).toBe(405);
    expect(answer.head.toLowerCase()).toContain('allow: get, head, post');
  });
});

describe('a body', () => {
  it('is accepted with 64 KiB, and refused with the limit with one byte more', async () => {
    const bodyOf = (length: number) => `{"text":"x"}${' '.repeat(length - 12)}`;
    expect((await notes.api.post('/notes', { token, text: bodyOf(65_536) })).status).toBe(200);
    const refused = await notes.api.post('/notes', { token, text: bodyOf(65_537) });
    expect(refused.status).toBe(413);
    expect(refused.json).toMatchObject({ code: 'body_too_large', max: 65_536 });
  });

  it('is refused at the limit also when its length is not declared', async () => {
    const chunk = `${(2000).toString(16)}\r\n${' '.repeat(2000)}\r\n`;
    const head =
      'POST /notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\nconnection: close\r\n' +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const answer = await sendRaw(notes.service.url, `${head}${chunk.repeat(40)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/problem+json', 'json'])(
    'is refused with 415 as the type %s',
    async (type) => {
      const answer = await notes.api.post('/notes', {
        token,
        text: '{"text":"x"}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({
        code: 'unsupported_media_type',
        detail: 'The body must be application/json, or multipart/form-data for an upload.',
      });
    },
  );

  it('is refused with 415 without a type', async () => {
    const request =
      'POST /notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\nconnection: close\r\n' +
      'content-length: 12\r\n\r\n{"text":"x"}';
    expect((await sendRaw(notes.service.url, request)).status).toBe(415);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'is taken as the type %s',
    async (type) => {
      const answer = await notes.api.post('/notes', {
        token,
        text: '{"text":"é"}',
        headers: { 'content-type': type },
      });
      expect(answer.json.text).toBe('é');
    },
  );

  it('is refused in another encoding than UTF-8', async () => {
    const text = Buffer.from('{"text":"José"}', 'latin1');
    const headers = { 'content-type': 'application/json' };
    const answer = await notes.api.post('/notes', { token, text, headers });
    expect(answer.json).toMatchObject({
      status: 400,
      code: 'malformed_body',
      detail: 'The body is not valid UTF-8.',
    });
  });

  it.each(['{"text":', '{"text":"a","text":"b"}', '', '{"text":"\\u0000"}', '{"__proto__":{}}'])(
    'is refused with 400 when it can not be read as JSON: %j',
    async (text) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await notes.api.post('/notes', { token, text, headers });
      expect(answer.json).toMatchObject({ status: 400, code: 'malformed_body' });
    },
  );

  it('is not read before the caller is authenticated', async () => {
    expect((await notes.api.post('/notes', { text: '{' })).json.code).toBe('unauthorized');
  });

  it('writes nothing when it is refused', async () => {
    const { rows } = await notes.sql.query('SELECT DISTINCT text FROM notes ORDER BY text');
    expect(rows).toEqual([{ text: 'x' }, { text: 'é' }]);
  });
});
