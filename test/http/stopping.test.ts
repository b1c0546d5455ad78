/** Stopping waits only for complete requests. */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { stopServer } from '../../src/http/stop.js';
import { bareServer, listen } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRoutes, notesTable } from '../rooms/notes.js';
import { openSocket, readToEnd } from './raw-socket.js';

const { database, sql } = useTestDatabase();

beforeAll(() => sql.query(notesTable));

async function listening() {
  const bare = bareServer({ routes: notesRoutes(), edge: { database } });
  onTestFinished(() => bare.shedder.stop());
  return { ...bare, url: await listen(bare) };
}

const request = (path: string, body: string, length = body.length) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;

it('stopping is not delayed by silent connections, half headers and half bodies, and finishes complete requests', async () => {
  const { server, shedder, url } = await listening();
  const beginnings = ['', 'POST /notes HTTP/1.1\r\nhost', request('/notes', '{"text":', 900)];
  const incomplete = beginnings.map((beginning) => {
    const socket = openSocket(url);
    if (beginning !== '') socket.write(beginning);
    return readToEnd(socket);
  });
  const dripping = openSocket(url);
  dripping.write('GET /notes HTTP/1.1\r\n');
  const drops = setInterval(() => dripping.write('x'), 50);
  const whole = openSocket(url);
  whole.write(request('/notes/slowly?ms=2400', '{"text":"whole"}'));
  const served = readToEnd(whole);
  const { arrivals, connections } = server.traffic;
  await eventually(() => connections.size === 5 && arrivals.inLane('api') === 1 && shedder.inFlight === 1);

  const began = performance.now();
  await stopServer(server, 0);
  expect(performance.now() - began).toBeLessThan(10_000);
  clearInterval(drops);
  expect(await served).toMatchObject({ status: 200 });
  // Only a request whose header was there has anything to be answered.
  expect((await Promise.all(incomplete)).map(({ status }) => status)).toEqual([0, 0, 503]);
});

it('stopping takes about a second when connections are idle or silent', async () => {
  const { server, url } = await listening();
  const idle = openSocket(url);
  idle.write('GET /notes/empty HTTP/1.1\r\nhost: x\r\nauthorization: Bearer merchant-1\r\n\r\n');
  const silent = [openSocket(url), openSocket(url)].map(readToEnd);
  await eventually(() => server.traffic.connections.size === 3 && server.traffic.connections.busy === 0);
  const began = performance.now();
  await stopServer(server, 0);
  expect(performance.now() - began).toBeLessThan(5_000);
  await Promise.all(silent);
});
