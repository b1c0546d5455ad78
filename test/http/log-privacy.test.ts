import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';
import { sendRaw } from './raw-socket.js';

const notes = useNotesService();
const token = 'merchant-1';

function linesOf(requestId: string): Record<string, unknown>[] {
  const lines = notes.logText().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
}

describe('an unexpected error', () => {
  it('is answered with 500 and the request id, without details', async () => {
    const answer = await notes.api.get('/notes/broken', { token, headers: { 'x-request-id': 'broken-1' } });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      type: `${notes.service.url}/docs/errors#internal_error`,
      title: 'Internal error',
      status: 500,
      detail: 'Something went wrong on our side.',
      code: 'internal_error',
      requestId: 'broken-1',
    });
    const everything = `${answer.text}${[...answer.headers].join()}`;
    expect(everything).not.toMatch(/secret|\.ts|SELECT|at \w/);
  });

  it('is in the log with that id, its message and its stack trace', async () => {
    await notes.api.get('/notes/broken', { token, headers: { 'x-request-id': 'broken-2' } });
    const line = await eventually(() => linesOf('broken-2').find(({ msg }) => msg === 'unexpected error'));
    expect(line).toMatchObject({
      level: 'error',
      route: '/notes/broken',
      err: { type: 'Error', message: 'secret-in-an-error at /etc/secret.ts SELECT * FROM notes' },
    });
    expect(String((line.err as { frames: string[] }).frames)).toContain('notes.ts');
  });
});

describe('the log', () => {
  it('has one line for each request, with the route instead of the address', async () => {
    await notes.api.get('/notes?marker=1', { token, headers: { 'x-request-id': 'line-1' } });
    const line = await eventually(() => linesOf('line-1')[0]);
    expect(line).toMatchObject({
      method: 'GET',
      route: '/notes',
      status: 200,
      merchantId: 1,
      client: '127.0.0.0/24',
      msg: 'request',
    });
    expect(Object.keys(line).sort()).toEqual(
      ['client', 'level', 'merchantId', 'method', 'ms', 'msg', 'pid', 'requestId', 'route', 'status', 'time'].sort(),
    );
    expect(linesOf('line-1')).toHaveLength(1);
  });

  it('names the operator, and no caller when there is no token', async () => {
    await notes.api.get('/notes/operated', {
      token: 'operator-admin',
      headers: { 'x-request-id': 'line-2' },
    });
    await notes.api.get('/nowhere/marker', { headers: { 'x-request-id': 'line-3' } });
    expect(await eventually(() => linesOf('line-2')[0])).toMatchObject({ operatorId: 1, status: 200 });
    const unknown = await eventually(() => linesOf('line-3')[0]);
    expect(unknown).toMatchObject({ route: 'unknown', status: 404 });
    expect(unknown).not.toHaveProperty('merchantId');
  });

  it('contains nothing of what was sent: body, query, path, headers, token, key', async () => {
    const marker = 'Marker4711';
    const headers = {
      cookie: marker,
      'user-agent': marker,
      referer: `https://x/${marker}`,
      'x-forwarded-for': marker,
    };
    const asks = [
      notes.api.post('/notes', { token, headers, key: `key-${marker}`, body: { text: marker } }),
      notes.api.post('/notes', { token, headers, body: { text: 7, [marker]: marker } }),
      notes.api.post('/notes', { token, headers, text: `{"${marker}":1,"${marker}":2}` }),
      notes.api.post('/notes', { token, headers, text: `"${marker}` }),
      notes.api.post('/notes', { token, headers, text: marker }),
      notes.api.get(`/notes?text=${marker}`, { token, headers }),
      notes.api.get(`/notes/user?userId=${marker}`, { token, headers }),
      notes.api.get(`/notes/user?externalClientId=${marker}`, { token, headers }),
      notes.api.get(`/${marker}`, { token, headers }),
      notes.api.get('/notes', { token: marker, headers }),
      notes.api.get('/notes/broken', { token, headers }),
      notes.api.get('/notes', { token, headers: { ...headers, 'x-request-id': `${marker} !` } }),
      notes.api.call('DELETE', `/notes?${marker}`, { token, headers }),
    ];
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses).toEqual([200, 400, 400, 400, 400, 200, 400, 404, 404, 401, 500, 200, 405]);
    await sendRaw(notes.service.url, `${marker} ${marker}\r\n\r\n`);
    await sendRaw(notes.service.url, `GET /%zz${marker} HTTP/1.1\r\nhost: ${marker}\r\nconnection: close\r\n\r\n`);

    await eventually(() => notes.logText().split('"msg":"request"').length > 13);
    expect(notes.logText()).not.toContain(marker);
  });
});
