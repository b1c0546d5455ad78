/** Downloads: the request, the accepted answers, and the limits. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DocumentRequest, documentLimits, fetchDocument } from '../../src/providers/rates/fetch-document.js';
import { version } from '../../src/version.js';
import { eventually } from '../harness/eventually.js';
import { expectFault, neverAborted, useRateServer } from './rate-server.js';

const server = useRateServer();

function fetch(change: Partial<DocumentRequest> = {}) {
  const { address } = server;
  const base = { address, accept: 'text/plain', known: {}, signal: neverAborted, limits: documentLimits };
  return fetchDocument({ ...base, ...change });
}

const limits = { milliseconds: 15_000, bytes: 1000 };

describe('a download', () => {
  it('sends a user agent and accepts no compression', async () => {
    server.answer('rates');
    expect(Buffer.from((await fetch())?.bytes ?? []).toString()).toBe('rates');
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'text/plain',
      'accept-encoding': 'identity',
      'user-agent': `Remesa/${version}`,
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match');
  });

  it('leaves no connection open', async () => {
    server.answer('rates');
    await fetch();
    expect(server.requests[0]?.headers.connection).toBe('close');
    await eventually(async () => (await server.connections()) === 0, { what: 'the end of the connection' });
  });

  it('is conditional the next time, and 304 means no change', async () => {
    const modified = 'Mon, 13 Apr 2026 14:00:00 GMT';
    server.listener = (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': modified }).end();
    };
    const known = (await fetch())?.validators ?? {};
    expect(await fetch({ known })).toBeUndefined();
    expect(server.requests[1]?.headers['if-modified-since']).toBe(modified);
  });

  it('does not send the validators of one address to another', async () => {
    server.answer('rates', { etag: '"v1"', 'last-modified': 'Mon, 13 Apr 2026 14:00:00 GMT' });
    const known = (await fetch())?.validators ?? {};
    await fetch({ known, address: new URL('/other', server.address) });
    expect(server.requests[1]?.headers).not.toHaveProperty('if-none-match');
    expect(server.requests[1]?.headers).not.toHaveProperty('if-modified-since');
  });

  it('does not store a validator that could not be sent in a header', async () => {
    server.answer('rates', { etag: `"${'x'.repeat(300)}"`, 'last-modified': 'gestern ä' });
    expect((await fetch())?.validators).toEqual({});
  });

  it('refuses 304 to a request without conditions', async () => {
    server.answer('', {}, 304);
    await expectFault(fetch, 'http_status');
  });

  it.each([201, 204, 206, 400, 401, 404, 429, 500, 503])('refuses status %i', async (status) => {
    server.answer(status === 204 ? '' : 'rates', {}, status);
    await expectFault(fetch, 'http_status');
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    server.answer('', { location: '/elsewhere' }, status);
    await expectFault(fetch, 'redirected');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a download that ends early', () => {
  it('is aborted when the announced length exceeds the size limit', async () => {
    server.listener = (_request, response) => response.writeHead(200, { 'content-length': 1001 }).write('x');
    await expectFault(() => fetch({ limits }), 'too_large');
  });

  it('is aborted at the size limit when the answer never ends', async () => {
    server.listener = (_request, response) => {
      const endless = Readable.from(
        (function* () {
          for (;;) yield 'x'.repeat(65_536);
        })(),
      );
      endless.pipe(response).on('close', () => endless.destroy());
    };
    await expectFault(fetch, 'too_large');
    await eventually(async () => (await server.connections()) === 0, { what: 'the end of the connection' });
  });

  it('one byte after the size limit, not before', async () => {
    server.answer('x'.repeat(1000));
    expect((await fetch({ limits }))?.bytes).toHaveLength(1000);
    server.answer('x'.repeat(1001), { 'transfer-encoding': 'chunked' });
    await expectFault(() => fetch({ limits }), 'too_large');
  });

  it('is aborted before a compressed answer is read', async () => {
    server.answer(gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' });
    await expectFault(fetch, 'encoded');
  });

  it('is aborted at the time limit when there is no answer', async () => {
    server.listener = () => {};
    await expectFault(() => fetch({ limits: { milliseconds: 50, bytes: 1000 } }), 'too_slow');
    await eventually(async () => (await server.connections()) === 0, { what: 'the end of the connection' });
  });

  it('is aborted at the time limit when the answer stops in the middle', async () => {
    server.listener = (_request, response) => response.writeHead(200).write('half');
    await expectFault(() => fetch({ limits: { milliseconds: 50, bytes: 1000 } }), 'too_slow');
  });

  it('is aborted when its signal is aborted, with the reason of the signal', async () => {
    const controller = new AbortController();
    server.listener = () => controller.abort(new Error('shutting down'));
    await expect(fetch({ signal: controller.signal })).rejects.toThrow('shutting down');
    await expect(fetch({ signal: controller.signal })).rejects.toThrow('shutting down');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a source', () => {
  it('is unreachable when nothing listens at its address', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = new URL(server.address);
    address.port = String((listener.address() as { port: number }).port);
    await new Promise((resolve) => listener.close(resolve));
    await expectFault(() => fetch({ address }), 'unreachable');
  });

  it('is unreachable when its name does not exist', async () => {
    const address = new URL(server.address);
    address.hostname = 'rates.invalid';
    await expectFault(() => fetch({ address }), 'unreachable');
  });

  it('is unreachable when the connection is closed before the end', async () => {
    server.listener = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.socket?.destroy());
    };
    await expectFault(fetch, 'unreachable');
  });

  it('is unreachable when it does not speak TLS', async () => {
    const address = new URL(server.address.href.replace('http:', 'https:'));
    await expectFault(() => fetch({ address }), 'unreachable');
  });

  it('gives a malformed answer when the server does not speak HTTP', async () => {
    server.listener = (request) => request.socket.end('220 mail.example.com ESMTP\r\n');
    await expectFault(fetch, 'malformed');
  });
});
