/** Ambiguous requests are refused with a reason. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';
import { sendRaw } from './raw-socket.js';

const notes = useNotesService();
const token = 'merchant-1';

const send = (lines: readonly string[], body = '') =>
  sendRaw(notes.service.url, `${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
const authorized = `authorization: Bearer ${token}`;

describe('a body in chunks', () => {
  const inChunks = (body: string, ...more: string[]) =>
    send(
      [
        'POST /notes HTTP/1.1',
        'host: x',
        authorized,
        'content-type: application/json',
        'transfer-encoding: chunked',
        ...more,
      ],
      body,
    );

  it('is read when every chunk has its declared length', async () => {
    expect((await inChunks('c\r\n{"text":"x"}\r\n0\r\n\r\n')).status).toBe(200);
  });

  it.each([
    ['a length that is no number', 'zz\r\n{"text":"x"}\r\n0\r\n\r\n'],
    ['a chunk that is longer than its length', '4\r\n{"text":"x"}\r\n0\r\n\r\n'],
    ['a length that overflows', 'fffffffffffffffff\r\n{"text":"x"}\r\n0\r\n\r\n'],
    ['a negative length', '-c\r\n{"text":"x"}\r\n0\r\n\r\n'],
  ])('is answered with 400 before the connection closes, and logged: %s', async (name, body) => {
    const id = name.replaceAll(' ', '-');
    const answer = await inChunks(body, `x-request-id: ${id}`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, code: 'malformed_request' });
    expect(answer.head.toLowerCase()).toContain('connection: close');
    const line = await eventually(() => linesOf(id).find(({ msg }) => msg === 'request'));
    expect(line).toMatchObject({ status: 400, route: '/notes' });
  });
});

describe('the Authorization field', () => {
  it.each([
    ['two alike', [authorized, authorized]],
    ['two of them', [authorized, 'Authorization: Bearer merchant-2']],
    ['an empty one more', [authorized, 'authorization:']],
  ])('is refused: %s', async (_, lines) => {
    const answer = await send(['GET /notes HTTP/1.1', 'host: x', ...lines]);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'malformed_request']);
  });
});

describe('the Host field', () => {
  it.each(['x', 'pay.example.com', 'pay.example.com:8443', '127.0.0.1:3000', '[::1]:3000', ''])(
    'is accepted: %j',
    async (host) => {
      expect((await send(['GET /livez HTTP/1.1', `host: ${host}`])).status).toBe(200);
    },
  );

  it.each([
    ['two of them', ['host: a', 'host: b']],
    ['two alike', ['host: a', 'Host: a']],
    ['a path', ['host: a/b']],
    ['a user', ['host: me@a']],
    ['a space', ['host: a b']],
    ['a port that is no number', ['host: a:http']],
    ['a broken address', ['host: [::1']],
    ['characters beyond ASCII', ['host: caf\u00e9']],
  ])('is refused with 400: %s', async (_, hosts) => {
    const answer = await send(['GET /livez HTTP/1.1', ...hosts]);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request' });
  });
});

describe('the encoding of a body', () => {
  const post = (headers: Record<string, string>) => notes.api.post('/notes', { token, body: { text: 'x' }, headers });

  it.each(['identity', ' Identity'])('may be named as plain: Content-Encoding %j', async (coding) => {
    expect((await post({ 'content-encoding': coding })).status).toBe(200);
  });

  it.each(['gzip', 'deflate', 'br', 'identity, gzip', 'unheard-of'])(
    'is refused with 415 when it is compressed: %s',
    async (coding) => {
      const answer = await post({ 'content-encoding': coding });
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({
        code: 'unsupported_media_type',
        detail: 'Send the body as it is, without Content-Encoding.',
      });
    },
  );

  it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('may be named as UTF-8: %s', async (charset) => {
    expect((await post({ 'content-type': `application/json; charset=${charset}` })).status).toBe(200);
  });

  it.each(['utf-16', 'iso-8859-1', '"utf-16"', 'utf-8; charset=utf-16', ''])(
    'is refused with 415 when it is not UTF-8: %s',
    async (charset) => {
      const answer = await post({ 'content-type': `application/json;charset=${charset}` });
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({
        code: 'unsupported_media_type',
        detail: 'Send the body in UTF-8.',
      });
    },
  );

  it('is checked only after the caller is authenticated', async () => {
    const answer = await notes.api.post('/notes', { body: {}, headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(401);
  });
});

function linesOf(requestId: string): Record<string, unknown>[] {
  const lines = notes.logText().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
}
