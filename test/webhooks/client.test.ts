/** What an endpoint is sent, how its answer is taken, and how long connections live. */
import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { AddressGuard } from '../../src/outgoing/guard.js';
import { answerText, onRequest, useRawServers } from '../outgoing/raw-server.js';
import { expectAnswered, expectFailed, notification, useSenders } from './sending.js';

const serve = useRawServers();
const sender = useSenders();

const answering =
  (text = answerText('thanks')) =>
  (socket: Socket) =>
    onRequest(socket, () => socket.write(text));

describe('an attempt', () => {
  it('sends the bytes as they are, with the headers that were given and few others', async () => {
    const server = await serve(answering());
    await sender(`http://127.0.0.1:${server.port}/hooks/a%20b?x=1&y=`).send();
    expect(Buffer.from(server.received[0] ?? '', 'latin1').toString()).toBe(
      [
        'POST /hooks/a%20b?x=1&y= HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'content-type: application/json',
        'webhook-id: evt_1',
        `content-length: ${notification.body.length}`,
        '',
        notification.body.toString(),
      ].join('\r\n'),
    );
  });

  it.each([200, 201, 204, 299, 301, 302, 304, 400, 404, 410, 429, 500, 503])('is answered with %i', async (status) => {
    const isBodiless = status === 204 || status === 304;
    const text = `HTTP/1.1 ${status} X\r\n${isBodiless ? '' : 'content-length: 2\r\n'}\r\n${isBodiless ? '' : 'ok'}`;
    const server = await serve(answering(text));
    const start = expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), status);
    expect(start).toBe(isBodiless ? '' : 'ok');
  });

  it.each([
    ['120', '120'],
    ['Sun, 15 Nov 2026 06:00:00 GMT', 'Sun, 15 Nov 2026 06:00:00 GMT'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
    ['9'.repeat(65), '9'.repeat(64)],
    ['1\r\nretry-after: 2', '1'],
  ])('hands on when to come again, if it is short: %j', async (value, expected) => {
    const head = `HTTP/1.1 429 Later\r\nRetry-After: ${value}`;
    const server = await serve(answering(answerText('', head)));
    const result = await sender(`http://127.0.0.1:${server.port}/`).send();
    expect(result).toMatchObject({ kind: 'answered', status: 429, retryAfter: expected });
  });

  it('keeps the first KiB of the answer', async () => {
    const server = await serve(answering(answerText(`${'a'.repeat(1024)}b`)));
    const start = expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 200);
    expect(start).toBe('a'.repeat(1024));
  });

  it('keeps it also when it comes in pieces', async () => {
    const server = await serve((socket) =>
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3000\r\n\r\nabc', () => {
          setImmediate(() => socket.write('d'.repeat(2997)));
        });
      }),
    );
    const start = expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 200);
    expect(start).toBe(`abc${'d'.repeat(1021)}`);
  });

  it('takes interim answers for what they are', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3);
    const server = await serve(answering(`${interim}${answerText('late', 'HTTP/1.1 202 Accepted')}`));
    expect(expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 202)).toBe('late');
  });

  it('fails by itself when it cannot be written', async () => {
    const server = await serve(answering());
    const url = `http://127.0.0.1:${server.port}/`;
    const { client, send } = sender(url, { lanes: 1 });
    const request = { headers: { 'webhook-id': 'a\r\nb: c' }, body: notification.body };
    expectFailed(await client.post(request), 'protocol_error');
    expectAnswered(await send(), 200);
  });

  it('goes to the second address when nothing listens at the first', async () => {
    const server = await serve(answering());
    const guard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] }, async () => [
      '127.0.0.77',
      '::1',
      '127.0.0.1',
    ]);
    const { send } = sender(`http://receiver.example:${server.port}/`, { guard });
    expectAnswered(await send(), 200);
    expect(server.received[0]).toContain(`host: receiver.example:${server.port}\r\n`);
  });
});

describe('connections', () => {
  it('serve one attempt after the other', async () => {
    const server = await serve(answering());
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    for (let round = 0; round < 20; round += 1) expectAnswered(await send(), 200);
    expect(server.received).toHaveLength(1);
  });

  it('are no more than the lanes, however much is sent at once', async () => {
    const server = await serve(answering());
    const { send } = sender(`http://127.0.0.1:${server.port}/`, { lanes: 3 });
    const results = await Promise.all(Array.from({ length: 30 }, send));
    for (const result of results) expectAnswered(result, 200);
    expect(server.received).toHaveLength(3);
  });

  it('are never shared between endpoints, even of one host', async () => {
    const server = await serve(answering());
    const url = `http://127.0.0.1:${server.port}/`;
    for (const { send } of [sender(url), sender(url), sender(url)]) expectAnswered(await send(), 200);
    expect(server.received).toHaveLength(3);
  });

  it('last after a body of 16 KiB, and are given up after one more byte', async () => {
    let bytes = 16 * 1024;
    const server = await serve((socket) => onRequest(socket, () => socket.write(answerText('x'.repeat(bytes)))));
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    for (let round = 0; round < 3; round += 1) expectAnswered(await send(), 200);
    expect(server.received).toHaveLength(1);
    bytes += 1;
    expectAnswered(await send(), 200);
    expectAnswered(await send(), 200);
    expect(server.received).toHaveLength(2);
    await server.expectNoConnection();
  });

  it('cost no attempt when the other side closed them while they were idle', async () => {
    const sockets: Socket[] = [];
    const server = await serve((socket) => {
      sockets.push(socket);
      answering()(socket);
    });
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    for (let round = 0; round < 5; round += 1) {
      expectAnswered(await send(), 200);
      sockets.at(-1)?.destroy();
    }
    expect(server.received).toHaveLength(5);
  });

  it('are tried anew, once, when they die under an attempt after others were served', async () => {
    const server = await serve((socket, connectionNo) =>
      onRequest(socket, (requestNo) => {
        if (connectionNo === 0 && requestNo === 0) socket.write(answerText('first'));
        else socket.resetAndDestroy();
      }),
    );
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    expectAnswered(await send(), 200);
    expectFailed(await send(), 'connection_failed');
    expect(server.received).toHaveLength(2);
    expectFailed(await send(), 'connection_failed');
    expect(server.received).toHaveLength(3);
  });

  it('are made anew after a minute, so that a receiver that has moved is followed', async () => {
    const addresses = ['127.0.0.1'];
    const guard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] }, async () => addresses);
    const server = await serve(answering());
    const { send } = sender(`http://receiver.example:${server.port}/`, { guard });
    expectAnswered(await send(), 200);
    addresses[0] = '10.0.0.1';
    expectAnswered(await send(), 200);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_001);
    expectFailed(await send(), 'blocked_address');
    vi.restoreAllMocks();
  });

  it('end when the answer says so', async () => {
    const server = await serve(answering(answerText('', 'HTTP/1.1 200 OK\r\nconnection: close')));
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    expectAnswered(await send(), 200);
    await server.expectNoConnection();
    expectAnswered(await send(), 200);
    expect(server.received).toHaveLength(2);
  });

  it('end with their client, together with what is under way', async () => {
    const server = await serve((socket, connectionNo) => {
      if (connectionNo > 0) return;
      answering()(socket);
    });
    const { client, send } = sender(`http://127.0.0.1:${server.port}/`, { lanes: 2 });
    expectAnswered(await send(), 200);
    const underWay = [send(), send()];
    expectAnswered(await (underWay[0] as Promise<never>), 200);
    await client.close();
    expectFailed(await (underWay[1] as Promise<never>), 'connection_failed');
    await server.expectNoConnection();
    expectFailed(await send(), 'connection_failed');
  });
});
