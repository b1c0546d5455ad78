/** Server-sent events: their limits, what keeps them open, and what ends them. */
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Type from 'typebox';
import { expect, it, onTestFinished } from 'vitest';
import { live } from '../../src/http/page-route.js';
import { stopServer } from '../../src/http/stop.js';
import type { LiveListener } from '../../src/http/traffic/live-answers.js';
import type { RequestBounds } from '../../src/http/traffic/request-bounds.js';
import { bareServer, listen } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';

async function serving(bounds: Partial<RequestBounds> = {}) {
  const listeners = new Set<LiveListener>();
  const route = live({
    method: 'GET',
    path: '/feeds/{name}/live',
    operationId: 'followFeed',
    tag: 'Test',
    summary: 'Follows a feed',
    access: { token: 'none' },
    params: Type.Object({ name: Type.String() }),
    async run({ params: { name }, lastEventId }) {
      if (name === 'over') return undefined;
      return {
        name,
        follow: (listener) => {
          listeners.add(listener);
          listener.tell({ id: `after ${lastEventId ?? 'nothing'}`, data: 'first' });
          return () => listeners.delete(listener);
        },
      };
    },
  });
  const bare = bareServer({ routes: [route], bounds });
  const url = new URL(await listen(bare));
  onTestFinished(async () => {
    bare.shedder.stop();
    bare.server.fastify.server.closeAllConnections();
    await bare.server.fastify.close();
  });
  const follow = (name: string, { headers = '', method = 'GET', keepsText = true } = {}) => {
    const socket = connect(Number(url.port), url.hostname);
    const opened = { socket, text: '' };
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (keepsText) opened.text += bytes;
    });
    socket.write(`${method} /feeds/${name}/live HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    onTestFinished(() => void socket.destroy());
    return opened;
  };
  return { ...bare, listeners, follow };
}

const statusOf = ({ text }: { text: string }) => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);

it('sends events as they come, after a reconnection those since the last one, and occupies no working slot', async () => {
  const { listeners, follow, shedder, server } = await serving();
  const page = follow('a', { headers: 'last-event-id: 7\r\n' });
  await eventually(() => page.text.includes('id: after 7\ndata: first\n\n'));
  expect(page.text).toMatch(/content-type: text\/event-stream; charset=utf-8/);
  expect(page.text).toMatch(/cache-control: no-store/);
  expect(page.text).toMatch(/x-accel-buffering: no/);
  expect(page.text).toContain('retry: 3000\n\n');
  for (const listener of listeners) listener.tell({ id: '8', data: 'second' });
  await eventually(() => page.text.includes('id: 8\ndata: second\n\n'));
  expect([server.traffic.live.size, shedder.inFlight]).toEqual([1, 0]);
  page.socket.destroy();
  await eventually(() => listeners.size === 0 && server.traffic.live.size === 0);
});

it('keeps a silent answer open beyond the time in which a connection on which nothing moves is closed', async () => {
  const { follow, server } = await serving({ heartbeatMs: 50, stallMs: 600 });
  const page = follow('a');
  await eventually(() => page.text.split('\n:\n').length > 25);
  expect(server.traffic.live.size).toBe(1);
});

it('answers 204, so that browsers do not connect again, where there is nothing to follow and for HEAD', async () => {
  const { follow, server } = await serving();
  const answers = [follow('over'), follow('a', { method: 'HEAD' })];
  await eventually(() => answers.every((answer) => statusOf(answer) === 204));
  expect(server.traffic.live.size).toBe(0);
});

it('limits the answers of one feed and of the process; who has none is told to ask instead', async () => {
  const { follow, server } = await serving({ liveAnswers: 4, liveAnswersOfFeed: 2 });
  const first = [follow('a'), follow('a')];
  await eventually(() => server.traffic.live.size === 2);
  const refused = follow('a');
  await eventually(() => statusOf(refused) === 204);
  follow('b');
  follow('c');
  await eventually(() => server.traffic.live.size === 4);
  const late = follow('d');
  await eventually(() => statusOf(late) === 204);
  first[0]?.socket.destroy();
  await eventually(() => server.traffic.live.size === 3);
  const next = follow('d');
  await eventually(() => statusOf(next) === 200);
});

it('drops a reader that does not read', async () => {
  const { follow, listeners, server } = await serving();
  const page = follow('a');
  await eventually(() => listeners.size === 1);
  page.socket.pause();
  const data = 'x'.repeat(10_000);
  await eventually(
    () => {
      for (const listener of listeners) listener.tell({ id: '1', data });
      return server.traffic.live.size === 0;
    },
    { everyMs: 1 },
  );
});

it('ends all answers when the process stops, so that browsers connect to another one', async () => {
  const { follow, server } = await serving();
  const page = follow('a');
  await eventually(() => server.traffic.live.size === 1);
  const ended = new Promise((resolve) => page.socket.once('end', resolve));
  const began = performance.now();
  await stopServer(server, 0);
  await ended;
  expect(performance.now() - began).toBeLessThan(5_000);
});

it('serves a thousand pages in memory that does not grow with the events that they are told', async () => {
  const { follow, listeners, server } = await serving({ liveAnswersOfFeed: 1_000 });
  const sockets: Socket[] = [];
  while (sockets.length < 1_000) {
    for (let next = 0; next < 100; next += 1) sockets.push(follow('a', { keepsText: false }).socket);
    await eventually(() => listeners.size === sockets.length);
  }
  const tellAll = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      for (const listener of listeners) listener.tell({ id: String(time), data: String(time) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return usedAfterCollection();
  };
  const before = await tellAll(5);
  const after = await tellAll(40);
  expect(server.traffic.live.size).toBe(1_000);
  expect((after - before) / 1_000).toBeLessThan(2_000);
});

/** In bytes. */
function usedAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
