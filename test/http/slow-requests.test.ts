import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBareServer } from '../harness/bare-server.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRoutes, notesTable } from '../rooms/notes.js';
import { openSocket, readToEnd } from './raw-socket.js';

const { database, sql } = useTestDatabase();
/** The server with bounds a test can wait for: the same ones, much shorter. */
const bare = useBareServer({
  routes: notesRoutes(),
  edge: { database },
  live: true,
  bounds: {
    headersMs: 300,
    requestMs: 2500,
    keepAliveMs: 500,
    checkEveryMs: 50,
    progressMs: 1000,
    unreadMs: 500,
  },
});
const { server, shedder } = bare;

beforeAll(() => sql.query(notesTable));

/** Sends the beginning, then one more piece at a time until the server closes the connection. */
async function trickle(beginning: string, piece: string, everyMs: number) {
  const began = performance.now();
  const socket = openSocket(bare.url);
  socket.write(beginning);
  const dripping = setInterval(() => socket.write(piece), everyMs);
  const answer = await readToEnd(socket);
  clearInterval(dripping);
  return { ...answer, tookMs: performance.now() - began };
}

const beginning = (token: string) =>
  `POST /notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
  'content-type: application/json\r\ncontent-length: 60000\r\n\r\n{"text":"';

describe('a request that trickles in', () => {
  it('is cut off with 408 when its header does not arrive in time', async () => {
    const answer = await trickle('GET /notes HTTP/1.1\r\nhost: x\r\n', 'x-more: y\r\n', 20);
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 408,
      code: 'request_timeout',
      detail: 'The request did not arrive in time.',
    });
    expect(answer.head).toContain('strict-transport-security: max-age=31536000; includeSubDomains');
    expect(answer.tookMs).toBeGreaterThan(250);
    expect(answer.tookMs).toBeLessThan(2000);
  });

  it('is cut off when its body does not arrive in time, and no longer counts as arriving', async () => {
    const answer = await trickle(beginning('merchant-1'), 'x'.repeat(200), 20);
    expect(answer.tookMs).toBeGreaterThan(2400);
    expect(answer.tookMs).toBeLessThan(10_000);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([408, 'request_timeout']);
    expect([shedder.inFlight, server.traffic.arrivals.inLane('api')]).toEqual([0, 0]);
  });

  it('is cut off early when hardly anything of its body arrives', async () => {
    const answer = await trickle(beginning('merchant-1'), 'x', 20);
    expect(answer.tookMs).toBeLessThan(2400);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([408, 'request_timeout']);
  });

  it('is cut off when it never begins', async () => {
    const answer = await trickle('', '', 60_000);
    expect(answer.tookMs).toBeLessThan(10_000);
  });
});

describe('an unread body', () => {
  it('does not close the connection when it was sent completely, however many requests are refused', async () => {
    const refused = 'POST /notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    const next =
      'GET /notes/empty HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\nconnection: close\r\n\r\n';
    const sockets = Array.from({ length: 40 }, () => openSocket(bare.url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => {
      socket.write(refused);
      socket.once('data', () => socket.write(next));
      return readToEnd(socket);
    });
    for (const { all } of await Promise.all(answers)) {
      expect([...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual(['401', '200']);
    }
  });

  it.each([
    ['an address that does not exist', 'POST /nowhere HTTP/1.1\r\nhost: x\r\n', 404],
    ['a caller without a token', 'POST /notes HTTP/1.1\r\nhost: x\r\n', 401],
    ['a method that is not taken', 'PUT /notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n', 405],
  ])('is answered at once, and then the connection is closed: %s', async (_, head, status) => {
    const rest = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const answer = await trickle(`${head}${rest}`, `400\r\n${'x'.repeat(1024)}\r\n`, 10);
    expect(answer.status).toBe(status);
    expect(answer.tookMs).toBeLessThan(2400);
  });
});

describe('a connection between two requests', () => {
  it('is kept for a while and then closed', async () => {
    const socket = openSocket(bare.url);
    const began = performance.now();
    socket.write('GET /notes/empty HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n\r\n');
    const answer = await readToEnd(socket);
    expect(answer.status).toBe(200);
    expect(answer.head.toLowerCase()).toContain('connection: keep-alive');
    expect(performance.now() - began).toBeGreaterThan(400);
  });
});
